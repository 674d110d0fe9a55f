import { gvkOf, type KubeObject } from '@weft/api'
import type { Cluster, ClusterOptions } from '../../cluster/index.ts'
import { withCluster } from '../../cluster/index.ts'
import { readManifests } from '../../manifests/index.ts'
import { formatName } from '../../output/index.ts'
import { CommandFailure } from '../../report.ts'
import { type Choice, type NamedObject, namedObjects } from '../../selection/named-objects.ts'
import { namespaceOf } from '../apply/apply-objects.ts'
import { parseWish } from './condition.ts'
import { waitForAll } from './wait-for-all.ts'

export interface WaitOptions extends ClusterOptions, Choice {
  readonly for: string
  readonly timeout: number
  readonly filename?: readonly string[]
  readonly recursive?: boolean
}

const WEEK_MS = 7 * 24 * 3600 * 1000

export async function wait(words: readonly string[], options: WaitOptions): Promise<number> {
  const wish = parseWish(options.for)
  const manifests = options.filename === undefined ? undefined : await readManifests(options.filename, options)
  if ((manifests === undefined) === (words.length === 0)) throw new CommandFailure('name what to wait for: TYPE/NAME, or files with -f')
  return withCluster(options, async (cluster) => {
    const named =
      manifests === undefined
        ? await namedObjects(cluster, words, options)
        : await objectsOf(
            cluster,
            manifests.map(({ object }) => object),
          )
    if (named.length === 0) {
      if (wish.outcome === 'deleted') return 0
      throw new CommandFailure('there is no such object to wait for; --for=create waits for one that is named')
    }
    const problems = await waitForAll(cluster, named, wish, options.timeout < 0 ? WEEK_MS : options.timeout)
    if (problems.length > 0) throw new CommandFailure(problems.join('\nerror: '))
    return 0
  })
}

function objectsOf(cluster: Cluster, objects: readonly KubeObject[]): Promise<readonly NamedObject[]> {
  return Promise.all(
    objects.map(async (object) => {
      if (object.metadata.name === undefined) throw new CommandFailure(`${formatName(object)} has no name to wait for`)
      const kind = await cluster.client.mapping(gvkOf(object))
      return { kind, name: object.metadata.name, namespace: namespaceOf(cluster, kind.namespaced, object) }
    }),
  )
}

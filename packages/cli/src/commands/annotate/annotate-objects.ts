import { formatGroupVersion, parseGroupVersion } from '@weft/api'
import { traceObject } from '@weft/plan'
import type { Cluster, ClusterOptions } from '../../cluster/index.ts'
import { withCluster } from '../../cluster/index.ts'
import { formatName } from '../../output/index.ts'
import type { CommandFailure } from '../../report.ts'
import { type Choice, type NamedObject, namedObjects } from '../../selection/named-objects.ts'
import { notFound, reportAll } from '../get/get.ts'
import { fetchFrom, nodesOf } from '../trace/traced-tree.ts'

export interface AnnotateOptions extends ClusterOptions, Choice {
  /** What was made for each object, too. */
  readonly tree?: boolean
}

/** One word to the controllers, left on an object as an annotation. */
export interface Mark {
  readonly annotation: string
  /** null takes it away. */
  readonly value: () => string | null
  /** What a line says of an object that was marked, and of one that was so before. */
  readonly done: string
  readonly already?: string
}

/** Marks objects, and with `--tree` all that was made for them, from the top down. What the user may not see of a tree is left out. */
export function annotateObjects(words: readonly string[], options: AnnotateOptions, mark: Mark): Promise<number> {
  return withCluster(options, async (cluster) => {
    const named = await namedObjects(cluster, words, options)
    if (named.length === 0) process.stderr.write('No resources found.\n')
    const failures: CommandFailure[] = []
    for (const each of named) {
      for (const target of options.tree === true ? await treeOf(cluster, each) : [each]) {
        if (!(await annotate(cluster, target, mark))) failures.push(notFound(target.kind, target.name, target.namespace))
      }
    }
    return reportAll(failures)
  })
}

async function annotate(cluster: Cluster, { kind, name, namespace }: NamedObject, mark: Mark): Promise<boolean> {
  const before = await cluster.client.find(kind, { name, namespace })
  if (before === undefined) return false
  const value = mark.value()
  if (mark.already !== undefined && (before.metadata.annotations?.[mark.annotation] ?? null) === value) {
    process.stdout.write(`${formatName(before)} ${mark.already}\n`)
    return true
  }
  const body = { metadata: { annotations: { [mark.annotation]: value } } }
  const after = await cluster.client.patch(kind, { name, namespace }, { type: 'merge', body }, { fieldManager: 'weft-cli' })
  process.stdout.write(`${formatName(after)} ${mark.done}\n`)
  return true
}

async function treeOf(cluster: Cluster, root: NamedObject): Promise<readonly NamedObject[]> {
  const { kind, name, namespace } = root
  const ref = { apiVersion: formatGroupVersion(kind), kind: kind.kind, name, ...(namespace !== undefined && { namespace }) }
  const [, ...below] = nodesOf(await traceObject(fetchFrom(cluster.client), ref))
  const there = below.filter(({ state }) => state !== 'missing' && state !== 'hidden')
  const named = there.map(async ({ ref: { apiVersion, ...each } }) => ({
    kind: await cluster.client.mapping({ ...parseGroupVersion(apiVersion), kind: each.kind }),
    name: each.name,
    namespace: each.namespace,
  }))
  return [root, ...(await Promise.all(named))]
}

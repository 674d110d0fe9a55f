import { gvkOf, type KubeObject } from '@weft/api'
import { type CoreEvent, eventKind, type Mapping } from '@weft/client'
import type { Cluster, ClusterOptions } from '../../cluster/index.ts'
import { lookBeforeAsking, withCluster } from '../../cluster/index.ts'
import { readManifests } from '../../manifests/index.ts'
import { withProgress } from '../../progress.ts'
import { CommandFailure } from '../../report.ts'
import { parseTargets, type Target } from '../../selection/targets.ts'
import { namespaceOf } from '../apply/apply-objects.ts'
import { notFound, reportAll } from '../get/get.ts'
import { formatDescription } from './format-description.ts'

export interface DescribeOptions extends ClusterOptions {
  readonly selector?: string
  readonly allNamespaces?: boolean
  readonly events: boolean
  readonly filename?: readonly string[]
  readonly recursive?: boolean
}

export async function describe(words: readonly string[], options: DescribeOptions): Promise<number> {
  const manifests = options.filename === undefined ? undefined : await readManifests(options.filename, options)
  if ((manifests === undefined) === (words.length === 0))
    throw new CommandFailure('name what to describe: TYPE/NAME, TYPE, or files with -f')
  return withCluster(options, async (cluster) => {
    const failures: CommandFailure[] = []
    const found = await withProgress(`asking ${cluster.server}`, async () =>
      manifests === undefined
        ? lookBeforeAsking(cluster.kinds, async (kinds) => {
            failures.length = 0
            const answers = (await parseTargets(words, kinds)).map((target) => find(cluster, target, options, failures))
            return { found: (await Promise.all(answers)).flat(), missing: failures.length > 0 }
          })
        : Promise.all(manifests.map(({ object }) => findNamed(cluster, object))),
    )
    const texts = await Promise.all(
      found.map(async (object) => formatDescription(object, options.events ? await eventsOf(cluster, object) : undefined, Date.now())),
    )
    if (texts.length === 0 && failures.length === 0) process.stderr.write('No resources found.\n')
    process.stdout.write(texts.join('\n\n'))
    return reportAll(failures)
  })
}

async function find(
  cluster: Cluster,
  { kind, names }: Target,
  options: DescribeOptions,
  failures: CommandFailure[],
): Promise<readonly KubeObject[]> {
  const namespace = options.allNamespaces === true ? undefined : cluster.namespace
  if (names === undefined) return list(cluster, kind, { namespace, labels: options.selector })
  const found: KubeObject[] = []
  for (const name of names) {
    const exact = await cluster.client.find(kind, { name, namespace: cluster.namespace })
    const matching = exact === undefined ? await startingWith(cluster, kind, name) : [exact]
    if (matching.length === 0) failures.push(notFound(kind, name, cluster.namespace))
    found.push(...matching)
  }
  return found
}

async function list(
  cluster: Cluster,
  kind: Mapping,
  scope: { readonly namespace: string | undefined; readonly labels: string | undefined },
): Promise<readonly KubeObject[]> {
  const { items } = await cluster.client.list(kind, scope)
  const apiVersion = kind.group === '' ? kind.version : `${kind.group}/${kind.version}`
  return items.map((item) => ({ ...item, apiVersion, kind: kind.kind }))
}

/** Names that machines make are long: their beginning is enough. */
async function startingWith(cluster: Cluster, kind: Mapping, name: string): Promise<readonly KubeObject[]> {
  const all = await list(cluster, kind, { namespace: cluster.namespace, labels: undefined })
  return all.filter(({ metadata }) => metadata.name?.startsWith(name) === true)
}

async function findNamed(cluster: Cluster, object: KubeObject): Promise<KubeObject> {
  const kind = await cluster.client.mapping(gvkOf(object))
  return cluster.client.get(kind, { name: object.metadata.name ?? '', namespace: namespaceOf(cluster, kind.namespaced, object) })
}

/** Those of this very object, not of one before it with the same name. Whoever may not see events gets none. */
async function eventsOf(cluster: Cluster, { metadata }: KubeObject): Promise<readonly CoreEvent[]> {
  try {
    const fieldSelector = `involvedObject.uid=${metadata.uid ?? ''}`
    return (await cluster.client.list(eventKind, { namespace: metadata.namespace, fieldSelector })).items
  } catch {
    return []
  }
}

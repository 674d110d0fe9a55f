import { hasReason, type KubeObject, parseGroupVersion } from '@weft/api'
import type { TraceNode } from '@weft/composition'
import type { Cluster } from '../../cluster/index.ts'
import { conditionOf } from '../package/package-object.ts'
import { nodesOf } from './traced-tree.ts'

const PACKAGE_LABEL = 'pkg.crossplane.io/package'
const PACKAGE_TYPE_LABEL = 'pkg.weft.dev/package-type'

/** Of the kinds in the tree that get nowhere: those whose provider does not work, a sentence each. What the reader may not see is not told. */
export async function idleKinds(cluster: Cluster, root: TraceNode): Promise<readonly string[]> {
  const stuck = nodesOf(root).filter(({ state, children }) => children.length === 0 && (state === 'waiting' || state === 'deleting'))
  const kinds = new Map(stuck.map(({ ref }) => [`${parseGroupVersion(ref.apiVersion).group}/${ref.kind}`, ref]))
  const sentences = await Promise.all([...kinds.values()].map(({ apiVersion, kind }) => idleKind(cluster, apiVersion, kind)))
  return [...new Set(sentences.filter((sentence) => sentence !== undefined))]
}

async function idleKind(cluster: Cluster, apiVersion: string, kind: string): Promise<string | undefined> {
  const { group } = parseGroupVersion(apiVersion)
  const served = (await cluster.kinds.all()).find((each) => each.group === group && each.kind === kind)
  if (served === undefined || group === '') return undefined
  const definition = await seen(cluster, { group: 'apiextensions.k8s.io', kind: 'CustomResourceDefinition' }, `${served.plural}.${group}`)
  const name = definition?.metadata.labels?.[PACKAGE_LABEL]
  if (name === undefined || definition?.metadata.labels?.[PACKAGE_TYPE_LABEL] !== 'Provider') return undefined
  const provider = await seen(cluster, { group: 'pkg.crossplane.io', kind: 'Provider' }, name)
  if (provider === undefined) return undefined
  const healthy = conditionOf(provider, 'Healthy')
  if (healthy?.status === 'True') return undefined
  const why = healthy?.message ?? ''
  return `Nothing reconciles ${kind}: provider ${name} is not running${why === '' ? '' : ` (${why.replace(/\.$/, '')})`}; \`weft logs ${name}\` shows what it printed.`
}

async function seen(
  { quiet }: Cluster,
  kind: { readonly group: string; readonly kind: string },
  name: string,
): Promise<KubeObject | undefined> {
  try {
    return await quiet.find(kind, { name })
  } catch (error) {
    if (hasReason(error, 'Forbidden')) return undefined
    throw error
  }
}

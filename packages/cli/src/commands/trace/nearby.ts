import { hasReason, type KubeObject, meantInstead } from '@weft/api'
import type { ServedKind } from '@weft/client'
import type { Cluster } from '../../cluster/index.ts'
import { isListable } from '../../selection/targets.ts'

const LOOKED_AT = 500
const NAMED = 5

/** What is there instead of an object that is not: one of nearly that name, the same in another namespace, or the first few of its kind. Only what the reader may list. */
export async function nearby(cluster: Cluster, kind: ServedKind, name: string): Promise<string> {
  const objects = isListable(kind) ? await listed(cluster, kind) : []
  const { namespace: here } = cluster
  const inReach = objects.filter(({ metadata }) => !kind.namespaced || metadata.namespace === here).map(nameOf)
  const near = meantInstead(name, inReach)
  if (near !== undefined) return `did you mean ${near}?`
  const elsewhere = objects.find(({ metadata }) => metadata.name === name)?.metadata.namespace
  if (elsewhere !== undefined) return `there is one in namespace ${elsewhere}: -n ${elsewhere}`
  const where = kind.namespaced ? ` in namespace ${here}` : ''
  if (inReach.length > 0) {
    const more = inReach.length > NAMED ? ` and ${inReach.length - NAMED} more` : ''
    return `there ${inReach.length === 1 ? 'is' : 'are'} ${inReach.slice(0, NAMED).join(', ')}${more}${where}`
  }
  const [first] = objects
  return first === undefined
    ? `there is no ${kind.kind} that you can see`
    : `there is none${where}, but ${nameOf(first)} in namespace ${first.metadata.namespace ?? ''}`
}

const nameOf = ({ metadata: { name = '' } }: KubeObject): string => name

/** In all namespaces, or in this one where no more may be seen. */
async function listed({ quiet, namespace }: Cluster, kind: ServedKind): Promise<readonly KubeObject[]> {
  for (const where of kind.namespaced ? [undefined, namespace] : [undefined]) {
    try {
      return (await quiet.list(kind, { limit: LOOKED_AT, ...(where !== undefined && { namespace: where }) })).items
    } catch (error) {
      if (!hasReason(error, 'Forbidden')) throw error
    }
  }
  return []
}

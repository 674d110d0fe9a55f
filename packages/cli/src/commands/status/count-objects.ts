import { hasReason } from '@weft/api'
import type { ServedKind } from '@weft/client'
import type { Cluster } from '../../cluster/index.ts'

const CATEGORIES = ['claim', 'composite', 'managed'] as const

/** How many objects there are, as far as whoever asks may know. */
export interface ObjectCounts {
  /** Without those of which nothing is known: that is not none. */
  readonly byCategory: Readonly<Record<string, number>>
  /** Given where only this namespace was counted. */
  readonly countedIn?: string
  /** Categories of which nothing may be listed. */
  readonly refused?: readonly string[]
}

/** Counts claims, composites and managed resources: everywhere, or in the namespace of the command where no more may be listed. */
export async function countObjects(cluster: Cluster): Promise<ObjectCounts> {
  const kinds = (await cluster.kinds.all()).filter(({ verbs }) => verbs.includes('list'))
  const byCategory: Record<string, number> = {}
  const refused: string[] = []
  let isLocal = false
  for (const category of CATEGORIES) {
    const members = kinds.filter(
      (kind, index) =>
        kind.categories.includes(category) && kinds.findIndex((each) => each.group === kind.group && each.plural === kind.plural) === index,
    )
    if (members.length === 0) continue
    const answers = await Promise.all(members.map((kind) => count(cluster, kind)))
    const counted = answers.filter((answer) => typeof answer === 'object')
    if (answers.every((answer) => answer === 'refused')) refused.push(category)
    if (counted.length > 0) byCategory[category] = counted.reduce((total, { number }) => total + number, 0)
    isLocal ||= counted.some((each) => each.isLocal)
  }
  return { byCategory, ...(isLocal && { countedIn: cluster.namespace }), ...(refused.length > 0 && { refused }) }
}

interface Counted {
  readonly number: number
  readonly isLocal: boolean
}

/** One object is asked for; the server says how many more there are. */
async function count({ client, namespace }: Cluster, kind: ServedKind): Promise<Counted | 'refused' | 'unknown'> {
  for (const where of kind.namespaced ? [undefined, namespace] : [undefined]) {
    try {
      const { items, metadata } = await client.list(kind, { limit: 1, ...(where !== undefined && { namespace: where }) })
      return { number: items.length + (metadata.remainingItemCount ?? 0), isLocal: where !== undefined }
    } catch (error) {
      if (!hasReason(error, 'Forbidden')) return 'unknown'
    }
  }
  return 'refused'
}

/** `619 (4 claim, 8 composite, 252 managed)` */
export function formatCounts({ byCategory, countedIn, refused = [] }: ObjectCounts, all: number | undefined): string | undefined {
  const parts = Object.entries(byCategory).map(([category, number]) => `${number} ${category}`)
  const told = [
    ...(parts.length === 0 ? [] : [`${parts.join(', ')}${countedIn === undefined ? '' : ` in namespace ${countedIn}`}`]),
    ...(refused.length === 0 ? [] : [`you may not list ${refused.join(', ')}`]),
  ].join('; ')
  if (all === undefined) return told === '' ? undefined : told
  return told === '' ? String(all) : `${all} (${told})`
}

import { getOwn, gvkOf, isJsonObject, type KubeObject, parseGroupVersion, specOf } from '@weft/api'
import { type Mention, mentionsIn } from './mentions.ts'

/** On a Composition or a composite: its members go one after the other. */
export const DELETION_ORDER = 'weft.dev/deletion-order'

/**
 * - `references`: whatever nobody refers to goes first; those that have nothing to do with each other go together.
 * - `reverse`: one at a time, the last of the Composition first, unless references say otherwise.
 */
export type DeletionOrder = 'references' | 'reverse'

/** What an object itself says of the order; `none` where it says anything else, which turns off what others say. */
export function deletionOrderOf({ metadata }: KubeObject): DeletionOrder | 'none' | undefined {
  const said = metadata.annotations?.[DELETION_ORDER]
  if (said === undefined) return undefined
  return said === 'references' || said === 'reverse' ? said : 'none'
}

/** A member that still exists, and its place in the Composition; those without one come after all others. */
export interface RankedMember {
  readonly object: KubeObject
  readonly rank: number
}

/**
 * The members that may go now: pure, and from what is there alone, so that it comes out the same after a crash. None before whoever refers to it is gone;
 * of members that refer to each other in a circle, the last one goes first. Usages that were composed say who goes before whom; they themselves
 * hold nobody up, and go at once: each waits by itself for what uses something.
 */
export function nextToGo(members: readonly RankedMember[], order: DeletionOrder): readonly RankedMember[] {
  const usages = members.filter(({ object }) => isUsage(object))
  const others = members.filter(({ object }) => !isUsage(object))
  const referred = referredIn(others, usages)
  const free = others.filter((member) => !referred.has(member))
  const last = (given: readonly RankedMember[]): readonly RankedMember[] => [...given].sort(lastFirst).slice(0, 1)
  if (free.length === 0) return [...usages, ...last(others)]
  return [...usages, ...(order === 'references' ? free : last(free))]
}

const lastFirst = (a: RankedMember, b: RankedMember): number => b.rank - a.rank || (identityOf(a) < identityOf(b) ? 1 : -1)
const identityOf = ({ object: { kind, metadata } }: RankedMember): string => `${kind}/${metadata.name ?? ''}`

/** Those that another one refers to. */
function referredIn(members: readonly RankedMember[], usages: readonly RankedMember[]): ReadonlySet<RankedMember> {
  const named = new Map<string, RankedMember[]>()
  for (const member of members) {
    const name = member.object.metadata.name ?? ''
    const same = named.get(name)
    if (same === undefined) named.set(name, [member])
    else same.push(member)
  }
  const meant = (mention: Mention): readonly RankedMember[] => {
    const fitting = (named.get(mention.name) ?? []).filter(({ object }) => fits(object, mention))
    const byField = fitting.filter(({ object }) => isAbout(object, mention))
    return byField.length > 0 ? byField : fitting
  }
  const referred = new Set<RankedMember>()
  for (const member of members)
    for (const mention of mentionsIn(member.object)) for (const each of meant(mention)) if (each !== member) referred.add(each)
  for (const { object } of usages) {
    const [of, by] = ['of', 'by'].map((end) => endOf(object, end))
    if (of !== undefined && by !== undefined && meant(by).length > 0) for (const each of meant(of)) referred.add(each)
  }
  return referred
}

function fits(object: KubeObject, { kind, group, namespace }: Mention): boolean {
  const own = gvkOf(object)
  return (
    (kind === undefined || kind === own.kind) &&
    (group === undefined || group === own.group) &&
    (namespace === undefined || object.metadata.namespace === undefined || object.metadata.namespace === namespace)
  )
}

const isAbout = ({ kind }: KubeObject, { about }: Mention): boolean => about.toLowerCase().endsWith(kind.toLowerCase())

const isUsage = ({ apiVersion, kind }: KubeObject): boolean => {
  const { group } = parseGroupVersion(apiVersion)
  return (
    (group === 'protection.crossplane.io' && (kind === 'Usage' || kind === 'ClusterUsage')) ||
    (group === 'apiextensions.crossplane.io' && kind === 'Usage')
  )
}

function endOf(usage: KubeObject, end: string): Mention | undefined {
  const given = getOwn(specOf(usage), end)
  const ref = isJsonObject(given) ? getOwn(given, 'resourceRef') : undefined
  const name = isJsonObject(ref) ? getOwn(ref, 'name') : undefined
  if (!isJsonObject(given) || typeof name !== 'string') return undefined
  const { apiVersion, kind } = given
  return {
    about: '',
    name,
    ...(typeof kind === 'string' && { kind }),
    ...(typeof apiVersion === 'string' && { group: parseGroupVersion(apiVersion).group }),
  }
}

import { deepEqual, findCondition, type GroupKind, gvkOf, type KubeObject } from '@weft/api'
import { conditionsOf } from '@weft/composition'
import { candidatesOf, specRef, wishOf } from '@weft/controllers'
import { KnownObjects } from '../known/known-objects.ts'
import { wishOf as wishOfObject } from './field-changes.ts'
import type { Snapshot } from './snapshot.ts'
import type { Change } from './plan.ts'

/** What would not work that worked before or is changed, and what is a random choice. */
export function warningsOf(before: Snapshot, after: Snapshot, change: Change): readonly string[] {
  const failing = [...after].flatMap(([key, object]) => {
    const problem = problemOf(object)
    const earlier = before.get(key)
    const isAsBefore = earlier !== undefined && problem === problemOf(earlier) && deepEqual(wishOfObject(earlier), wishOfObject(object))
    return problem === undefined || isAsBefore ? [] : [`${nameOf(object)}: ${problem}`]
  })
  return [...new Set([...failing, ...randomChoices(before, after, change)])]
}

/** Synced=False, or, of a claim, that nobody can satisfy it. Waiting for what a provider does is no problem. */
function problemOf(object: KubeObject | undefined): string | undefined {
  if (object === undefined || object.metadata.deletionTimestamp !== undefined) return undefined
  const conditions = conditionsOf(object)
  const synced = findCondition(conditions, 'Synced')
  if (synced?.status === 'False') return synced.message ?? synced.reason
  const ready = findCondition(conditions, 'Ready')
  const undecided = ready?.status === 'False' && ready.reason === 'Waiting' && synced === undefined
  return undecided ? ready.message : undefined
}

/** S7: of several classes that fit, a server picks any. */
function randomChoices(before: Snapshot, after: Snapshot, { apply = [] }: Change): readonly string[] {
  const known = new KnownObjects([...after.values()])
  return [...after].flatMap(([key, claim]) => {
    const earlier = before.get(key)
    const chosen = specRef(claim, 'classRef')
    if (chosen === undefined || (earlier !== undefined && specRef(earlier, 'classRef') !== undefined)) return []
    const asked = apply.find((object) => object.kind === claim.kind && object.metadata.name === claim.metadata.name) ?? earlier
    const wish = asked && wishOf(asked)
    if (wish === undefined || (wish.type !== 'selector' && wish.type !== 'default')) return []
    const kind: GroupKind = gvkOf(claim)
    const candidates = known
      .table(kind)
      .tuples.filter((tuple) => tuple.claim.group === kind.group && tuple.claim.kind === kind.kind)
      .flatMap((tuple) => candidatesOf(known.classes(kind), tuple, wish) ?? [])
    if (candidates.length < 2) return []
    const names = candidates.map((each) => `${each.kind}/${each.metadata.name ?? ''}`).toSorted()
    return [
      `${nameOf(claim)} may be satisfied from any of ${names.join(', ')}: one is picked at random, this plan took ${chosen.kind ?? ''}/${chosen.name ?? ''}`,
    ]
  })
}

const nameOf = ({ kind, metadata }: KubeObject): string =>
  `${kind} ${metadata.namespace === undefined ? '' : `${metadata.namespace}/`}${metadata.name ?? ''}`

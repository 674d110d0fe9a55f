import type { KubeObject } from '@weft/api'
import { traceKey } from '@weft/composition'
import { LIVING_ROLES, type Role, roleOf } from '../kinds/kind-info.ts'
import { type Collection, find, type WorldSnapshot } from './world.ts'
import { type NodeState, ownState, refOf, STATE_ORDER, whyNot } from './state.ts'
import { topOf } from './top-of.ts'

export interface Attention {
  readonly object: KubeObject
  /** Itself, or what is worst below it. */
  readonly worst: KubeObject
  readonly state: NodeState
  readonly why: string
}

/** Collections of kinds that become ready or fail to, the intents first. */
export function livingCollections(world: WorldSnapshot): readonly (Collection & { readonly role: Role })[] {
  return [...world.collections.values()]
    .flatMap((collection) => {
      const role = roleOf(collection.kind)
      return role !== undefined && LIVING_ROLES.includes(role) ? [{ ...collection, role }] : []
    })
    .sort((a, b) => LIVING_ROLES.indexOf(a.role) - LIVING_ROLES.indexOf(b.role) || a.kind.kind.localeCompare(b.kind.kind))
}

/**
 * What somebody should look at, the worst first. Troubles below an intent that is not ready itself are told once, with the intent; below
 * one that claims to be ready they are told on their own.
 */
export function needsAttention(world: WorldSnapshot, most: number): { readonly shown: readonly Attention[]; readonly total: number } {
  const troubled = new Map<string, { readonly object: KubeObject; readonly worst: KubeObject; readonly state: NodeState }>()
  for (const { objects } of livingCollections(world))
    for (const object of objects.values()) {
      const state = ownState(object)
      if (state === 'ready') continue
      const blamed = spokesman(world, object)
      const key = traceKey(refOf(blamed))
      const worse = troubled.get(key)
      // A failure below makes the whole a failure, whatever the intent says of itself.
      if (worse === undefined || rank(state) < rank(worse.state)) troubled.set(key, { object: blamed, worst: object, state })
    }
  const sorted = [...troubled.values()].sort((a, b) => rank(a.state) - rank(b.state) || newestFirst(a.object, b.object))
  return {
    total: sorted.length,
    shown: sorted.slice(0, most).map(({ object, worst, state }) => ({ object, worst, state, why: whyNot(world, worst) ?? '' })),
  }
}

const rank = (state: NodeState): number => STATE_ORDER.indexOf(state)

const newestFirst = (a: KubeObject, b: KubeObject): number =>
  (b.metadata.creationTimestamp ?? '').localeCompare(a.metadata.creationTimestamp ?? '') ||
  (a.metadata.name ?? '').localeCompare(b.metadata.name ?? '')

function spokesman(world: WorldSnapshot, object: KubeObject): KubeObject {
  const top = find(world, topOf(world, refOf(object)))
  return top && ownState(top) !== 'ready' ? top : object
}

export interface KindCount {
  readonly collection: Collection & { readonly role: Role }
  readonly total: number
  readonly byState: ReadonlyMap<NodeState, number>
}

/** How many objects of each kind there are, by state; kinds without objects are left out. */
export function countByKind(world: WorldSnapshot): readonly KindCount[] {
  return livingCollections(world)
    .filter(({ objects }) => objects.size > 0)
    .map((collection) => {
      const byState = new Map<NodeState, number>()
      for (const object of collection.objects.values()) byState.set(ownState(object), (byState.get(ownState(object)) ?? 0) + 1)
      return { collection, total: collection.objects.size, byState }
    })
}

import type { KubeObject } from '@weft/api'
import { COUNTED_STATES, type KindCounts, type Summary, type SummaryCause } from '../../contract.ts'
import { LIVING_ROLES, OFFERING_ROLES, type Role, roleOf } from '../../kinds/kind-info.ts'
import { countByKind, type KindCount, livingCollections } from '../../world/attention.ts'
import { type Cause, causesOf } from '../../world/causes.ts'
import { refOf } from '../../world/state.ts'
import type { WorldSnapshot } from '../../world/world.ts'
import type { InventoryState } from './inventory.ts'

const MOST_CAUSES = 20
/** Of one cause. */
const MOST_OBJECTS = 50
const MOST_KINDS = 30
const MOST_REFUSED = 6

/** What the overview says. `allKinds`: counts of every kind, not of some only. */
export function summaryOf({ areKindsKnown, problem, world }: InventoryState, allKinds: boolean): Summary {
  const living = livingCollections(world)
  const counts = countByKind(world).toSorted(troubledFirst)
  const shown = allKinds ? counts : counts.slice(0, MOST_KINDS)
  const { causes, total } = causesOf(world)
  const refused = living.filter(({ state }) => state.phase === 'refused')
  const failed = living.find(({ state, loaded }) => state.phase === 'waiting' && !loaded)?.state
  const why = problem ?? (failed?.phase === 'waiting' ? failed.why : undefined)
  return {
    areKindsKnown,
    unread: living.filter(({ loaded, state }) => !loaded && state.phase === 'listing').length,
    ...(why !== undefined && { failed: why }),
    attention: { total, causes: causes.slice(0, MOST_CAUSES).map(causeOf) },
    kinds: shown.map(countsOf),
    more: {
      kinds: counts.length - shown.length,
      objects: counts.slice(shown.length).reduce((sum, { total: n }) => sum + n, 0),
    },
    refused: {
      total: refused.length,
      kinds: refused.slice(0, MOST_REFUSED).map(({ kind }) => kind.kind),
      areAll: refused.length === living.length,
    },
    hasIntents: hasAny(world, INTENTS),
    hasOffers: hasAny(world, OFFERING_ROLES),
  }
}

const INTENTS: readonly Role[] = ['claim', 'requirement', 'application', 'composite']

const hasAny = (world: WorldSnapshot, roles: readonly Role[]): boolean => {
  for (const { kind, objects } of world.collections.values()) if (objects.size > 0 && roles.includes(roleOf(kind) ?? 'managed')) return true
  return false
}

/** By role as long as there are few; of many, those first that have troubles. */
const troubledFirst = (a: KindCount, b: KindCount): number =>
  LIVING_ROLES.indexOf(a.collection.role) - LIVING_ROLES.indexOf(b.collection.role) ||
  troubled(b) - troubled(a) ||
  a.collection.kind.kind.localeCompare(b.collection.kind.kind)

const troubled = ({ byState }: KindCount): number => ((byState.get('failed') ?? 0) > 0 ? 1 : 0)

const countsOf = ({ collection: { kind, role }, total, byState }: KindCount): KindCounts => ({
  group: kind.group,
  kind: kind.kind,
  plural: kind.plural,
  role,
  total,
  states: Object.fromEntries(COUNTED_STATES.flatMap((state) => (byState.has(state) ? [[state, byState.get(state)]] : []))),
})

function causeOf({ state, text, objects }: Cause): SummaryCause {
  const [first, ...others] = objects
  // One object is called by its name, and so is what is to blame for it.
  const alone = first !== undefined && others.length === 0 ? first : undefined
  return {
    state,
    text: alone?.why ?? text,
    total: objects.length,
    objects: objects.slice(0, MOST_OBJECTS).map(({ object }) => refOf(object)),
    ...(alone !== undefined && createdAt(alone.object)),
  }
}

const createdAt = ({ metadata: { creationTimestamp } }: KubeObject): { readonly since?: string } =>
  creationTimestamp === undefined ? {} : { since: creationTimestamp }

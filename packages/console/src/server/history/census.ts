import type { KubeObject } from '@weft/api'
import { type Client, customResourceDefinitionKind, discover, isUnknownResource } from '@weft/client'
import { ownState } from '@weft/composition'
import type { CountedState } from '../../contract.ts'
import { claimShaped, withClaims } from '../../kinds/claim-shaped.ts'
import { type KindInfo, kindKey, LIVING_ROLES, preferredKinds, roleOf } from '../../kinds/kind-info.ts'

/** How many objects of one kind are in which state, in one namespace; of a kind that is in none, under the empty name. */
export interface KindCensus {
  readonly group: string
  readonly kind: string
  readonly plural: string
  readonly namespaced: boolean
  readonly counts: ReadonlyMap<string, StateCounts>
}

export type StateCounts = Readonly<Partial<Record<CountedState, number>>>

/** Of every kind whose objects become ready or fail to, and that has any. By group and kind. */
export type Census = ReadonlyMap<string, KindCensus>

/**
 * Counts all objects there are. `client` reads in process: what it answers are the server's own objects, which do not change, so that each is looked at
 * once in its life. Kinds that go while it counts are left out.
 */
export function censusTaker(client: Client): () => Promise<Census> {
  const seen = new WeakMap<KubeObject, CountedState>()
  const stateOf = (object: KubeObject): CountedState => {
    const known = seen.get(object)
    if (known !== undefined) return known
    const state = ownState(object)
    seen.set(object, state)
    return state
  }
  return async () => {
    const { items: definitions } = await client.list(customResourceDefinitionKind)
    const kinds = new Map<string, KindCensus>()
    for (const kind of withClaims(preferredKinds(await discover(client.transport)), claimShaped(definitions))) {
      const role = roleOf(kind)
      if (role === undefined || !LIVING_ROLES.includes(role) || !kind.verbs.includes('list')) continue
      const counts = new Map<string, Partial<Record<CountedState, number>>>()
      for await (const object of objectsOf(client, kind)) {
        const namespace = object.metadata.namespace ?? ''
        const state = stateOf(object)
        const sofar = counts.get(namespace)
        if (sofar === undefined) counts.set(namespace, { [state]: 1 })
        else sofar[state] = (sofar[state] ?? 0) + 1
      }
      if (counts.size === 0) continue
      kinds.set(kindKey(kind), { group: kind.group, kind: kind.kind, plural: kind.plural, namespaced: kind.namespaced, counts })
    }
    return kinds
  }
}

/** Objects that nobody follows are read from disk: never so many at once that others wait for it. */
const PAGE = 500

async function* objectsOf(client: Client, kind: KindInfo): AsyncGenerator<KubeObject> {
  let next: string | undefined
  do {
    const page = await client.list(kind, { limit: PAGE, ...(next !== undefined && { continue: next }) }).catch(noneOfKindsThatWent)
    yield* page.items
    next = page.metadata.continue
  } while (next !== undefined && next !== '')
}

interface ListPage {
  readonly items: readonly KubeObject[]
  readonly metadata: { readonly continue?: string }
}

function noneOfKindsThatWent(error: unknown): ListPage {
  if (isUnknownResource(error)) return { items: [], metadata: {} }
  throw error
}

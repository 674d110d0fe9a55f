import type { Client, Clock } from '@weft/client'
import type { KindInfo } from '../../kinds/kind-info.ts'
import { kindKey } from '../../kinds/kind-info.ts'
import type { Collection, WorldSnapshot } from '../../world/world.ts'
import type { ConsoleSession } from '../session/sessions.ts'
import { type Inventory, type InventoryState, startInventory } from './inventory.ts'
import { listableKinds } from './listable.ts'

/** What somebody may see of an inventory. */
export interface View {
  /** As it is now, of what the user may list now. */
  read(): Promise<InventoryState>
  subscribe(listener: () => void): () => void
  /** Nobody looks any more. */
  release(): void
}

/**
 * The inventory of the control plane, of which everybody is shown what they may see; or, where the console does not run in the control plane, one for each session
 * and namespace, read with the user's own rights, for as long as somebody looks and a little longer.
 */
export interface Inventories {
  view(session: ConsoleSession, namespace: string): View
  stop(): Promise<void>
}

export interface InventoriesOptions {
  /** Reads everything, in the process of the control plane. */
  readonly reader: Client | undefined
  readonly clock: Clock
}

/** Pages are left for others, and come back to. */
const KEPT_MS = 60_000

interface Own {
  readonly inventory: Inventory
  users: number
  timer: unknown
}

export function createInventories({ reader, clock }: InventoriesOptions): Inventories {
  const shared = reader && startInventory({ client: reader, clock })
  const own = new Map<ConsoleSession, Map<string, Own>>()
  const ending = new Set<Promise<void>>()

  const end = (session: ConsoleSession, namespace: string): void => {
    const of = own.get(session)
    const entry = of?.get(namespace)
    if (of === undefined || entry === undefined) return
    of.delete(namespace)
    if (of.size === 0) own.delete(session)
    clock.clearTimeout(entry.timer)
    const ended = entry.inventory.stop().finally(() => ending.delete(ended))
    ending.add(ended)
  }

  const ownOf = (session: ConsoleSession, namespace: string): Own => {
    let of = own.get(session)
    if (of === undefined) {
      own.set(session, (of = new Map()))
      session.signal.addEventListener('abort', () => [...(own.get(session)?.keys() ?? [])].forEach((each) => end(session, each)), {
        once: true,
      })
    }
    let entry = of.get(namespace)
    if (entry === undefined) {
      entry = { inventory: startInventory({ client: session.identity.client(), namespace, clock }), users: 0, timer: undefined }
      of.set(namespace, entry)
    }
    return entry
  }

  return {
    view(session, namespace) {
      if (shared !== undefined)
        return {
          read: () => seenBy(session, namespace, shared),
          subscribe: (listener) => shared.subscribe(listener),
          release: () => undefined,
        }
      const entry = ownOf(session, namespace)
      entry.users++
      clock.clearTimeout(entry.timer)
      let isReleased = false
      return {
        read: async () => entry.inventory.read(),
        subscribe: (listener) => entry.inventory.subscribe(listener),
        release: () => {
          if (isReleased) return
          isReleased = true
          if (--entry.users > 0) return
          entry.timer = clock.setTimeout(() => end(session, namespace), KEPT_MS)
          ;(entry.timer as { unref?: () => void } | undefined)?.unref?.()
        },
      }
    },
    async stop() {
      for (const [session, of] of [...own]) for (const namespace of [...of.keys()]) end(session, namespace)
      await Promise.all([shared?.stop(), ...ending])
    },
  }
}

/** Rights first, then the state: nothing is shown that was read before it was known that it may be. */
async function seenBy(session: ConsoleSession, namespace: string, inventory: Inventory): Promise<InventoryState> {
  const followed = [...inventory.read().world.collections.values()].map(({ kind }) => kind)
  const listable = await listableKinds(session, namespace, followed)
  const state = inventory.read()
  return { ...state, world: seen(state.world, namespace, (kind) => listable.has(kindKey(kind))) }
}

/** The part of a world that may be listed, in one namespace or, when that is empty, in all. What may not is there, empty and refused. */
function seen(world: WorldSnapshot, namespace: string, mayList: (kind: KindInfo) => boolean): WorldSnapshot {
  const collections = new Map<string, Collection>()
  for (const [key, collection] of world.collections) {
    const { kind, objects, loaded, state } = collection
    const scope = kind.namespaced ? namespace : ''
    if (!mayList(kind))
      collections.set(key, { kind, scope, loaded: false, objects: new Map(), state: { phase: 'refused', why: 'You may not list it.' } })
    else if (scope === '') collections.set(key, { kind, scope, loaded, objects, state })
    else
      collections.set(key, { kind, scope, loaded, state, objects: new Map([...objects].filter(([name]) => name.startsWith(`${scope}/`))) })
  }
  return { collections }
}

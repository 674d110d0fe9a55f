import { type KubeObject, messageOf } from '@weft/api'
import {
  type Client,
  type Clock,
  createSharedInformers,
  customResourceDefinitionKind,
  discover,
  type InformerLease,
  type Kind,
  systemClock,
} from '@weft/client'
import { definedKey, isClaimShaped, withClaims } from '../../kinds/claim-shaped.ts'
import { isIntent, type KindInfo, kindKey, preferredKinds } from '../../kinds/kind-info.ts'
import { watchedKinds } from '../../kinds/watched.ts'
import { descriptionOf, firstSentence } from '../../world/description.ts'
import type { WorldSnapshot } from '../../world/world.ts'
import { type LiveCollection, liveCollection } from './live-collection.ts'

/**
 * All that a client sees of what matters to the console, kept up to date: which kinds there are, and the objects of those that live, are offered, or tell about
 * either. Pages ask for sums and excerpts of it instead of reading thousands of lists.
 *
 * What `read` answers is true until the caller yields: it changes in place.
 */
export interface Inventory {
  read(): InventoryState
  /** Called when something has changed; quick, and often. */
  subscribe(listener: () => void): () => void
  stop(): Promise<void>
}

export interface InventoryState {
  readonly kinds: readonly KindInfo[]
  /** Is it known which kinds there are? */
  readonly areKindsKnown: boolean
  /** Why that could not be read the last time, if so. */
  readonly problem: string | undefined
  readonly world: WorldSnapshot
}

export interface InventoryOptions {
  readonly client: Client
  /** Where namespaced kinds are followed; empty: everywhere. */
  readonly namespace?: string
  readonly clock?: Clock | undefined
}

/** Kinds whose objects are read for the first time at once. */
const AT_ONCE = 32
/** Definitions come by the hundred when a provider does. */
const GATHER_MS = 100
/** Reading which kinds there are may take a tenth of the time. */
const PAUSE_FACTOR = 10
/** Who may not see definitions is not told of new kinds. */
const ASK_AGAIN_MS = 60_000

export function startInventory({ client, namespace = '', clock = systemClock }: InventoryOptions): Inventory {
  const informers = createSharedInformers({ client, clock, onProblem: () => changed() })
  const listeners = new Set<() => void>()
  const collections = new Map<string, LiveCollection>()
  const waiting: KindInfo[] = []
  let starting = 0
  let kinds: readonly KindInfo[] = []
  let areKindsKnown = false
  let problem: string | undefined
  let isStopped = false
  let timer: unknown
  let lastTook = 0

  const changed = (): void => {
    for (const listener of listeners) listener()
  }

  const begin = (): void => {
    for (let kind = waiting.shift(); kind !== undefined; kind = starting < AT_ONCE ? waiting.shift() : undefined) {
      const collection = collections.get(kindKey(kind))
      if (collection === undefined) continue
      starting++
      void collection.start().finally(() => {
        starting--
        begin()
      })
    }
  }

  const follow = (wanted: readonly KindInfo[]): void => {
    const keys = new Map(wanted.map((kind) => [kindKey(kind), kind]))
    for (const [key, collection] of [...collections]) {
      const kind = keys.get(key)
      if (kind !== undefined && kind.version === collection.kind.version && kind.namespaced === collection.kind.namespaced) {
        // Its categories may have changed, which are no reason to read it again.
        collection.kind = kind
        continue
      }
      collections.delete(key)
      void collection.stop()
    }
    for (const [key, kind] of keys) {
      if (collections.has(key)) continue
      collections.set(key, liveCollection({ kind, namespace, clock, acquire: (scope) => informers.acquire(scope), changed }))
      waiting.push(kind)
    }
    if (starting < AT_ONCE) begin()
  }

  const readKinds = async (): Promise<void> => {
    timer = undefined
    const begun = clock.now()
    try {
      const served = preferredKinds(await discover(client.transport))
      if (isStopped) return
      kinds = described(served, definitions.informer.list())
      areKindsKnown = true
      problem = undefined
      follow(watchedKinds(kinds).filter((kind) => kindKey(kind) !== DEFINITIONS))
    } catch (error) {
      problem = messageOf(error)
    }
    lastTook = clock.now() - begun
    changed()
    schedule(problem === undefined ? ASK_AGAIN_MS : lastTook * PAUSE_FACTOR + ASK_AGAIN_MS / 10)
  }

  const schedule = (inMs: number): void => {
    if (isStopped) return
    clock.clearTimeout(timer)
    timer = clock.setTimeout(() => void readKinds(), inMs)
    ;(timer as { unref?: () => void } | undefined)?.unref?.()
  }

  const definitions: InformerLease = informers.acquire({ kind: DEFINITION })
  let isGathering = false
  definitions.informer.subscribe(() => {
    // The first of many decides when: to wait for the last would be to wait for ever.
    if (isGathering || !areKindsKnown) return
    isGathering = true
    clock.setTimeout(
      () => {
        isGathering = false
        if (!isStopped) void readKinds()
      },
      Math.max(GATHER_MS, lastTook * PAUSE_FACTOR),
    )
  })
  // Definitions say which kinds are claims: worth a moment, where they may be read at all.
  void Promise.race([definitions.informer.synced, new Promise((resolve) => clock.setTimeout(() => resolve(undefined), GATHER_MS * 10))])
    .catch(() => undefined)
    .then(() => (isStopped ? undefined : readKinds()))

  return {
    read: () => ({ kinds, areKindsKnown, problem, world: { collections } }),
    subscribe: (listener) => (listeners.add(listener), () => void listeners.delete(listener)),
    async stop() {
      isStopped = true
      clock.clearTimeout(timer)
      listeners.clear()
      await informers.stop()
    },
  }
}

const DEFINITIONS = kindKey(customResourceDefinitionKind)

/** What is kept of a definition: its schema is large, and two things are read from it. */
interface Definition extends KubeObject {
  readonly key: string
  readonly isClaim: boolean
  readonly description?: string
}

const DEFINITION: Kind = {
  ...customResourceDefinitionKind,
  remembered: (object: KubeObject): Definition => {
    const description = descriptionOf(object)
    return {
      apiVersion: object.apiVersion,
      kind: object.kind,
      metadata: object.metadata,
      key: definedKey(object),
      isClaim: isClaimShaped(object),
      ...(description !== undefined && { description: firstSentence(description) }),
    }
  },
}

function described(served: readonly KindInfo[], remembered: readonly KubeObject[]): readonly KindInfo[] {
  const definitions = new Map((remembered as readonly Definition[]).map((definition) => [definition.key, definition]))
  const claims = new Set([...definitions.values()].filter(({ isClaim }) => isClaim).map(({ key }) => key))
  return withClaims(served.map(plain), claims).map((kind) => {
    const description = definitions.get(kindKey(kind))?.description
    return description !== undefined && isIntent(kind) ? { ...kind, description } : kind
  })
}

/** Without what discovery tells besides: it is sent to every tab. */
const plain = ({ group, version, kind, plural, namespaced, categories, shortNames, verbs }: KindInfo): KindInfo => ({
  group,
  version,
  kind,
  plural,
  namespaced,
  categories,
  shortNames,
  verbs,
})

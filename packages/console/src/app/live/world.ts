import type { KubeObject } from '@weft/api'
import { type KindInfo, kindKey } from '../../kinds/kind-info.ts'
import { type Collection, type CollectionState, EMPTY_WORLD, nameKey, type WorldSnapshot } from '../../world/world.ts'
import type { ReflectorSink } from './reflector-sink.ts'

export interface WorldOptions {
  /** Runs `flush` soon; changes that come until then are seen at once. */
  readonly schedule: (flush: () => void) => void
}

/**
 * Collects what reflectors learn and hands it on in steps, so that a hundred changes a second do not mean a hundred drawings.
 */
export interface World {
  snapshot(): WorldSnapshot
  subscribe(listener: () => void): () => void
  /** The sink of the reflector of this kind; what was known of it before stays until `replace`. */
  sink(kind: KindInfo, scope: string): ReflectorSink
  /** Forgets kinds that are not watched any more. */
  drop(kind: KindInfo): void
  /** The same for a single object. As long as its kind is watched as a whole, that counts, unless it was refused. */
  sinkOfOne(kind: KindInfo, namespace: string | undefined, name: string): ReflectorSink
  dropOne(kind: KindInfo, namespace: string | undefined, name: string): void
}

/** A single object that is watched: there, or null when it is not, or undefined while that is not known. */
interface One {
  readonly kind: KindInfo
  readonly object: KubeObject | null | undefined
  readonly state: CollectionState
}

export function createWorld({ schedule }: WorldOptions): World {
  const listeners = new Set<() => void>()
  const drafts = new Map<string, Collection & { objects: Map<string, KubeObject> }>()
  const ones = new Map<string, Map<string, One>>()
  const changed = new Set<string>()
  let current: WorldSnapshot = EMPTY_WORLD
  let scheduled = false

  const flush = (): void => {
    scheduled = false
    const collections = new Map(current.collections)
    for (const key of changed) {
      const draft = drafts.get(key)
      const partial = partOf(ones.get(key))
      // Who may not see all of a kind may see some by their names.
      if (draft?.state.phase === 'refused' && partial !== undefined) collections.set(key, { ...partial, state: draft.state })
      else if (draft !== undefined) collections.set(key, { ...draft, objects: new Map(draft.objects) })
      else if (partial !== undefined) collections.set(key, partial)
      else collections.delete(key)
    }
    changed.clear()
    current = { collections }
    for (const listener of listeners) listener()
  }

  const touch = (key: string): void => {
    changed.add(key)
    if (scheduled) return
    scheduled = true
    schedule(flush)
  }

  return {
    snapshot: () => current,
    subscribe: (listener) => (listeners.add(listener), () => void listeners.delete(listener)),
    sink: (kind, scope) => {
      const key = kindKey(kind)
      const update = (change: (draft: Collection & { objects: Map<string, KubeObject> }) => Partial<Collection>): void => {
        const draft = drafts.get(key) ?? { kind, scope, state: { phase: 'listing' }, loaded: false, objects: new Map<string, KubeObject>() }
        const next = { ...draft, kind, scope, ...change(draft) }
        drafts.set(key, { ...next, objects: next.objects as Map<string, KubeObject> })
        touch(key)
      }
      const keyOf = ({ metadata }: KubeObject): string => nameKey(metadata.namespace, metadata.name ?? '')
      return {
        replace: (objects) => update(() => ({ loaded: true, objects: new Map(objects.map((object) => [keyOf(object), object])) })),
        put: (object) => update((draft) => (draft.objects.set(keyOf(object), object), {})),
        remove: (object) => update((draft) => (draft.objects.delete(keyOf(object)), {})),
        become: (state) => update(() => ({ state, ...(state.phase === 'refused' && { objects: new Map() }) })),
      }
    },
    drop: (kind) => {
      drafts.delete(kindKey(kind))
      touch(kindKey(kind))
    },
    sinkOfOne: (kind, namespace, name) => {
      const of = ones.get(kindKey(kind)) ?? new Map<string, One>()
      ones.set(kindKey(kind), of)
      const key = nameKey(namespace, name)
      const update = (change: Partial<One>): void => {
        of.set(key, { object: undefined, state: { phase: 'listing' }, ...of.get(key), kind, ...change })
        touch(kindKey(kind))
      }
      return {
        replace: ([object]) => update({ object: object ?? null }),
        put: (object) => update({ object }),
        remove: () => update({ object: null }),
        become: (state) => update({ state, ...(state.phase === 'refused' && { object: undefined }) }),
      }
    },
    dropOne: (kind, namespace, name) => {
      ones.get(kindKey(kind))?.delete(nameKey(namespace, name))
      touch(kindKey(kind))
    },
  }
}

/** Some objects of a kind: nothing is said of the others. */
function partOf(ones: ReadonlyMap<string, One> | undefined): Collection | undefined {
  const [first] = ones?.values() ?? []
  if (ones === undefined || first === undefined) return undefined
  const objects = new Map<string, KubeObject>()
  const absent = new Set<string>()
  const unseen = new Set<string>()
  const states: CollectionState[] = []
  for (const [key, { object, state }] of ones) {
    if (object) objects.set(key, object)
    else if (object === null) absent.add(key)
    // What is known stays known while it is read again.
    if (object !== undefined) continue
    states.push(state)
    if (state.phase !== 'listing') unseen.add(key)
  }
  const byPhase = (phase: CollectionState['phase']): CollectionState | undefined => states.find((state) => state.phase === phase)
  const isRefused = states.length === ones.size && states.every(({ phase }) => phase === 'refused')
  const state = byPhase('listing') ?? byPhase('waiting') ?? (isRefused ? states[0] : undefined) ?? { phase: 'watching' }
  return { kind: first.kind, scope: '', state, loaded: false, objects, partial: { absent, unseen } }
}

const SHORTEST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 1000
/** How much longer than drawing the pause after it is: at least this share of the time belongs to the user. */
const PAUSE_FACTOR = 4

/** In a browser: at most ten times a second, and less often where drawing takes long. */
export function pacedSchedule(): (flush: () => void) => void {
  let pause = SHORTEST_PAUSE_MS
  return (flush) =>
    void setTimeout(() => {
      const begun = performance.now()
      flush()
      // React draws after this task and before the next.
      setTimeout(() => {
        pause = Math.max(SHORTEST_PAUSE_MS, Math.min(LONGEST_PAUSE_MS, (performance.now() - begun) * PAUSE_FACTOR))
      }, 0)
    }, pause)
}

import { type KubeObject, parseGroupVersion } from '@weft/api'
import { type KindInfo, kindKey } from '../../kinds/kind-info.ts'
import type { ReflectorSink, ReflectorState } from './reflector.ts'

/** All objects of one kind that the user may see. Immutable: a change makes a new one. */
export interface Collection {
  readonly kind: KindInfo
  /** The one namespace that is watched; empty: all of them. */
  readonly scope: string
  readonly state: ReflectorState
  /** Complete at least once; from then on shown, even while it is read again. */
  readonly loaded: boolean
  /** By `namespace/name`. */
  readonly objects: ReadonlyMap<string, KubeObject>
}

/** What the console knows at one moment. Collections that did not change are the same objects as before. */
export interface WorldSnapshot {
  readonly collections: ReadonlyMap<string, Collection>
}

export const EMPTY_WORLD: WorldSnapshot = { collections: new Map() }

interface ObjectName {
  readonly apiVersion: string
  readonly kind: string
  readonly namespace?: string | undefined
  readonly name: string
}

export const nameKey = (namespace: string | undefined, name: string): string => `${namespace ?? ''}/${name}`

/** The object; null when it does not exist for sure; undefined when that is not known (not loaded, not watched, not permitted). */
export function find(world: WorldSnapshot, { apiVersion, kind, namespace, name }: ObjectName): KubeObject | null | undefined {
  const collection = world.collections.get(kindKey({ group: parseGroupVersion(apiVersion).group, kind }))
  if (collection === undefined) return undefined
  if (collection.kind.namespaced && collection.scope !== '' && collection.scope !== namespace) return undefined
  const key = nameKey(collection.kind.namespaced ? namespace : undefined, name)
  return collection.objects.get(key) ?? (collection.loaded && collection.state.phase !== 'refused' ? null : undefined)
}

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
}

export function createWorld({ schedule }: WorldOptions): World {
  const listeners = new Set<() => void>()
  const drafts = new Map<string, Collection & { objects: Map<string, KubeObject> }>()
  const changed = new Set<string>()
  let current: WorldSnapshot = EMPTY_WORLD
  let scheduled = false

  const flush = (): void => {
    scheduled = false
    const collections = new Map(current.collections)
    for (const key of changed) {
      const draft = drafts.get(key)
      if (draft === undefined) collections.delete(key)
      else collections.set(key, { ...draft, objects: new Map(draft.objects) })
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
  }
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

import { apiVersionOf, type KindInfo, kindKey, listPath, objectPath } from '../../kinds/kind-info.ts'
import { hasSchemas } from '../../kinds/without-schemas.ts'
import { type CollectionState, nameKey } from '../../world/world.ts'
import type { Api } from '../api/api.ts'
import { type Looked, lookInTurn } from './look-in-turn.ts'
import { reflect, withQuery } from './reflector.ts'
import type { ReflectorSink } from './reflector-sink.ts'
import type { World } from './world.ts'
import { browserTiming, type Timing, type WatchStream } from './watch-stream.ts'

export interface WatchWish {
  /** All objects of these, namespaced ones in the namespace that is looked at. */
  readonly kinds: readonly KindInfo[]
  /** Single ones: of other kinds, and of those for when the user turns out not to be allowed to see all of their kind. */
  readonly objects: readonly { readonly kind: KindInfo; readonly namespace: string | undefined; readonly name: string }[]
}

/** Keeps a reflector running for each kind and each object that is wanted, whatever the wishes are at the moment. */
export interface KindWatches {
  /** Watches exactly this; `namespace` is empty to look everywhere. */
  want(wish: WatchWish, namespace: string): void
  stop(): void
}

interface Wanted {
  readonly path: string
  /** Of the object, where it is one alone. */
  readonly object?: string
  readonly kind: KindInfo
  readonly sink: () => ReflectorSink
  readonly drop: () => void
}

export interface WatchKindsOptions {
  readonly api: Api
  readonly stream: WatchStream
  readonly world: World
  readonly timing?: Timing
}

export function watchKinds({ api, stream, world, timing = browserTiming }: WatchKindsOptions): KindWatches {
  const running = new Map<string, Wanted & { readonly stop: AbortController }>()
  /** Paths of the kinds of which the user may not see all. */
  const refused = new Set<string>()
  const end = (key: string): void => {
    const watch = running.get(key)
    if (watch === undefined) return
    running.delete(key)
    refused.delete(watch.path)
    watch.stop.abort()
    watch.drop()
  }
  const follow = ({ path, object, kind, sink }: Wanted, signal: AbortSignal, onRefused: () => void): void => {
    const told = sink()
    const become = (state: CollectionState): void => {
      told.become(state)
      if (state.phase === 'refused' && object === undefined) onRefused()
    }
    void reflect(
      { ...told, become },
      {
        api,
        stream,
        timing,
        path,
        ...(object !== undefined && { object }),
        apiVersion: apiVersionOf(kind),
        kind: kind.kind,
        signal,
        background: true,
      },
    )
  }
  const want = (wish: WatchWish, namespace: string): void => {
    const wanted = wantedBy(wish, namespace, world)
    /** Of each kind that is watched as a whole, its path. */
    const whole = new Map([...wanted.values()].flatMap(({ kind, path, object }) => (object === undefined ? [[kindKey(kind), path]] : [])))
    const isLookedAt = ({ kind }: Wanted): boolean => refused.has(whole.get(kindKey(kind)) ?? '')
    for (const [key, each] of wanted)
      if (each.object !== undefined && whole.has(kindKey(each.kind)) && !isLookedAt(each)) wanted.delete(key)
    for (const [key, { path }] of [...running]) if (wanted.get(key)?.path !== path) end(key)
    const looked: Looked[] = []
    for (const [key, each] of wanted) {
      if (running.has(key)) continue
      const stop = new AbortController()
      running.set(key, { ...each, stop })
      if (each.object !== undefined && isLookedAt(each)) looked.push({ path: each.object, sink: each.sink(), signal: stop.signal })
      else
        follow(each, stop.signal, () => {
          refused.add(each.path)
          latest()
        })
    }
    for (const { sink } of looked) sink.become({ phase: 'listing' })
    if (looked.length > 0) void lookInTurn(looked, { api, timing })
  }
  let latest = (): void => undefined
  return {
    want: (wish, namespace) => {
      latest = () => want(wish, namespace)
      latest()
    },
    stop: () => {
      latest = () => undefined
      for (const key of [...running.keys()]) end(key)
    },
  }
}

function wantedBy({ kinds, objects }: WatchWish, namespace: string, world: World): Map<string, Wanted> {
  const wanted = new Map<string, Wanted>()
  for (const kind of kinds)
    wanted.set(kindKey(kind), {
      path: withoutSchemas(kind, listPath(kind, namespace)),
      kind,
      sink: () => world.sink(kind, namespace),
      drop: () => world.drop(kind),
    })
  for (const { kind, namespace: where, name } of objects) {
    const inNamespace = kind.namespaced ? where : undefined
    wanted.set(`${kindKey(kind)} ${nameKey(inNamespace, name)}`, {
      path: withQuery(listPath(kind, inNamespace), { fieldSelector: `metadata.name=${name}` }),
      object: objectPath(kind, inNamespace, name),
      kind,
      sink: () => world.sinkOfOne(kind, inNamespace, name),
      drop: () => world.dropOne(kind, inNamespace, name),
    })
  }
  return wanted
}

const withoutSchemas = (kind: KindInfo, path: string): string => (hasSchemas(kind) ? withQuery(path, { omit: 'schemas' }) : path)

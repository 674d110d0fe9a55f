import { apiVersionOf, type KindInfo, kindKey, listPath, objectPath } from '../../kinds/kind-info.ts'
import { hasSchemas } from '../../kinds/without-schemas.ts'
import { nameKey } from '../../world/world.ts'
import type { Api } from '../api/api.ts'
import { reflect, type ReflectorSink, withQuery } from './reflector.ts'
import type { World } from './world.ts'
import { browserTiming, type WatchStream } from './watch-stream.ts'

export interface WatchWish {
  /** All objects of these, namespaced ones in the namespace that is looked at. */
  readonly kinds: readonly KindInfo[]
  /** Of other kinds. */
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

export function watchKinds(api: Api, stream: WatchStream, world: World): KindWatches {
  const running = new Map<string, Wanted & { readonly stop: AbortController }>()
  const end = (key: string): void => {
    const watch = running.get(key)
    if (watch === undefined) return
    running.delete(key)
    watch.stop.abort()
    watch.drop()
  }
  return {
    want: ({ kinds, objects }, namespace) => {
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
      for (const [key, { path }] of [...running]) if (wanted.get(key)?.path !== path) end(key)
      for (const [key, watch] of wanted) {
        if (running.has(key)) continue
        const { kind, path, object } = watch
        const stop = new AbortController()
        running.set(key, { ...watch, stop })
        void reflect(watch.sink(), {
          api,
          stream,
          timing: browserTiming,
          path,
          ...(object !== undefined && { object }),
          apiVersion: apiVersionOf(kind),
          kind: kind.kind,
          signal: stop.signal,
          background: true,
        })
      }
    },
    stop: () => {
      for (const key of [...running.keys()]) end(key)
    },
  }
}

const withoutSchemas = (kind: KindInfo, path: string): string => (hasSchemas(kind) ? withQuery(path, { omit: 'schemas' }) : path)

import { apiVersionOf, type KindInfo, kindKey, listPath } from '../../kinds/kind-info.ts'
import type { Api } from '../api/api.ts'
import { reflect } from './reflector.ts'
import type { World } from './world.ts'
import { browserTiming, type WatchStream } from './watch-stream.ts'

/** Keeps one reflector per kind running, whatever the wishes are at the moment. */
export interface KindWatches {
  /** Watches exactly these kinds; namespaced ones in `namespace`, or everywhere when that is empty. */
  want(kinds: readonly KindInfo[], namespace: string): void
  stop(): void
}

export function watchKinds(api: Api, stream: WatchStream, world: World): KindWatches {
  const running = new Map<string, { readonly kind: KindInfo; readonly path: string; readonly stop: AbortController }>()
  const end = (key: string): void => {
    const watch = running.get(key)
    if (watch === undefined) return
    running.delete(key)
    watch.stop.abort()
    world.drop(watch.kind)
  }
  return {
    want: (kinds, namespace) => {
      const wanted = new Map(kinds.map((kind) => [kindKey(kind), { kind, path: listPath(kind, namespace) }]))
      for (const [key, { path }] of [...running]) if (wanted.get(key)?.path !== path) end(key)
      for (const [key, { kind, path }] of wanted) {
        if (running.has(key)) continue
        const stop = new AbortController()
        running.set(key, { kind, path, stop })
        const apiVersion = apiVersionOf(kind)
        void reflect(world.sink(kind, namespace), {
          api,
          stream,
          timing: browserTiming,
          path,
          apiVersion,
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

import { formatGroupKind, type GroupKind } from '@weft/api'
import { cacheKey } from '@weft/client'
import type { Request } from '@weft/runtime'

/** Composites that wait for a kind to be served. When it is, they are called at once: nobody has to touch them (cross-seed case 1). */
export class AwaitedKinds {
  readonly #byKind = new Map<string, Map<string, Request>>()
  readonly #byRequest = new Map<string, readonly string[]>()

  /** The composite waits for exactly these. */
  set(request: Request, kinds: readonly GroupKind[]): void {
    const user = cacheKey(request.namespace, request.name)
    for (const key of this.#byRequest.get(user) ?? []) {
      const waiting = this.#byKind.get(key)
      waiting?.delete(user)
      if (waiting?.size === 0) this.#byKind.delete(key)
    }
    const keys = kinds.map(formatGroupKind)
    if (keys.length === 0) this.#byRequest.delete(user)
    else this.#byRequest.set(user, keys)
    for (const key of keys) {
      const waiting = this.#byKind.get(key) ?? new Map<string, Request>()
      this.#byKind.set(key, waiting.set(user, request))
    }
  }

  waitingFor(kind: GroupKind): readonly Request[] {
    return [...(this.#byKind.get(formatGroupKind(kind))?.values() ?? [])]
  }
}

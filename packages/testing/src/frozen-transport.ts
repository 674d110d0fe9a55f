import type { Transport } from '@weft/client'

/**
 * A Transport whose answers cannot be written to. Objects are shared with the server and its caches; code that changes
 * one breaks others at a distance. Here it throws on the spot.
 */
export function frozenTransport(inner: Transport): Transport {
  return {
    local: inner.local,
    async request(request) {
      const answer = await inner.request(request)
      return { ...answer, body: deepFreeze(answer.body) }
    },
    async *watch(request) {
      for await (const batch of inner.watch(request)) yield deepFreeze(batch)
    },
    close: () => inner.close(),
  }
}

export function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  Object.freeze(value)
  for (const member of Object.values(value)) deepFreeze(member)
  return value
}

import { hasReason } from '@weft/api'
import { NoMatchError } from '@weft/client'
import type { KindCatalog } from './kind-catalog.ts'

/** What was found, and whether something that was named was not. */
export interface Look<T> {
  readonly found: T
  readonly missing: boolean
}

/**
 * For commands that only read: looks by the kinds that words meant a while ago, as kubectl does, which spares two requests and a connection. When that finds
 * nothing, because a kind is gone or has another version now, looks once more by what the server says. What changes objects always asks.
 */
export async function lookBeforeAsking<T>(kinds: KindCatalog, look: (kinds: KindCatalog) => Promise<Look<T>>): Promise<T> {
  let recalled = false
  const hasty: KindCatalog = {
    ...kinds,
    resolve(word) {
      const kind = kinds.recall(word)
      if (kind === undefined) return kinds.resolve(word)
      recalled = true
      return Promise.resolve([kind])
    },
  }
  try {
    const { found, missing } = await look(hasty)
    if (!missing || !recalled) return found
  } catch (error) {
    if (!recalled || !(hasReason(error, 'NotFound') || error instanceof NoMatchError)) throw error
  }
  return (await look(kinds)).found
}

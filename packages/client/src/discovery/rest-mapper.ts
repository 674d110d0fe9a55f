import { formatGroupKind } from '@weft/api'
import { abortable } from '../abortable.ts'
import { type Clock, systemClock } from '../clock.ts'
import type { Kind } from '../kind.ts'
import { NoMatchError } from '../transport/errors.ts'
import * as builtIn from '../well-known-kinds.ts'
import type { Transport } from '../transport/transport.ts'
import { discover, type ServedKind } from './discovery.ts'

/** Where the objects of a kind are: what a URL needs. */
export interface Mapping {
  readonly group: string
  readonly version: string
  readonly kind: string
  readonly plural: string
  readonly namespaced: boolean
}

/**
 * Kind → resource, from discovery. A kind that is not known is asked for anew, because a CRD may have come; a bucket of
 * tokens keeps kinds that do not exist from turning every reconcile into discovery. Concurrent questions share one
 * answer.
 */
export interface RestMapper {
  /** Rejects with NoMatchError when the server does not serve the kind. */
  mapping(kind: Kind, signal?: AbortSignal): Promise<Mapping>
  /** Every version that is served of a kind, preferred first. */
  versions(group: string, kind: string, signal?: AbortSignal): Promise<readonly ServedKind[]>
  /** Something changed (a CRD came or went): the next question discovers anew. */
  invalidate(): void
}

export interface RestMapperOptions {
  readonly transport: Transport
  readonly clock?: Clock | undefined
  /** Discoveries for unknown kinds that may happen at once, and how fast the right to one comes back. */
  readonly burst?: number
  readonly refillMs?: number
}

export function createRestMapper({ transport, clock = systemClock, burst = 10, refillMs = 1000 }: RestMapperOptions): RestMapper {
  let known: Promise<ReadonlyMap<string, readonly ServedKind[]>> | undefined
  let tokens = burst
  let refilledAt = clock.now()
  let generation = 0

  /** The discovery is shared by whoever asks meanwhile, so no single caller's signal may end it. */
  const load = (): Promise<ReadonlyMap<string, readonly ServedKind[]>> => {
    if (known !== undefined) return known
    const started = ++generation
    const loading = discover(transport).then(byGroupKind)
    known = loading
    loading.catch(() => {
      if (generation === started) known = undefined
    })
    return loading
  }
  const mayDiscover = (): boolean => {
    const now = clock.now()
    const earned = Math.floor((now - refilledAt) / refillMs)
    if (earned > 0) {
      tokens = Math.min(burst, tokens + earned)
      refilledAt += earned * refillMs
    }
    if (tokens === 0) return false
    tokens--
    return true
  }
  /**
   * What callers know from a definition, by kind and version: objects of a kind that has just come are written without a discovery. Kept when
   * the rest is out of date: while kinds come by the thousand, nothing else would ever be known.
   */
  const told = new Map<string, Mapping>(
    // Kinds that every server has: an event about a new kind must not cost a discovery of all of them.
    Object.values(builtIn).map((kind) => [`${formatGroupKind(kind)}/${kind.version}`, kind]),
  )
  const invalidate = (): void => {
    generation++
    known = undefined
  }
  const lookUp = async (group: string, kind: string, accepts: (served: ServedKind) => boolean): Promise<readonly ServedKind[]> => {
    const key = formatGroupKind({ group, kind })
    const asked = known
    const find = async (): Promise<readonly ServedKind[]> => ((await load()).get(key) ?? []).filter(accepts)
    const found = await find()
    if (found.length > 0) return found
    // What was discovered while this very question waited is fresh.
    if (asked === undefined) return []
    // Only the first of many who miss something discovers; the others share its answer.
    if (known === asked) {
      if (!mayDiscover()) return []
      invalidate()
    }
    return find()
  }
  return {
    async mapping({ group, kind, version, plural, namespaced }, signal) {
      const key = `${formatGroupKind({ group, kind })}/${version ?? ''}`
      if (version !== undefined && plural !== undefined && namespaced !== undefined) {
        const mapping = { group, version, kind, plural, namespaced }
        if (!told.has(key)) told.set(key, mapping)
        return mapping
      }
      const given = told.get(key)
      if (given !== undefined) return given
      const [served] = await abortable(
        lookUp(group, kind, (each) => version === undefined || version === '' || each.version === version),
        signal,
      )
      if (served === undefined) throw new NoMatchError({ group, version, kind })
      return served
    },
    versions: (group, kind, signal) =>
      abortable(
        lookUp(group, kind, () => true),
        signal,
      ),
    invalidate,
  }
}

function byGroupKind(all: readonly ServedKind[]): ReadonlyMap<string, readonly ServedKind[]> {
  const map = new Map<string, ServedKind[]>()
  for (const served of all) {
    const key = formatGroupKind(served)
    const list = map.get(key)
    if (list === undefined) map.set(key, [served])
    else list.push(served)
  }
  return map
}

import { generateName, type KubeObject } from '@weft/api'
import type { Random } from '@weft/client'
import type { EventDetails } from './event-recorder.ts'

/** One Event: what it says, how often it happened, and how much of that the server knows. */
export interface EventEntry {
  readonly key: string
  readonly object: KubeObject
  readonly details: EventDetails
  readonly name: string
  readonly namespace: string
  readonly firstAt: number
  lastAt: number
  count: number
  /** The count that the server has; 0 = it has no such Event yet. */
  written: number
}

export interface LedgerOptions {
  readonly windowMs: number
  readonly burst: number
  readonly earnMs: number
  readonly random: Random
}

const MAX_ENTRIES = 4_096
const MAX_OBJECTS = 4_096
const MAX_MESSAGE_BYTES = 1_024

/** Aggregates events and decides which may be told. Bounded; no clock, no I/O. */
export class EventLedger {
  readonly #options: LedgerOptions
  /** Least recently used first. */
  readonly #entries = new Map<string, EventEntry>()
  readonly #budgets = new Map<string, { tokens: number; at: number }>()
  dropped = 0

  constructor(options: LedgerOptions) {
    this.#options = options
  }

  get size(): number {
    return this.#entries.size
  }

  /** The Event that this counts towards; undefined when the object has told too much. */
  note(object: KubeObject, details: EventDetails, now: number): EventEntry | undefined {
    const { uid = '', namespace = '', name = '' } = object.metadata
    const who = `${object.kind}/${namespace}/${name}/${uid}`
    const message = cut(details.message)
    const key = JSON.stringify([who, details.type, details.reason, message])
    const known = this.#entries.get(key)
    if (known !== undefined && now - known.lastAt < this.#options.windowMs) {
      known.count++
      known.lastAt = now
      touch(this.#entries, key, known)
      return known
    }
    if (!this.#spend(who, now)) {
      this.dropped++
      return undefined
    }
    const entry: EventEntry = {
      key,
      object,
      details: { ...details, message },
      name: generateName(`${nameBase(name)}.`, this.#options.random),
      // Events about cluster-scoped objects have to be somewhere.
      namespace: namespace === '' ? 'default' : namespace,
      firstAt: now,
      lastAt: now,
      count: 1,
      written: 0,
    }
    touch(this.#entries, key, entry)
    bound(this.#entries, MAX_ENTRIES)
    return entry
  }

  forget(entry: EventEntry): void {
    if (this.#entries.get(entry.key) === entry) this.#entries.delete(entry.key)
  }

  #spend(who: string, now: number): boolean {
    const { burst, earnMs } = this.#options
    const budget = this.#budgets.get(who) ?? { tokens: burst, at: now }
    const earned = Math.floor((now - budget.at) / earnMs)
    if (earned > 0) {
      budget.tokens = Math.min(burst, budget.tokens + earned)
      budget.at += earned * earnMs
    }
    touch(this.#budgets, who, budget)
    bound(this.#budgets, MAX_OBJECTS)
    if (budget.tokens === 0) return false
    budget.tokens--
    return true
  }
}

function touch<V>(map: Map<string, V>, key: string, value: V): void {
  map.delete(key)
  map.set(key, value)
}

function bound<V>(map: Map<string, V>, max: number): void {
  for (const key of map.keys()) {
    if (map.size <= max) return
    map.delete(key)
  }
}

function cut(message: string): string {
  if (Buffer.byteLength(message) <= MAX_MESSAGE_BYTES) return message
  // The ellipsis takes three bytes; a character that is cut in half is dropped.
  return `${Buffer.from(message)
    .subarray(0, MAX_MESSAGE_BYTES - 3)
    .toString()
    .replace(/\uFFFD+$/, '')}…`
}

/** Names of some kinds (`system:admin`) are no names for an Event. */
const nameBase = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9.-]/g, '-')
    .slice(0, 50)
    .replace(/^[.-]+|[.-]+$/g, '') || 'event'

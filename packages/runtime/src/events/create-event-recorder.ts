import { formatTime, hasReason, type KubeObject, StatusError } from '@weft/api'
import { type Client, type Clock, type CoreEvent, eventKind, type Random, sleep } from '@weft/client'
import type { Log } from '../log/log.ts'
import { type EventEntry, EventLedger } from './event-ledger.ts'
import type { EventDetails, EventRecorder, EventRecorderOptions } from './event-recorder.ts'

export interface RecorderServices {
  readonly client: Client
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
}

/** Events that wait to be written; what comes on top is dropped. They are for people, not a log. */
const MAX_WAITING = 1_000
const MAX_TRIES = 4
const RETRY_MS = 1_000

export function createEventRecorder(options: EventRecorderOptions, services: RecorderServices): EventRecorder {
  return new LedgerRecorder(options, services)
}

class LedgerRecorder implements EventRecorder {
  readonly #options: EventRecorderOptions
  readonly #services: RecorderServices
  readonly #ledger: EventLedger
  readonly #gatherMs: number
  /** To be written next, in order. */
  readonly #waiting = new Set<EventEntry>()
  /** Repetitions, gathered until the timer. */
  readonly #gathered = new Set<EventEntry>()
  readonly #abort = new AbortController()
  #timer: unknown
  #writer: Promise<void> | undefined
  #stopped = false

  constructor(options: EventRecorderOptions, services: RecorderServices) {
    const { windowMs = 10 * 60_000, gatherMs = 5_000, burst = 25, earnMs = 60_000 } = options
    this.#options = options
    this.#services = services
    this.#gatherMs = gatherMs
    this.#ledger = new EventLedger({ windowMs, burst, earnMs, random: services.random })
  }

  get stats(): { readonly remembered: number; readonly dropped: number } {
    return { remembered: this.#ledger.size, dropped: this.#ledger.dropped }
  }

  normal(object: KubeObject, reason: string, message: string): void {
    this.record(object, { type: 'Normal', reason, message })
  }

  warning(object: KubeObject, reason: string, message: string): void {
    this.record(object, { type: 'Warning', reason, message })
  }

  record(object: KubeObject, details: EventDetails): void {
    if (this.#stopped) return
    const entry = this.#ledger.note(object, details, this.#services.clock.now())
    if (entry === undefined || this.#waiting.has(entry)) return
    if (entry.count > 1) this.#gather(entry)
    else if (this.#waiting.size < MAX_WAITING) this.#write(entry)
    else {
      this.#ledger.dropped++
      this.#ledger.forget(entry)
    }
  }

  async flush(): Promise<void> {
    do {
      this.#ripen()
      await this.#writer
    } while (this.#gathered.size > 0)
  }

  async stop(): Promise<void> {
    if (this.#stopped) return
    this.#stopped = true
    // Nothing is waited for that does not succeed at once: the process is about to end.
    this.#abort.abort(new Error('the recorder was stopped'))
    await this.flush()
  }

  #gather(entry: EventEntry): void {
    this.#gathered.add(entry)
    this.#timer ??= this.#services.clock.setTimeout(() => this.#ripen(), this.#gatherMs)
  }

  #ripen(): void {
    this.#services.clock.clearTimeout(this.#timer)
    this.#timer = undefined
    for (const entry of this.#gathered) this.#write(entry)
    this.#gathered.clear()
  }

  #write(entry: EventEntry): void {
    this.#waiting.add(entry)
    this.#startWriting()
  }

  #startWriting(): void {
    this.#writer ??= this.#drain().finally(() => {
      this.#writer = undefined
      // What came between the last look and now would otherwise wait for the next event.
      if (this.#waiting.size > 0) this.#startWriting()
    })
  }

  /** One at a time: events must never crowd out the work they are about. */
  async #drain(): Promise<void> {
    for (;;) {
      // Entries join while one is being written; a Set goes on with them.
      const [entry] = this.#waiting
      if (entry === undefined) return
      await this.#persist(entry)
      this.#waiting.delete(entry)
      // It happened again while it was being written.
      if (entry.written > 0 && entry.count > entry.written) this.#gather(entry)
    }
  }

  async #persist(entry: EventEntry): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        const { count } = entry
        if (count === entry.written) return
        await this.#send(entry)
        entry.written = count
        return
      } catch (error) {
        if (!isWorthRetrying(error) || attempt >= MAX_TRIES || this.#abort.signal.aborted) {
          this.#ledger.forget(entry)
          entry.written = entry.count
          this.#services.log.debug('an event was given up', { error, reason: entry.details.reason, about: entry.object })
          return
        }
        await sleep(this.#services.clock, RETRY_MS * attempt, this.#abort.signal).catch(() => undefined)
      }
    }
  }

  async #send(entry: EventEntry): Promise<void> {
    const { client } = this.#services
    if (entry.written > 0) {
      const body = { count: entry.count, lastTimestamp: formatTime(entry.lastAt) }
      try {
        await client.patch(eventKind, { namespace: entry.namespace, name: entry.name }, { type: 'merge', body })
        return
      } catch (error) {
        // Events are removed after a while; then it is told anew.
        if (!hasReason(error, 'NotFound')) throw error
      }
    }
    await client.create(this.#toEvent(entry)).catch((error: unknown) => {
      // The answer to an earlier attempt was lost.
      if (!hasReason(error, 'AlreadyExists')) throw error
    })
  }

  #toEvent({ object, details, name, namespace, count, firstAt, lastAt }: EventEntry): CoreEvent {
    const { component, instance = component } = this.#options
    const { metadata } = object
    return {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name, namespace },
      involvedObject: {
        apiVersion: object.apiVersion,
        kind: object.kind,
        name: metadata.name ?? '',
        ...(metadata.namespace !== undefined && { namespace: metadata.namespace }),
        ...(metadata.uid !== undefined && { uid: metadata.uid }),
        ...(metadata.resourceVersion !== undefined && { resourceVersion: metadata.resourceVersion }),
      },
      ...details,
      count,
      firstTimestamp: formatTime(firstAt),
      lastTimestamp: formatTime(lastAt),
      source: { component },
      reportingComponent: component,
      reportingInstance: instance,
    }
  }
}

/** The server is busy or away. What it refuses, it will refuse again. */
const isWorthRetrying = (error: unknown): boolean =>
  error instanceof StatusError && (error.code >= 500 || error.code === 429 || error.code === 409)

import { type KubeObject, type LabelSelector, matchesLabels, parseLabelSelector, requirementsOf } from '@weft/api'
import { backoffDelay, type BackoffOptions, type Clock, type Random, sleep, systemClock } from '../clock.ts'
import type { ObjectRef } from '../kind.ts'
import { cacheKey, type Change, type IndexFunction, ObjectCache } from './cache.ts'
import type { Informer, InformerReport, InformerSource } from './informer.ts'
import { type Follower, followChanges, listState, type OpenWatch, streamState } from './steps.ts'
import { type InformerProblem, type InformerState, initialState, nextState, type StepOutcome } from './states.ts'

export interface InformerOptions {
  readonly clock?: Clock | undefined
  readonly random?: Random | undefined
  /** Watch-list (one request) rather than list and watch; falls back by itself where the server does not know it. */
  readonly streaming?: boolean | undefined
  /** Told once per failed attempt. */
  readonly onProblem?: ((report: InformerReport) => void) | undefined
}

const BACKOFF: Record<InformerProblem, BackoffOptions> = {
  unavailable: { baseMs: 200, maxMs: 30_000 },
  denied: { baseMs: 15_000, maxMs: 60_000 },
  absent: { baseMs: 1_000, maxMs: 30_000 },
  stale: { baseMs: 500, maxMs: 10_000 },
}

/** Consistent reads cannot go back in one history: after this many lists from the past, it is another history. */
const STALE_LISTS_BEFORE_RESET = 3

const NAMESPACE_INDEX = 'weft:namespace'

export function createInformer<T extends KubeObject>(source: InformerSource<T>, options: InformerOptions = {}): Informer<T> {
  return new SourceInformer(source, options)
}

class SourceInformer<T extends KubeObject> implements Informer<T>, Follower<T> {
  readonly synced: Promise<void>
  readonly source: InformerSource<T>
  readonly clock: Clock
  readonly #random: Random
  readonly #onProblem: (report: InformerReport) => void
  readonly #cache = new ObjectCache<T>()
  readonly #handlers = new Set<(change: Change<T>) => void>()
  readonly #abort = new AbortController()
  #settleSynced!: { resolve: () => void; reject: (error: Error) => void }
  #streaming: boolean
  #state: InformerState = { phase: 'idle' }
  #running: Promise<void> | undefined
  #open: OpenWatch<T> | undefined
  #synced = false
  #highest: string | undefined
  #staleLists = 0
  #nudge: AbortController | undefined

  constructor(source: InformerSource<T>, { clock = systemClock, random = Math.random, streaming = true, onProblem }: InformerOptions) {
    this.source = source
    this.clock = clock
    this.#random = random
    this.#streaming = streaming
    this.#onProblem = onProblem ?? (() => undefined)
    this.synced = new Promise((resolve, reject) => (this.#settleSynced = { resolve, reject }))
    // Whoever waits for it gets the rejection; when nobody does, it is no error.
    this.synced.catch(() => undefined)
  }

  get state(): InformerState {
    return this.#state
  }

  get isSynced(): boolean {
    return this.#synced
  }

  get signal(): AbortSignal {
    return this.#abort.signal
  }

  get size(): number {
    return this.#cache.size
  }

  keys(): IterableIterator<string> {
    return this.#cache.keys()
  }

  get({ name, namespace }: ObjectRef): T | undefined {
    return this.#cache.get(cacheKey(namespace, name))
  }

  list({
    namespace,
    labels,
  }: { readonly namespace?: string | undefined; readonly labels?: LabelSelector | string | undefined } = {}): readonly T[] {
    if (namespace !== undefined && namespace !== '' && !this.#cache.hasIndex(NAMESPACE_INDEX))
      this.#cache.addIndex(NAMESPACE_INDEX, ({ metadata }) => [metadata.namespace ?? ''])
    const objects =
      namespace === undefined || namespace === '' ? [...this.#cache.values()] : this.#cache.byIndex(NAMESPACE_INDEX, namespace)
    if (labels === undefined) return objects
    const requirements = typeof labels === 'string' ? parseLabelSelector(labels) : requirementsOf(labels)
    return objects.filter(({ metadata }) => matchesLabels(requirements, metadata.labels))
  }

  byIndex(index: string, value: string): readonly T[] {
    return this.#cache.byIndex(index, value)
  }

  addIndex(name: string, keysOf: IndexFunction<T>): void {
    this.#cache.addIndex(name, keysOf)
  }

  hasIndex(name: string): boolean {
    return this.#cache.hasIndex(name)
  }

  subscribe(handler: (change: Change<T>) => void): () => void {
    // A wrapper of its own, so that subscribing the same function twice is two subscriptions.
    const own = (change: Change<T>): void => handler(change)
    this.#handlers.add(own)
    for (const object of this.#cache.values()) this.#tell(own, { type: 'added', object })
    return () => this.#handlers.delete(own)
  }

  retryNow(): void {
    this.#nudge?.abort()
  }

  start(): void {
    if (this.#running !== undefined || this.#state.phase === 'stopped') return
    this.#state = initialState({ streaming: this.#streaming })
    this.#running = this.#run()
  }

  async stop(): Promise<void> {
    this.#state = { phase: 'stopped' }
    this.#abort.abort(new Error('the informer was stopped'))
    this.#settleSynced.reject(new Error('the informer was stopped before it had synced'))
    this.#handlers.clear()
    await this.#running
  }

  async #run(): Promise<void> {
    while (this.#state.phase !== 'stopped') {
      const state = this.#state
      switch (state.phase) {
        case 'idle':
          return
        case 'waiting': {
          await this.#wait(state)
          this.#move(
            state,
            state.next.phase === 'watching' ? { ...state.next, attempt: state.attempt } : { ...state.next, attempt: state.attempt },
          )
          break
        }
        case 'streaming':
        case 'listing':
        case 'watching': {
          const outcome = await this.#step(state)
          const next = nextState(state, outcome, { streaming: this.#streaming })
          // Learnt once per informer: a server does not change its mind while it is connected.
          if (state.phase === 'streaming' && next.phase === 'listing') this.#streaming = false
          this.#move(state, next)
          break
        }
      }
    }
    await this.#open?.close()
  }

  /** Unless it was stopped meanwhile. */
  #move(from: InformerState, to: InformerState): void {
    if (this.#state === from) this.#state = to
  }

  async #step(state: Extract<InformerState, { phase: 'streaming' | 'listing' | 'watching' }>): Promise<StepOutcome> {
    switch (state.phase) {
      case 'streaming': {
        const { outcome, open } = await streamState(this)
        this.#open = open
        return outcome
      }
      case 'listing':
        return listState(this)
      case 'watching': {
        const open = this.#open
        this.#open = undefined
        return followChanges(this, state.from, open)
      }
    }
  }

  async #wait({ problem, error, attempt }: Extract<InformerState, { phase: 'waiting' }>): Promise<void> {
    const retryInMs = backoffDelay(BACKOFF[problem], attempt, this.#random)
    if (error !== undefined) this.#onProblem({ problem, error, attempt, retryInMs })
    const nudge = new AbortController()
    this.#nudge = nudge
    const onStop = (): void => nudge.abort()
    this.signal.addEventListener('abort', onStop, { once: true })
    await sleep(this.clock, retryInMs, nudge.signal).catch(() => undefined)
    this.signal.removeEventListener('abort', onStop)
    this.#nudge = undefined
  }

  /** Follower: a whole state was read. False when it is older than what is known. */
  replace(objects: readonly T[], revision: string, isOlder: (revision: string, than: string | undefined) => boolean): boolean {
    if (isOlder(revision, this.#highest) && ++this.#staleLists < STALE_LISTS_BEFORE_RESET) return false
    const isReset = isOlder(revision, this.#highest)
    this.#staleLists = 0
    this.#highest = revision
    if (isReset)
      this.#onProblem({
        problem: 'history-reset',
        error: new Error(`the server's history starts over at revision ${revision}`),
        attempt: 0,
        retryInMs: 0,
      })
    this.#publish(isReset ? this.#cache.reset(objects) : this.#cache.replace(objects, revision))
    if (!this.#synced) {
      this.#synced = true
      this.#settleSynced.resolve()
    }
    return true
  }

  /** Follower: one change was read. */
  apply(type: 'ADDED' | 'MODIFIED' | 'DELETED', object: T): void {
    const change = type === 'DELETED' ? this.#cache.delete(object) : this.#cache.set(object)
    if (change !== undefined) this.#publish([change])
  }

  reached(revision: string): void {
    this.#highest = revision
  }

  #publish(changes: readonly Change<T>[]): void {
    for (const change of changes) for (const handler of this.#handlers) this.#tell(handler, change)
  }

  #tell(handler: (change: Change<T>) => void, change: Change<T>): void {
    try {
      handler(change)
    } catch (error) {
      this.#onProblem({ problem: 'handler', error, attempt: 0, retryInMs: 0 })
    }
  }
}

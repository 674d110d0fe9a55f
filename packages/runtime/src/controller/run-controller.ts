import type { KubeObject, Metrics } from '@weft/api'
import {
  cacheKey,
  type Change,
  type Client,
  type Clock,
  type InformerLease,
  type InformerReader,
  type Kind,
  type Random,
  type SharedInformers,
  sleep,
} from '@weft/client'
import type { Log } from '../log/log.ts'
import { createWorkQueue } from '../queue/create-work-queue.ts'
import type { PoolMember, WorkerPool, WorkSource } from '../queue/worker-pool.ts'
import type { QueueStats, TakenKey, WorkQueue } from '../queue/work-queue.ts'
import {
  type ControllerSpec,
  type Known,
  type Mapper,
  type Patience,
  type ReconcileContext,
  type Request,
  type Result,
  TerminalError,
} from './controller.ts'
import { type ControllerMetrics, controllerMetrics, type ReconcileOutcome } from './controller-metrics.ts'
import { FailureLog } from './failure-log.ts'
import { Needs } from './needs.ts'
import { Refill } from './refill.ts'

/** What controllers share. */
export interface ControllerServices {
  readonly client: Client
  readonly informers: SharedInformers
  readonly pool: WorkerPool
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  readonly metrics: Metrics
}

/** A controller at work. */
export interface RunningController {
  readonly name: string
  /** Resolves when all it watches is in memory and reconciles begin; also when it is stopped before. */
  readonly ready: Promise<void>
  readonly isReady: boolean
  enqueue(request: Request): void
  /** Every object is looked at again: something that concerns them all has changed. */
  enqueueAll(): void
  readonly stats: QueueStats
  /**
   * Begins nothing new, lets what runs finish for `drainMs`, then aborts it. Resolves when everything it held (watches,
   * timers, series) is given back. Idempotent.
   */
  stop(options?: { readonly drainMs?: number }): Promise<void>
}

const DEFAULT_TIMEOUT_MS = 60_000
const DEFAULT_CONCURRENCY = 4
/** How long a reconcile keeps its worker to itself. What takes longer is waiting for somebody. */
const SLOW_MS = 2_000
/** How long a reconcile may take to notice that it was aborted before that is told. */
const ABORT_GRACE_MS = 5_000

/** Of one reconcile. */
type Turn = Pick<ReconcileContext, 'signal' | 'waits'>

export class ReconcileTimeoutError extends Error {
  constructor(timeoutMs: number) {
    super(`the reconcile took longer than ${timeoutMs} ms`)
    this.name = 'ReconcileTimeoutError'
  }
}

export function runController<T extends KubeObject>(spec: ControllerSpec<T>, services: ControllerServices): RunningController {
  return new QueueController(spec, services)
}

class QueueController<T extends KubeObject> implements RunningController, WorkSource {
  readonly name: string
  readonly ready: Promise<void>
  readonly #spec: ControllerSpec<T>
  readonly #services: ControllerServices
  readonly #log: Log
  readonly #queue: WorkQueue
  readonly #metrics: ControllerMetrics
  readonly #member: PoolMember
  readonly #primary: InformerLease<T>
  readonly #watched: { readonly kind: Kind; readonly lease: InformerLease; readonly isWhole: boolean }[] = []
  readonly #unsubscribe: (() => void)[] = []
  readonly #refill: Refill
  readonly #needs: Needs
  readonly #failureLog: FailureLog
  /** How to abort each reconcile that runs. */
  readonly #running = new Set<(reason: Error) => void>()
  /** How many of them said that they wait. */
  #waiting = 0
  #isReady = false
  #stopping: Promise<void> | undefined
  #idle: (() => void) | undefined

  constructor(spec: ControllerSpec<T>, services: ControllerServices) {
    this.name = spec.name
    this.#spec = spec
    this.#services = services
    this.#log = services.log.with({ controller: spec.name })
    this.#failureLog = new FailureLog(services.clock)
    this.#queue = createWorkQueue({
      clock: services.clock,
      random: services.random,
      backoff: spec.backoff,
      capacity: spec.queueCapacity,
      onReady: () => this.#member.notify(),
      onRoom: () => this.#refill.run(),
    })
    this.#metrics = controllerMetrics(services.metrics, spec.name, () => this.#queue.stats)
    this.#member = services.pool.join(this)
    const { informers } = services
    this.#primary = informers.acquire({ kind: spec.kind, namespace: spec.namespace, labels: spec.labels })
    const { informer } = this.#primary
    for (const [name, keysOf] of Object.entries(spec.indexes ?? {})) informer.addIndex(name, keysOf)
    this.#refill = new Refill(
      () => informer.keys(),
      (key) => this.#queue.add(key),
    )
    this.#unsubscribe.push(informer.subscribe((change) => this.#onPrimary(change)))
    this.#needs = new Needs(informers, services.clock, {
      followed: (change) => spec.toFollowers && this.#call(spec.toFollowers, change, spec.followersPatience),
      awaited: (key) => this.#add(key),
    })
    for (const watched of spec.watches ?? []) {
      const { kind, namespace, labels, fieldSelector } = watched
      const lease = informers.acquire({ kind, namespace, labels, fieldSelector })
      for (const [name, keysOf] of Object.entries(watched.indexes ?? {})) lease.informer.addIndex(name, keysOf)
      const isWhole = namespace === undefined && labels === undefined && fieldSelector === undefined
      this.#watched.push({ kind, lease, isWhole })
      this.#unsubscribe.push(
        lease.informer.subscribe((change) => {
          if (watched.predicate?.(change) !== false) this.#call(watched.map, change, watched.patience)
        }),
      )
    }
    for (const { from, map } of spec.shares ?? [])
      this.#unsubscribe.push(
        from.subscribe((change, { kind }) => {
          for (const request of map(change, informer, kind)) this.enqueue(request)
        }),
      )
    this.ready = this.#becomeReady()
  }

  get isReady(): boolean {
    return this.#isReady
  }

  get stats(): QueueStats {
    return this.#queue.stats
  }

  enqueue({ namespace, name }: Request): void {
    if (name !== '') this.#add(cacheKey(namespace, name))
  }

  enqueueAll(): void {
    this.#refill.missed()
    this.#refill.run()
  }

  /** WorkSource: called by the pool when it is this controller's turn. */
  begin(): Promise<void> | undefined {
    if (!this.#isReady || this.#stopping !== undefined) return undefined
    const { concurrency = DEFAULT_CONCURRENCY, withWaiting = concurrency } = this.#spec
    if (this.#running.size >= withWaiting || this.#running.size - this.#waiting >= concurrency) return undefined
    const taken = this.#queue.take()
    return taken === undefined ? undefined : this.#work(taken)
  }

  stop({ drainMs = 0 }: { readonly drainMs?: number } = {}): Promise<void> {
    return (this.#stopping ??= this.#shutDown(drainMs))
  }

  #add(key: string): void {
    if (!this.#queue.add(key)) this.#refill.missed()
  }

  #call(map: Mapper<KubeObject, T>, change: Change, patience?: Patience): void {
    const { informer } = this.#primary
    let afterMs: number | undefined
    // An object that moved from one owner to another concerns both.
    const changed = change.type === 'updated' ? [change.object, change.previous] : [change.object]
    for (const object of changed)
      for (const request of map(object, informer, this.#known)) {
        // Most changes concern nobody, and then there is nothing to be patient about.
        afterMs ??= patience?.(change, this.#known) ?? 0
        if (afterMs <= 0) this.enqueue(request)
        else if (request.name !== '') this.#queue.addAfter(cacheKey(request.namespace, request.name), afterMs)
      }
  }

  #onPrimary(change: Change<T>): void {
    const { namespace, name = '' } = change.object.metadata
    if (change.type === 'deleted') this.#forgetGone(cacheKey(namespace, name))
    if (this.#spec.predicate?.(change) !== false) this.enqueue({ namespace, name })
  }

  #forgetGone(key: string): void {
    this.#needs.set(key, [])
    this.#failureLog.gone(key)
  }

  async #becomeReady(): Promise<void> {
    try {
      await Promise.all([this.#primary.informer.synced, ...this.#watched.map(({ lease }) => lease.informer.synced)])
    } catch {
      // Stopped before it was ready; stop() does the rest.
      return
    }
    if (this.#stopping !== undefined) return
    this.#isReady = true
    this.#log.debug('controller is ready', { objects: this.#primary.informer.size })
    this.#member.notify()
  }

  /**
   * Resolves when the worker is free again: at the end of the reconcile, or once it has taken so long that it must be waiting for somebody. It goes on, and keeps
   * its place among those of its controller: a function or a cloud that hangs holds up whoever needs it, and not every other controller.
   */
  #work({ key, waitedMs }: TakenKey): Promise<void> {
    const { clock } = this.#services
    const timeoutMs = this.#spec.timeoutMs ?? DEFAULT_TIMEOUT_MS
    const abort = new AbortController()
    this.#metrics.started(waitedMs)
    let free: () => void = () => undefined
    const isWaiting = new Promise<void>((resolve) => (free = resolve))
    const slowTimer = clock.setTimeout(() => free(), SLOW_MS)
    let state: 'working' | 'waiting' | 'over' = 'working'
    const waits = (): void => {
      if (state !== 'working') return
      state = 'waiting'
      this.#waiting++
      free()
      this.#member.notify()
    }
    let graceTimer: unknown
    const giveUp = (reason: Error): void => {
      if (abort.signal.aborted) return
      graceTimer = clock.setTimeout(() => {
        this.#log.error('a reconcile goes on although it was aborted; its object is not worked on until it ends', { object: key })
      }, ABORT_GRACE_MS)
      abort.abort(reason)
    }
    const timer = clock.setTimeout(() => giveUp(new ReconcileTimeoutError(timeoutMs)), timeoutMs)
    this.#running.add(giveUp)
    const run = this.#reconcile(key, { signal: abort.signal, waits }).finally(() => {
      clock.clearTimeout(slowTimer)
      clock.clearTimeout(timer)
      clock.clearTimeout(graceTimer)
      this.#running.delete(giveUp)
      if (state === 'waiting') this.#waiting--
      state = 'over'
      this.#queue.done(key)
      this.#member.notify()
      if (this.#running.size === 0) this.#idle?.()
    })
    return Promise.race([run, isWaiting])
  }

  async #reconcile(key: string, turn: Turn): Promise<void> {
    const { clock } = this.#services
    const startedAt = clock.now()
    const log = this.#log.with({ object: key })
    const outcome = await this.#attempt(key, log, turn).catch((error: unknown): ReconcileOutcome => this.#failed(key, log, error, turn))
    this.#metrics.ended(outcome, clock.now() - startedAt)
  }

  async #attempt(key: string, log: Log, turn: Turn): Promise<ReconcileOutcome> {
    const request = requestOf(key)
    try {
      const result = await this.#spec.reconcile(request, this.#contextFor(key, turn, log))
      if (result.type === 'underWay') return 'done'
      this.#failureLog.succeeded(key, log)
      return this.#settled(key, result)
    } finally {
      // It went while it was worked on, and would keep its watches for ever.
      if (this.#primary.informer.get(request) === undefined) this.#needs.set(key, [])
    }
  }

  #settled(key: string, result: Exclude<Result, { readonly type: 'underWay' }>): ReconcileOutcome {
    this.#queue.forget(key)
    if (result.type === 'done') return 'done'
    this.#queue.addAfter(key, result.millis)
    return 'requeue'
  }

  #failed(key: string, log: Log, thrown: unknown, { signal }: Turn): ReconcileOutcome {
    if (this.#stopping !== undefined) return 'aborted'
    const error = signal.aborted && signal.reason instanceof ReconcileTimeoutError ? signal.reason : thrown
    if (error instanceof TerminalError) {
      this.#queue.forget(key)
      this.#failureLog.gaveUp(key, log, error)
      return 'terminal'
    }
    const failures = this.#queue.failures(key) + 1
    const retryInMs = this.#queue.addFailed(key)
    this.#failureLog.failed(key, log, { error, failures, retryInMs })
    return 'error'
  }

  #contextFor(key: string, { signal, waits }: Turn, log: Log): ReconcileContext<T> {
    return {
      signal,
      client: (this.#spec.client ?? this.#services.client).withSignal(signal),
      log,
      primary: this.#primary.informer,
      cached: <K extends KubeObject>(kind: Kind<K>): InformerReader<K> => this.#cached(kind),
      known: this.#known,
      follow: (needs) => {
        // What is followed after the stop would never be given back.
        if (this.#stopping === undefined) this.#needs.set(key, needs)
      },
      inMemory: (kinds) => this.#needs.inMemory(kinds, signal),
      waits,
    }
  }

  #cached<K extends KubeObject>({ group, kind }: Kind<K>): InformerReader<K> {
    const all: { readonly kind: Kind; readonly lease: { readonly informer: unknown } }[] = [
      { kind: this.#spec.kind, lease: this.#primary },
      ...this.#watched,
    ]
    const found = all.find((watched) => watched.kind.group === group && watched.kind.kind === kind)
    if (found === undefined) throw new Error(`controller ${this.name} does not watch ${kind}.${group}, so it is not in memory`)
    return found.lease.informer as InformerReader<K>
  }

  readonly #known: Known = <K extends KubeObject>(kind: Kind<K>): InformerReader<K> | undefined => {
    const fixed = this.#watched.find(({ kind: own, isWhole }) => isWhole && own.group === kind.group && own.kind === kind.kind)
    if (fixed === undefined) return this.#needs.reader(kind)
    return fixed.lease.informer.isSynced ? (fixed.lease.informer as unknown as InformerReader<K>) : undefined
  }

  async #shutDown(drainMs: number): Promise<void> {
    this.#member.leave()
    for (const unsubscribe of this.#unsubscribe) unsubscribe()
    this.#queue.close()
    await this.#waitIdle(drainMs)
    for (const giveUp of this.#running) giveUp(new Error(`controller ${this.name} is stopping`))
    await this.#waitIdle(ABORT_GRACE_MS)
    await Promise.all([this.#primary.release(), this.#needs.close(), ...this.#watched.map(({ lease }) => lease.release())])
    await this.ready
    this.#isReady = false
    this.#metrics.remove()
  }

  async #waitIdle(timeoutMs: number): Promise<void> {
    if (this.#running.size === 0 || timeoutMs <= 0) return
    const timeUp = new AbortController()
    const idle = new Promise<void>((resolve) => (this.#idle = resolve))
    await Promise.race([idle, sleep(this.#services.clock, timeoutMs, timeUp.signal).catch(() => undefined)])
    timeUp.abort()
  }
}

function requestOf(key: string): Request {
  const slash = key.indexOf('/')
  return slash < 0 ? { name: key } : { namespace: key.slice(0, slash), name: key.slice(slash + 1) }
}

import { messageOf } from '@weft/api'
import { createHash } from 'node:crypto'
import { GrpcCode, GrpcError } from '@weft/grpc'
import { throwErrors } from '../lifecycle/provider-failure.ts'
import type { ProviderClient } from '../protocol/provider-client.ts'
import { timedClient } from '../protocol/timed-client.ts'
import { CallGates, type CallLimits } from './call-limits.ts'
import { Concealed } from './concealed.ts'
import { removeAbandoned } from './process-directory.ts'
import { Rests } from './rests.ts'
import { type ProviderLog, type ProviderProcess, startProvider, type StartOptions } from './start-provider.ts'
import { Suspects } from './suspects.ts'

/** Who wants to call what. Requests with the same program, configuration and environment share a process. */
export interface PoolRequest {
  readonly executable: string
  /** SHA-256 of the executable. */
  readonly programHash: string
  /** The provider's configuration, msgpack. */
  readonly config: Uint8Array
  readonly env: Readonly<Record<string, string>>
  /** From the schema: false for providers that must be asked for it once in each process. */
  readonly schemaOptional: boolean
  /** For whom: `aws_vpc/<uid>`. Kept apart when the process crashes under it. */
  readonly subject: string
  /** Of the configuration; none unless given. */
  readonly limits?: CallLimits | undefined
}

/** There is no process to call, for now. Nothing was sent. */
export class ProviderUnavailableError extends Error {
  readonly retryAfterMs: number

  constructor(message: string, retryAfterMs: number, options?: ErrorOptions) {
    super(message, options)
    this.name = 'ProviderUnavailableError'
    this.retryAfterMs = retryAfterMs
  }
}

export type ProgramPlace = Pick<StartOptions, 'executable' | 'user'>

export interface PoolOptions {
  /** Where a program's log goes. */
  log(request: PoolRequest): ProviderLog
  /** How long a process without calls is kept. */
  readonly idleMs?: number | undefined
  readonly maxProcesses?: number | undefined
  /** Where the program is run from, and as whom; as it is, and as this process, unless given. */
  place?(request: PoolRequest): Promise<ProgramPlace>
  readonly root?: string | undefined
  readonly now?: (() => number) | undefined
  /** A process that is younger is not stale. */
  readonly renewAfterMs?: number | undefined
  /** How long a call may take that only looks: a process that does not answer gets no more of them. */
  readonly lookMs?: number | undefined
  readonly backoff?: { readonly baseMs: number; readonly maxMs: number } | undefined
}

const DEFAULTS = {
  idleMs: 5 * 60_000,
  renewAfterMs: 60_000,
  maxProcesses: 20,
  lookMs: 10 * 60_000,
  backoff: { baseMs: 500, maxMs: 60_000 },
} as const
const CONFIGURE_MS = 5 * 60_000
/** How long an end is waited for after a call broke off: the process, or only its connection? */
const END_MS = 2_000

interface Slot {
  readonly key: string
  readonly alone: boolean
  readonly startedAt: number
  process: Promise<ProviderProcess>
  /** Whose calls are under way. */
  readonly subjects: string[]
  idleSince: number
  idle: NodeJS.Timeout | undefined
  /** No longer for new calls; ends with its last one. */
  retired: boolean
}

interface Failure {
  count: number
  until: number
  error: unknown
}

/**
 * The processes of providers: one for each program and configuration, since a process can be configured once (T24). Started when somebody
 * calls, stopped when nobody did for a while, restarted with back-off after crashes, and never more than a number at a time.
 */
export class ProviderPool {
  readonly #options: PoolOptions
  readonly #now: () => number
  readonly #slots = new Map<string, Slot>()
  readonly #ending = new Set<Promise<unknown>>()
  readonly #failures = new Map<string, Failure>()
  readonly #suspects: Suspects
  readonly #concealed = new Concealed()
  readonly #gates: CallGates
  readonly #rests: Rests
  readonly #waiting: (() => void)[] = []
  #swept: Promise<unknown> | undefined
  #closed = false

  constructor(options: PoolOptions) {
    this.#options = options
    this.#now = options.now ?? Date.now
    this.#suspects = new Suspects(this.#now)
    this.#gates = new CallGates(this.#now)
    this.#rests = new Rests(this.#now)
  }

  /** How many processes there are. */
  get size(): number {
    return this.#slots.size
  }

  /**
   * Calls a configured provider, whose process stays at least until the call has ended. Throws ProviderUnavailableError where none can be had now,
   * ProviderFailure where the configuration is refused, and what the call throws.
   */
  async use<T>(request: PoolRequest, call: (client: ProviderClient) => Promise<T>): Promise<T> {
    const key = keyOf(request)
    const rest = this.#rests.leftMs(key)
    if (rest > 0)
      throw new ProviderUnavailableError(
        `the service behind the provider is throttling requests; nothing is sent with this ProviderConfig for ${Math.ceil(rest / 1000)} s`,
        rest,
      )
    const answer = await (request.limits === undefined
      ? this.#use(request, call)
      : this.#gates.run(key, request.limits, () => this.#use(request, call)))
    this.#rests.answered(key)
    return answer
  }

  /** What the provider speaks with refused a call because there were too many: nobody calls with this configuration for a while that doubles (T164). */
  throttled(request: PoolRequest): void {
    this.#rests.refused(keyOf(request))
  }

  async #use<T>(request: PoolRequest, call: (client: ProviderClient) => Promise<T>): Promise<T> {
    const kept = this.#suspects.keptOutMs(request.subject)
    if (kept > 0) throw new ProviderUnavailableError('the provider crashed while working on this resource; it is tried again later', kept)
    const slot = await this.#lease(request)
    try {
      const { client, ended } = await slot.process
      try {
        return await call(timedClient(client, this.#options.lookMs ?? DEFAULTS.lookMs))
      } catch (error) {
        // Its end tells whose calls were under way, so they stay so until then.
        if (error instanceof GrpcError && error.code === GrpcCode.Unavailable) await Promise.race([ended, sleep(END_MS)])
        // It hangs. What it is changing comes to its end, if it can; others begin anew.
        if (error instanceof GrpcError && error.code === GrpcCode.DeadlineExceeded && !slot.retired) this.#retire(slot)
        throw error
      }
    } finally {
      slot.subjects.splice(slot.subjects.indexOf(request.subject), 1)
      this.#released(slot)
    }
  }

  /** From now on no log shows them. */
  conceal(texts: readonly string[]): void {
    this.#concealed.add(texts)
  }

  /** Serves this configuration from a new process from now on: what the old one holds (a token, a connection) may be stale (T182). */
  renew(request: PoolRequest): void {
    const latest = this.#now() - (this.#options.renewAfterMs ?? DEFAULTS.renewAfterMs)
    for (const slot of [...this.#slots.values()]) if (slot.key.startsWith(keyOf(request)) && slot.startedAt <= latest) this.#retire(slot)
  }

  /** Ends all processes. Calls under way are cut off: wait for them before, where that matters. */
  async close(): Promise<void> {
    this.#closed = true
    for (const slot of [...this.#slots.values()]) this.#end(slot)
    for (const resume of this.#waiting.splice(0)) resume()
    await Promise.all(this.#ending)
  }

  /** The subject is noted in the same breath: a process that seems to rest is ended when others need its place. */
  async #lease(request: PoolRequest): Promise<Slot> {
    const alone = this.#suspects.isSuspect(request.subject)
    const key = alone ? `${keyOf(request)}/${request.subject}` : keyOf(request)
    for (;;) {
      if (this.#closed) throw new ProviderUnavailableError('the control plane is stopping', 0)
      const slot = this.#slots.get(key)
      if (slot !== undefined) return leased(slot, request)
      const failure = this.#failures.get(key)
      if (failure !== undefined && failure.until > this.#now()) throw this.#again(failure)
      if (this.#slots.size < (this.#options.maxProcesses ?? DEFAULTS.maxProcesses)) return leased(this.#open(key, alone, request), request)
      const idle = [...this.#slots.values()].filter(({ subjects }) => subjects.length === 0).sort((a, b) => a.idleSince - b.idleSince)[0]
      if (idle === undefined) await new Promise<void>((resolve) => this.#waiting.push(resolve))
      else this.#end(idle)
    }
  }

  #again({ error, until }: Failure): unknown {
    if (error instanceof Error && error.name === 'ProviderFailure') return error
    const why = messageOf(error)
    return new ProviderUnavailableError(why, until - this.#now(), { cause: error })
  }

  #open(key: string, alone: boolean, request: PoolRequest): Slot {
    const slot: Slot = {
      key,
      alone,
      startedAt: this.#now(),
      subjects: [],
      idle: undefined,
      idleSince: this.#now(),
      retired: false,
      process: this.#start(request),
    }
    this.#slots.set(key, slot)
    slot.process.then(
      ({ ended }) => {
        void ended.then(({ code, signal }) => {
          if (this.#slots.get(key) !== slot && !slot.retired) return
          // Nobody asked it to end.
          for (const subject of slot.subjects) this.#suspects.crashed(subject, { alone })
          // What it said when it ended may be about anybody's resource, and quote their secrets.
          const how = signal === null ? `it ended with code ${code}` : `it was ended by ${signal}`
          this.#failed(slot, new Error(`the provider crashed: ${how}; its log says why`))
        })
      },
      (error: unknown) => this.#failed(slot, error),
    )
    return slot
  }

  async #start(request: PoolRequest): Promise<ProviderProcess> {
    const { log, root } = this.#options
    await (this.#swept ??= removeAbandoned(root).catch(() => 0))
    const { executable, user } = (await this.#options.place?.(request)) ?? { ...request, user: undefined }
    const process = await startProvider({
      executable,
      env: request.env,
      log: log(request),
      hide: (text) => this.#concealed.hide(text),
      user,
      root,
    })
    try {
      if (!request.schemaOptional) await process.client.schema({ timeoutMs: CONFIGURE_MS })
      throwErrors('configure', await process.client.validateProvider(request.config, { timeoutMs: CONFIGURE_MS }))
      throwErrors('configure', await process.client.configure(request.config, { timeoutMs: CONFIGURE_MS }))
      this.#failures.delete(keyOf(request))
      return process
    } catch (error) {
      await process.shutdown()
      throw error
    }
  }

  #failed(slot: Slot, error: unknown): void {
    const { baseMs, maxMs } = this.#options.backoff ?? DEFAULTS.backoff
    const count = (this.#failures.get(slot.key)?.count ?? 0) + 1
    this.#failures.set(slot.key, { count, error, until: this.#now() + Math.min(baseMs * 2 ** (count - 1), maxMs) })
    this.#forget(slot)
  }

  #released(slot: Slot): void {
    if (slot.subjects.length > 0) return
    slot.idleSince = this.#now()
    if (slot.retired || this.#waiting.length > 0) return this.#end(slot)
    if (this.#slots.get(slot.key) !== slot) return
    slot.idle = setTimeout(() => this.#end(slot), this.#options.idleMs ?? DEFAULTS.idleMs)
    slot.idle.unref()
  }

  #retire(slot: Slot): void {
    if (slot.subjects.length === 0) return this.#end(slot)
    slot.retired = true
    this.#slots.delete(slot.key)
  }

  #end(slot: Slot): void {
    slot.retired = false
    this.#forget(slot)
    const ending = slot.process.then(
      (process) => process.shutdown(),
      () => undefined,
    )
    this.#ending.add(ending)
    void ending.finally(() => this.#ending.delete(ending))
  }

  #forget(slot: Slot): void {
    clearTimeout(slot.idle)
    slot.retired = false
    if (this.#slots.get(slot.key) === slot) this.#slots.delete(slot.key)
    this.#waiting.shift()?.()
  }
}

function leased(slot: Slot, { subject }: PoolRequest): Slot {
  slot.subjects.push(subject)
  clearTimeout(slot.idle)
  return slot
}

/** Of what makes processes the same. The configuration may hold secrets, so nothing of it may be seen in a key. */
const keys = new WeakMap<PoolRequest, string>()

function keyOf(request: PoolRequest): string {
  const known = keys.get(request)
  if (known !== undefined) return known
  const key = createHash('sha256').update(request.programHash).update(configurationKey(request)).digest('hex')
  keys.set(request, key)
  return key
}

/** Of what a program is configured with. */
export function configurationKey({ config, env }: Pick<PoolRequest, 'config' | 'env'>): string {
  const hash = createHash('sha256').update(config)
  for (const [name, value] of Object.entries(env).sort(([a], [b]) => (a < b ? -1 : 1))) hash.update(`\0${name}\0${value}`)
  return hash.digest('hex')
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms).unref())

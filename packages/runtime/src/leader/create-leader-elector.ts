import { messageOf } from '@weft/api'
import { type Client, type Clock, type Random, sleep } from '@weft/client'
import type { Log } from '../log/log.ts'
import type { LeaderCallbacks, LeaderElectionOptions, LeaderElector } from './leader-elector.ts'
import { LeaseLock } from './lease-lock.ts'

export interface LeaderServices {
  readonly client: Client
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
}

const RELEASE_TIMEOUT_MS = 5_000

export function createLeaderElector(options: LeaderElectionOptions, services: LeaderServices, callbacks: LeaderCallbacks): LeaderElector {
  return new LeaseElector(options, services, callbacks)
}

class LeaseElector implements LeaderElector {
  readonly #services: LeaderServices
  readonly #callbacks: LeaderCallbacks
  readonly #lock: LeaseLock
  readonly #identity: string
  readonly #renewDeadlineMs: number
  readonly #retryPeriodMs: number
  readonly #stop = new AbortController()
  #leader = ''
  #leading: AbortController | undefined
  #running: Promise<void> | undefined

  constructor(options: LeaderElectionOptions, services: LeaderServices, callbacks: LeaderCallbacks) {
    const { namespace, name, identity, leaseDurationMs = 15_000, renewDeadlineMs = 10_000, retryPeriodMs = 2_000 } = options
    if (!(leaseDurationMs > renewDeadlineMs && renewDeadlineMs > retryPeriodMs))
      throw new Error('leader election: the lease must be longer than the renew deadline, and that longer than the retry period')
    this.#services = services
    this.#callbacks = callbacks
    this.#identity = identity
    this.#renewDeadlineMs = renewDeadlineMs
    this.#retryPeriodMs = retryPeriodMs
    this.#lock = new LeaseLock(services.client, services.clock, { namespace, name, identity, durationMs: leaseDurationMs })
  }

  get isLeader(): boolean {
    return this.#leading !== undefined
  }

  get leader(): string {
    return this.#leader
  }

  start(): void {
    this.#running ??= this.#run()
  }

  async stop(): Promise<void> {
    this.#stop.abort(new Error('leader election was stopped'))
    await this.#running
  }

  async #run(): Promise<void> {
    const stopped = this.#stop.signal
    while (!stopped.aborted) {
      const heldSince = await this.#campaign()
      if (heldSince === undefined) return
      await this.#lead(heldSince)
    }
  }

  /** Tries until the lease is ours; answers when the attempt that succeeded was made, undefined when stopped. */
  async #campaign(): Promise<number | undefined> {
    const { clock, log } = this.#services
    while (!this.#stop.signal.aborted) {
      const at = clock.now()
      if (await this.#attempt(this.#stop.signal)) return at
      await this.#pause(this.#stop.signal)
    }
    log.debug('no longer a candidate')
    return undefined
  }

  async #lead(heldSince: number): Promise<void> {
    const { clock, log } = this.#services
    const leading = new AbortController()
    const onStop = (): void => leading.abort(this.#stop.signal.reason)
    this.#stop.signal.addEventListener('abort', onStop, { once: true })
    this.#leading = leading
    log.info('leadership begins', { identity: this.#identity })
    this.#callbacks.onStarted(leading.signal)
    // Counted from before the request was sent: that is when the others started to count, at the earliest.
    let renewedAt = heldSince
    let deadline: unknown
    const arm = (): void => {
      clock.clearTimeout(deadline)
      deadline = clock.setTimeout(
        () => leading.abort(new Error('the lease was not renewed in time')),
        renewedAt + this.#renewDeadlineMs - clock.now(),
      )
    }
    arm()
    if (this.#stop.signal.aborted) onStop()
    while (!leading.signal.aborted) {
      await this.#pause(leading.signal)
      if (leading.signal.aborted) break
      const at = clock.now()
      if (await this.#attempt(leading.signal)) {
        renewedAt = at
        arm()
      } else if (this.#leader !== '' && this.#leader !== this.#identity) leading.abort(new Error(`${this.#leader} has taken the lease`))
    }
    clock.clearTimeout(deadline)
    this.#stop.signal.removeEventListener('abort', onStop)
    this.#leading = undefined
    log.info('leadership ends', { identity: this.#identity, reason: messageOf(leading.signal.reason) })
    await this.#callbacks.onStopped()
    if (this.#stop.signal.aborted) await this.#release()
  }

  async #attempt(signal: AbortSignal): Promise<boolean> {
    const { log } = this.#services
    try {
      const { held, holder } = await this.#lock.acquire(signal)
      this.#leader = holder
      return held
    } catch (error) {
      if (!signal.aborted) log.warn('cannot reach the lease', { error })
      return false
    }
  }

  async #pause(signal: AbortSignal): Promise<void> {
    const { clock, random } = this.#services
    await sleep(clock, this.#retryPeriodMs * (0.8 + 0.4 * random()), signal).catch(() => undefined)
  }

  async #release(): Promise<void> {
    const { clock, log } = this.#services
    const timeout = new AbortController()
    const timer = clock.setTimeout(() => timeout.abort(new Error('timed out')), RELEASE_TIMEOUT_MS)
    await this.#lock
      .release(timeout.signal)
      .catch((error: unknown) => log.warn('cannot give the lease up; it runs out by itself', { error }))
    clock.clearTimeout(timer)
    this.#leader = ''
  }
}

import { formatMicroTime, hasReason } from '@weft/api'
import { type Client, type Clock, type Lease, leaseKind } from '@weft/client'

/** One attempt's result: held, or by whom it is held. */
export interface LockAttempt {
  readonly held: boolean
  readonly holder: string
}

interface Observed {
  readonly version: string | undefined
  readonly at: number
}

/** The Lease object as a lock. Remembers when it last saw the lease change, by its own clock. */
export class LeaseLock {
  readonly #client: Client
  readonly #clock: Clock
  readonly #ref: { readonly namespace: string; readonly name: string }
  readonly #identity: string
  readonly #durationMs: number
  #observed: Observed | undefined

  constructor(
    client: Client,
    clock: Clock,
    options: { readonly namespace: string; readonly name: string; readonly identity: string; readonly durationMs: number },
  ) {
    this.#client = client
    this.#clock = clock
    this.#ref = { namespace: options.namespace, name: options.name }
    this.#identity = options.identity
    this.#durationMs = options.durationMs
  }

  /** Takes the lease if it is free or has run out, renews it if it is ours. Rejects when the server cannot be asked. */
  async acquire(signal: AbortSignal): Promise<LockAttempt> {
    const lease = await this.#client.find(leaseKind, this.#ref, { signal })
    if (lease === undefined) return this.#write(signal, undefined)
    const holder = lease.spec?.holderIdentity ?? ''
    this.#observe(lease)
    if (holder !== '' && holder !== this.#identity && !this.#hasRunOut(lease)) return { held: false, holder }
    return this.#write(signal, lease)
  }

  /** Gives the lease up if it is ours. */
  async release(signal: AbortSignal): Promise<void> {
    const lease = await this.#client.find(leaseKind, this.#ref, { signal })
    if (lease?.spec?.holderIdentity !== this.#identity) return
    const { holderIdentity: _gone, ...spec } = lease.spec
    await this.#client.update({ ...lease, spec: { ...spec, leaseDurationSeconds: 1, renewTime: this.#now() } }, { signal })
  }

  async #write(signal: AbortSignal, lease: Lease | undefined): Promise<LockAttempt> {
    const isOurs = lease?.spec?.holderIdentity === this.#identity
    const now = this.#now()
    const spec = {
      holderIdentity: this.#identity,
      leaseDurationSeconds: Math.max(1, Math.ceil(this.#durationMs / 1000)),
      acquireTime: isOurs ? (lease.spec?.acquireTime ?? now) : now,
      renewTime: now,
      leaseTransitions: (lease?.spec?.leaseTransitions ?? 0) + (lease === undefined || isOurs ? 0 : 1),
    }
    try {
      const written =
        lease === undefined
          ? await this.#client.create<Lease>(
              { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { ...this.#ref }, spec },
              { signal },
            )
          : await this.#client.update<Lease>({ ...lease, spec: { ...lease.spec, ...spec } }, { signal })
      this.#observe(written)
      return { held: true, holder: this.#identity }
    } catch (error) {
      // Somebody was quicker. Whose it is now shows at the next attempt.
      if (hasReason(error, 'Conflict') || hasReason(error, 'AlreadyExists')) return { held: false, holder: '' }
      throw error
    }
  }

  #observe({ metadata }: Lease): void {
    if (this.#observed === undefined || this.#observed.version !== metadata.resourceVersion)
      this.#observed = { version: metadata.resourceVersion, at: this.#clock.now() }
  }

  #hasRunOut({ spec }: Lease): boolean {
    const durationMs = (spec?.leaseDurationSeconds ?? 0) * 1000 || this.#durationMs
    return this.#observed !== undefined && this.#clock.now() >= this.#observed.at + durationMs
  }

  #now(): string {
    return formatMicroTime(this.#clock.now())
  }
}

import { getOwn, type KubeObject } from '@weft/api'
import { type RegistryServices, type ResourceType, scanPrefix, StoredObject } from '../registry/index.ts'
import { ConflictError, prefixEnd, type Storage, type Version } from '../storage/index.ts'
import type { LifecycleService } from './system.ts'

/** As long as kube-apiserver keeps them unless told otherwise. */
export const EVENT_TTL_MS: number = 60 * 60_000
const SWEEP_MS = 60_000
/** Deletions that are under way at a time: they share the disk's flushes, and leave room for everybody else's writes. */
const AT_ONCE = 64

export interface ExpiredEventsOptions {
  /** How long an event is kept after it was last written. 0: for ever. */
  readonly ttlMs?: number | undefined
  readonly onError: (what: string, error: unknown) => void
}

/**
 * Forgets events some time after they were last written: they tell of what happens, and would otherwise grow with the age of a control plane rather than with its
 * size. Nobody is asked: as in Kubernetes, where a lease ends, neither admission nor finalizers hold one back.
 */
export class ExpiredEvents implements LifecycleService {
  readonly #services: RegistryServices
  readonly #storage: Storage
  readonly #type: ResourceType
  readonly #ttlMs: number
  readonly #timer: NodeJS.Timeout | undefined
  #sweeping: Promise<void> | undefined
  #stopped = false

  constructor(services: RegistryServices, storage: Storage, { ttlMs = EVENT_TTL_MS, onError }: ExpiredEventsOptions) {
    this.#services = services
    this.#storage = storage
    this.#ttlMs = ttlMs
    this.#type = services.catalog.builtIn('', 'events')
    if (ttlMs === 0) return
    this.#timer = setInterval(
      () => {
        // One that takes longer than the interval is not piled upon.
        this.#sweeping ??= this.sweep()
          .catch((error: unknown) => onError('expired events', error))
          .finally(() => (this.#sweeping = undefined))
      },
      Math.min(SWEEP_MS, ttlMs),
    ).unref()
  }

  /**
   * From the one that was written first on, until one is young: revisions follow time, so that all after it are younger. Reads no more than what goes, and one.
   */
  async sweep(): Promise<void> {
    const prefix = scanPrefix(this.#type, '')
    const versions = [...this.#storage.versions(prefix, prefixEnd(prefix))].sort((a, b) => a.revision - b.revision)
    for (let from = 0; from < versions.length && !this.#stopped; from += AT_ONCE) {
      const some = versions.slice(from, from + AT_ONCE)
      const young = some.findIndex((version) => !this.#isExpired(version))
      await Promise.all((young < 0 ? some : some.slice(0, young)).map((version) => this.#delete(version)))
      if (young >= 0) return
    }
  }

  async stop(): Promise<void> {
    this.#stopped = true
    clearInterval(this.#timer)
    await this.#sweeping
  }

  #isExpired(version: Version): boolean {
    const entry = this.#storage.get(version.key)
    // It was written, or went, since it was listed.
    if (entry?.revision !== version.revision) return true
    return (
      writtenAt(StoredObject.ofBytes(entry.key, entry.revision, entry.value).object, this.#services.now()) <=
      this.#services.now() - this.#ttlMs
    )
  }

  async #delete({ key, revision }: Version): Promise<void> {
    try {
      await this.#storage.write(key, revision, null)
    } catch (error) {
      // Written since: it is young again.
      if (!(error instanceof ConflictError)) throw error
    }
  }
}

/** By the server's own clock. A time to come is none that it wrote. */
function writtenAt({ metadata }: KubeObject, now: number): number {
  const times = [metadata.creationTimestamp, ...(metadata.managedFields ?? []).map((entry) => getOwn(entry, 'time'))]
  return Math.max(0, ...times.map((time) => (typeof time === 'string' ? Date.parse(time) : Number.NaN)).filter((time) => time <= now))
}

import { failure, type KubeObject, withMeta } from '@weft/api'
import { type Change, CompactedError, type Storage, StorageUnavailableError, WriteFailedError } from '../storage/index.ts'
import { RecentBytes } from './recent-bytes.ts'
import { SortedMap } from './sorted-map.ts'
import { StoredObject } from './stored-object.ts'
import { Turns } from './turns.ts'

/** One change of one object, as watchers see it. */
export interface ObjectChange {
  readonly type: 'created' | 'updated' | 'deleted'
  readonly revision: number
  /** For `deleted`, the last state carrying the revision of the deletion. */
  readonly current: StoredObject
  readonly previous?: StoredObject
}

/** A disk that takes nothing is no fault of the server, and may take it later: the client is told both. */
function refusalOf(error: unknown): unknown {
  if (!(error instanceof WriteFailedError || error instanceof StorageUnavailableError)) return error
  return failure({ code: 503, reason: 'ServiceUnavailable', message: error.message, details: { retryAfterSeconds: 5 }, cause: error })
}

export type ChangeListener = (changes: readonly ObjectChange[]) => void

/**
 * All objects of one resource, in key order, following the storage below it. Known when first used, so that a kind nobody
 * asks for costs nothing; what is in them is read when somebody asks, and kept in memory while it is in use. Reads are
 * synchronous and answer only what is durable.
 */
export class ObjectStore {
  readonly prefix: string
  /** For those who lost a race for one of the objects. */
  readonly turns: Turns = new Turns()
  readonly #storage: Storage
  readonly #recent: RecentBytes
  readonly #objects: SortedMap<StoredObject>
  /** What is being written, by revision: the change stream brings it back as bytes, but we still have the object. */
  readonly #writing = new Map<number, StoredObject>()
  /** Each with what to call when the resource goes. */
  readonly #listeners = new Map<ChangeListener, (() => void) | undefined>()
  readonly #cancel: () => void
  #changedAt: number

  constructor(storage: Storage, prefix: string, recent: RecentBytes = new RecentBytes(storage)) {
    this.#changedAt = storage.revision
    this.prefix = prefix
    this.#storage = storage
    this.#recent = recent
    const entries = Array.from(storage.versions(prefix, `${prefix}\u{10ffff}`), (version): [string, StoredObject] => [
      version.key,
      StoredObject.ofVersion(version, recent),
    ])
    this.#objects = new SortedMap(entries)
    this.#cancel = storage.subscribe(prefix, storage.revision, (changes) => this.#follow(changes))
  }

  get size(): number {
    return this.#objects.size
  }

  get revision(): number {
    return this.#storage.revision
  }

  /** The last revision at which an object here changed; when nothing did since it was loaded, that of the loading. */
  get changedAt(): number {
    return this.#changedAt
  }

  get(key: string): StoredObject | undefined {
    return this.#objects.get(key)
  }

  /** Objects whose key starts with `prefix`, in key order, from `start` on if given. */
  scan(prefix: string, start?: string, limit?: number): readonly StoredObject[] {
    return this.#objects.scan(prefix, start, limit)
  }

  /** How many objects `scan` would answer without a limit. */
  count(prefix: string, start?: string): number {
    return this.#objects.count(prefix, start)
  }

  /** Like scan, exact as of an earlier revision. Throws CompactedError. */
  *scanAt(revision: number, prefix: string, start?: string): Iterable<StoredObject> {
    for (const entry of this.#storage.rangeAt(revision, start ?? prefix, `${prefix}\u{10ffff}`)) {
      const live = this.#objects.get(entry.key)
      yield live?.revision === entry.revision ? live : StoredObject.ofBytes(entry.key, entry.revision, entry.value)
    }
  }

  /**
   * Writes `object` under `key` if its revision is still `expected` (0: absent). Throws ConflictError, when what it lost to can be read here. `onMade` is
   * given what will be stored, before anybody else sees it.
   */
  async write(key: string, expected: number, object: KubeObject, onMade?: (made: StoredObject) => void): Promise<StoredObject> {
    let written: StoredObject | undefined
    try {
      await this.#storage.write(key, expected, (revision) => {
        written = StoredObject.ofObject(key, revision, withMeta(object, { resourceVersion: String(revision) }))
        this.#writing.set(revision, written)
        onMade?.(written)
        return written.json
      })
      return written as StoredObject
    } catch (error) {
      throw refusalOf(error)
    } finally {
      if (written !== undefined) this.#writing.delete(written.revision)
    }
  }

  async remove(key: string, expected: number): Promise<number> {
    return this.#storage.write(key, expected, null).catch((error: unknown) => {
      throw refusalOf(error)
    })
  }

  /** Resolves once everything up to `revision` can be read here, or the time is over: was it reached? */
  async reached(revision: number, limitMs: number): Promise<boolean> {
    if (this.#storage.revision < revision) await this.#until(revision, limitMs)
    return this.#storage.revision >= revision
  }

  #until(revision: number, limitMs: number): Promise<void> {
    return new Promise((resolve) => {
      const finish = (): void => {
        clearTimeout(timer)
        queueMicrotask(() => cancel())
        resolve()
      }
      const timer = setTimeout(finish, limitMs)
      const cancel = this.#storage.subscribe('', this.#storage.revision, () => {
        if (this.#storage.revision >= revision) finish()
      })
    })
  }

  /**
   * Changes after `after`, then every later one as it becomes durable. Throws CompactedError when the history does
   * not reach back that far. The recorded ones are delivered before this returns. `onClose` is called when the resource
   * is served no longer: nothing will follow.
   */
  follow(after: number, listener: ChangeListener, onClose?: () => void): () => void {
    if (after < this.#storage.revision) {
      if (after < this.#storage.compactedRevision) throw new CompactedError(after, this.#storage.compactedRevision)
      const recorded: ObjectChange[] = []
      this.#storage.subscribe(this.prefix, after, (changes) => recorded.push(...changes.map((c) => this.#toObjectChange(c))))()
      if (recorded.length > 0) listener(recorded)
    }
    this.#listeners.set(listener, onClose)
    return () => this.#listeners.delete(listener)
  }

  close(): void {
    this.#cancel()
    const listeners = [...this.#listeners.values()]
    this.#listeners.clear()
    for (const onClose of listeners) onClose?.()
  }

  #follow(changes: readonly Change[]): void {
    const objectChanges: ObjectChange[] = []
    for (const change of changes) {
      const objectChange = this.#toObjectChange(change)
      this.#objects.get(change.key)?.unsettle(change.previous?.value)
      if (change.type === 'deleted') this.#objects.delete(change.key)
      else {
        this.#objects.set(change.key, objectChange.current)
        objectChange.current.settle(this.#recent)
      }
      objectChanges.push(objectChange)
      this.#changedAt = change.revision
    }
    for (const listener of this.#listeners.keys()) listener(objectChanges)
  }

  #toObjectChange(change: Change): ObjectChange {
    const { type, key, revision } = change
    const previous = change.previous === undefined ? undefined : this.#known(key, change.previous.revision, change.previous.value)
    if (type === 'deleted') {
      const last = (previous ?? this.#objects.get(key)) as StoredObject
      return { type, revision, current: last.deletedAt(revision), previous: last }
    }
    const current = this.#writing.get(revision) ?? this.#known(key, revision, change.value as Uint8Array)
    return previous === undefined ? { type, revision, current } : { type, revision, current, previous }
  }

  #known(key: string, revision: number, bytes: Uint8Array): StoredObject {
    const live = this.#objects.get(key)
    return live?.revision === revision ? live : StoredObject.ofBytes(key, revision, bytes)
  }
}

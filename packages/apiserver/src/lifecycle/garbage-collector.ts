import { hasReason, type KubeObject, type OwnerReference, parseGroupVersion, withMeta } from '@weft/api'
import type { Change, Storage } from '../storage/index.ts'
import { type Catalog, type RegistryServices, type ResourceType, storageKey, StoredObject } from '../registry/index.ts'
import { KeyedQueue } from './keyed-queue.ts'
import { type LifecycleService, SystemWriter } from './system.ts'

const OWNERS = Buffer.from('"ownerReferences"')
const FOREGROUND = Buffer.from('"foregroundDeletion"')
const ORPHAN = Buffer.from('"orphan"')
const REGISTRY = '/registry/'

/**
 * Deletes what has no owner left, holds back foreground deletions until dependents are gone, and frees orphans.
 * It reads the bytes of every change and decodes only those that mention owners or its finalizers, so that kinds
 * without owners cost one scan of their bytes and are not loaded into memory.
 */
export class GarbageCollector implements LifecycleService {
  readonly #services: RegistryServices
  readonly #writer: SystemWriter
  readonly #queue: KeyedQueue<string>
  /** uid of an owner → keys of its dependents. */
  readonly #dependents = new Map<string, Set<string>>()
  /** key of a dependent → uids of its owners. */
  readonly #owners = new Map<string, readonly string[]>()
  /** Keys of dependents whose owner's kind is not served: looked at again when kinds change. */
  readonly #undecided = new Set<string>()
  readonly #cancels: (() => void)[]

  constructor(services: RegistryServices, storage: Storage, onError: (what: string, error: unknown) => void) {
    this.#services = services
    this.#writer = new SystemWriter(services, 'kube-controller-manager')
    this.#queue = new KeyedQueue(
      (key) => this.#process(key),
      (key, error) => onError(`garbage collection of ${key}`, error),
    )
    const revision = storage.revision
    for (const { key, value } of storage.range(REGISTRY, `${REGISTRY}\u{10ffff}`)) this.#observe(key, value)
    this.#cancels = [
      storage.subscribe(REGISTRY, revision, (changes) => this.#follow(changes)),
      // An owner's kind may become known later: then its dependents can be judged.
      services.catalog.onChange(() => this.#retryUndecided()),
    ]
  }

  async stop(): Promise<void> {
    for (const cancel of this.#cancels) cancel()
    await this.#queue.stop()
  }

  #retryUndecided(): void {
    const keys = [...this.#undecided]
    this.#undecided.clear()
    for (const key of keys) this.#queue.add(key)
  }

  #follow(changes: readonly Change[]): void {
    for (const { type, key, value, previous } of changes) {
      if (type !== 'deleted') this.#observe(key, value as Uint8Array)
      else {
        this.#setOwners(key, [])
        if (this.#dependents.size > 0 && previous !== undefined)
          this.#requeueDependents(StoredObject.ofBytes(key, 0, previous.value).object)
      }
    }
  }

  #observe(key: string, value: Uint8Array): void {
    const bytes = Buffer.from(value.buffer, value.byteOffset, value.byteLength)
    const owned = bytes.includes(OWNERS)
    const held = bytes.includes(FOREGROUND) || bytes.includes(ORPHAN)
    if (!owned && !held) {
      this.#setOwners(key, [])
      return
    }
    const { metadata } = StoredObject.ofBytes(key, 0, value).object
    this.#setOwners(
      key,
      (metadata.ownerReferences ?? []).map(({ uid }) => uid),
    )
    if ((metadata.ownerReferences ?? []).length > 0 || metadata.deletionTimestamp !== undefined) this.#queue.add(key)
  }

  #setOwners(key: string, uids: readonly string[]): void {
    const before = this.#owners.get(key)
    if (before === undefined && uids.length === 0) return
    for (const uid of before ?? []) {
      const keys = this.#dependents.get(uid)
      keys?.delete(key)
      if (keys?.size === 0) this.#dependents.delete(uid)
    }
    for (const uid of uids) {
      const keys = this.#dependents.get(uid) ?? new Set()
      this.#dependents.set(uid, keys.add(key))
    }
    if (uids.length === 0) this.#owners.delete(key)
    else this.#owners.set(key, uids)
  }

  #requeueDependents({ metadata }: KubeObject): void {
    for (const key of this.#dependents.get(metadata.uid ?? '') ?? []) this.#queue.add(key)
    // A dependent that is gone may have been what its owners were waiting for.
    for (const owner of metadata.ownerReferences ?? []) {
      const key = this.#keyOf(owner, metadata.namespace ?? '')
      if (key !== undefined) this.#queue.add(key)
    }
  }

  async #process(key: string): Promise<void> {
    const found = this.#read(key)
    if (found === undefined) return
    const { type, object } = found
    const { deletionTimestamp, finalizers = [], ownerReferences = [] } = object.metadata
    if (deletionTimestamp !== undefined) {
      if (finalizers.includes('orphan')) await this.#orphan(type, object)
      else if (finalizers.includes('foregroundDeletion')) await this.#deleteDependentsFirst(type, object)
      return
    }
    if (ownerReferences.length > 0) await this.#judge(type, object, ownerReferences)
  }

  /** Deletes the object if every owner is known to be gone; drops references to the ones that are. */
  async #judge(type: ResourceType, object: KubeObject, owners: readonly OwnerReference[]): Promise<void> {
    const states = owners.map((owner) => ({ owner, state: this.#stateOf(owner, object.metadata.namespace ?? '') }))
    if (states.some(({ state }) => state === 'unknown')) {
      this.#undecided.add(storageKey(type, object.metadata.namespace ?? '', object.metadata.name ?? ''))
      return
    }
    const solid = states.filter(({ state }) => state === 'present' || state === 'waiting')
    if (solid.length === 0) {
      const policy = (object.metadata.finalizers ?? []).includes('foregroundDeletion')
        ? 'Foreground'
        : (object.metadata.finalizers ?? []).includes('orphan')
          ? 'Orphan'
          : 'Background'
      await this.#writer
        .delete(type, object, { propagationPolicy: policy, preconditions: { uid: object.metadata.uid ?? '' } })
        .catch(ignoreRaces)
      return
    }
    const waitingOnly = solid.every(({ state }) => state === 'waiting')
    if (waitingOnly) {
      // Its owners are being deleted in the foreground and wait for it.
      const hasDependents = (this.#dependents.get(object.metadata.uid ?? '')?.size ?? 0) > 0
      await this.#writer
        .delete(type, object, {
          propagationPolicy: hasDependents ? 'Foreground' : 'Background',
          preconditions: { uid: object.metadata.uid ?? '' },
        })
        .catch(ignoreRaces)
      return
    }
    if (solid.length < owners.length) {
      const keep = new Set(states.filter(({ state }) => state === 'present').map(({ owner }) => owner.uid))
      await this.#writer
        .update(type, object, '', (live) =>
          withMeta(live, { ownerReferences: (live.metadata.ownerReferences ?? []).filter(({ uid }) => keep.has(uid)) }),
        )
        .catch(ignoreRaces)
    }
  }

  async #deleteDependentsFirst(type: ResourceType, object: KubeObject): Promise<void> {
    const uid = object.metadata.uid ?? ''
    let blocking = 0
    for (const key of this.#dependents.get(uid) ?? []) {
      const dependent = this.#read(key)
      if (dependent === undefined) continue
      const reference = dependent.object.metadata.ownerReferences?.find((owner) => owner.uid === uid)
      if (reference?.blockOwnerDeletion === true) blocking++
      if (dependent.object.metadata.deletionTimestamp === undefined) this.#queue.add(key)
    }
    if (blocking === 0) await this.#dropFinalizer(type, object, 'foregroundDeletion')
  }

  async #orphan(type: ResourceType, object: KubeObject): Promise<void> {
    const uid = object.metadata.uid ?? ''
    for (const key of [...(this.#dependents.get(uid) ?? [])]) {
      const dependent = this.#read(key)
      if (dependent === undefined) continue
      await this.#writer
        .update(dependent.type, dependent.object, '', (live) => {
          const left = (live.metadata.ownerReferences ?? []).filter((owner) => owner.uid !== uid)
          return withMeta(live, { ownerReferences: left.length > 0 ? left : undefined })
        })
        .catch(ignoreRaces)
    }
    await this.#dropFinalizer(type, object, 'orphan')
  }

  async #dropFinalizer(type: ResourceType, object: KubeObject, finalizer: string): Promise<void> {
    await this.#writer
      .update(type, object, '', (live) => withMeta(live, { finalizers: (live.metadata.finalizers ?? []).filter((f) => f !== finalizer) }))
      .catch(ignoreRaces)
  }

  /** An owner in another namespace, or with another uid, is absent. A kind that is not served may come back: unknown. */
  #stateOf(owner: OwnerReference, namespace: string): 'present' | 'waiting' | 'absent' | 'unknown' {
    const type = this.#typeOf(owner)
    if (type === undefined) return 'unknown'
    if (type.namespaced && namespace === '') return 'absent'
    const found = this.#services.catalog.store(type).get(storageKey(type, namespace, owner.name))?.object
    if (found?.metadata.uid !== owner.uid) return 'absent'
    const waiting = found.metadata.deletionTimestamp !== undefined && (found.metadata.finalizers ?? []).includes('foregroundDeletion')
    return waiting ? 'waiting' : 'present'
  }

  #typeOf({ apiVersion, kind }: OwnerReference): ResourceType | undefined {
    const { group } = parseGroupVersion(apiVersion)
    return this.#services.catalog.findAnyVersion(group, kind)
  }

  #keyOf(owner: OwnerReference, namespace: string): string | undefined {
    const type = this.#typeOf(owner)
    return type === undefined ? undefined : storageKey(type, namespace, owner.name)
  }

  #read(key: string): { type: ResourceType; object: KubeObject } | undefined {
    const type = typeOfKey(this.#services.catalog, key)
    const object = type === undefined ? undefined : this.#services.catalog.store(type).get(key)?.object
    return type === undefined || object === undefined ? undefined : { type, object }
  }
}

/** The stored version's type for a key, whatever version it is asked in. */
function typeOfKey(catalog: Catalog, key: string): ResourceType | undefined {
  const candidates = catalog.atPrefix(key.split('/').slice(0, 4).join('/') + '/')
  return candidates.find((type) => type.version === type.storage.version && type.group === type.storage.group) ?? candidates[0]
}

function ignoreRaces(error: unknown): void {
  if (!hasReason(error, 'NotFound') && !hasReason(error, 'Conflict')) throw error
}

import { type KubeObject, type OwnerReference, parseGroupVersion, withMeta } from '@weft/api'
import { type Change, prefixEnd, REGISTRY, type Storage } from '../storage/index.ts'
import { type Catalog, type RegistryServices, type ResourceType, storageKey, StoredObject } from '../registry/index.ts'
import { invalidOwnerEvent } from './invalid-owner-event.ts'
import { KeyedQueue } from './keyed-queue.ts'
import { OwnershipGraph, waitsForDependents } from './ownership-graph.ts'
import { haveSameOwners } from './same-owners.ts'
import { type LifecycleService, SystemWriter, unless } from './system.ts'

const OWNERS = Buffer.from('"ownerReferences"')
const FOREGROUND = Buffer.from('"foregroundDeletion"')
const ORPHAN = Buffer.from('"orphan"')
/** Writes that are under way at a time: they share the disk's flushes, and leave room for everybody else's. */
const CONCURRENCY = 16

/** Of an owner, as its dependent names it. */
type OwnerState =
  | 'present'
  /** Being deleted in the foreground: it waits for its dependents. */
  | 'waiting'
  /** There is none with this uid where the dependent may name one. */
  | 'absent'
  /** Its kind is not served; it may come back. */
  | 'unknown'
  /** A cluster-scoped object names an owner of a namespaced kind, without a namespace to look in: nothing can be concluded. */
  | 'invalid'

/**
 * Deletes what has no owner left, holds back foreground deletions until dependents are gone, and frees orphans.
 * It reads the bytes of every change and decodes only those that mention owners, and others than before, or its finalizers, so
 * that kinds without owners cost one scan of their bytes and are not loaded into memory.
 */
export class GarbageCollector implements LifecycleService {
  readonly #services: RegistryServices
  readonly #writer: SystemWriter
  readonly #queue: KeyedQueue<string>
  readonly #graph = new OwnershipGraph()
  /** Keys of dependents whose owner's kind is not served: looked at again when kinds change. */
  readonly #undecided = new Set<string>()
  readonly #cancels: (() => void)[]

  constructor(services: RegistryServices, storage: Storage, onError: (what: string, error: unknown) => void) {
    this.#services = services
    this.#writer = new SystemWriter(services, 'kube-controller-manager')
    this.#queue = new KeyedQueue(
      (key) => this.#process(key),
      (key, error) => onError(`garbage collection of ${key}`, error),
      CONCURRENCY,
    )
    const revision = storage.revision
    const owned: [key: string, metadata: KubeObject['metadata']][] = []
    for (const { key, value } of storage.range(REGISTRY, prefixEnd(REGISTRY)))
      this.#observe(key, value, (metadata) => void owned.push([key, metadata]))
    this.#queueUnowned(owned)
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

  /** What names this uid as an owner. */
  dependentsOf(uid: string): readonly { readonly type: ResourceType; readonly object: KubeObject }[] {
    return [...this.#graph.dependentsOf(uid)].flatMap((key) => this.#read(key) ?? [])
  }

  #retryUndecided(): void {
    const keys = [...this.#undecided]
    this.#undecided.clear()
    for (const key of keys) this.#queue.add(key)
  }

  #follow(changes: readonly Change[]): void {
    for (const { type, key, value, previous } of changes) {
      if (type === 'updated' && previous !== undefined && haveSameOwners(bufferOf(previous.value), bufferOf(value as Uint8Array))) continue
      if (type !== 'deleted') this.#observe(key, value as Uint8Array)
      else if (!this.#graph.isEmpty && previous !== undefined)
        for (const each of this.#graph.remove(key, StoredObject.ofBytes(key, 0, previous.value))) this.#queue.add(each)
    }
  }

  /** Nearly all that has owners when the server starts has every one of them, and is not looked at again. An owner of many is looked up once. */
  #queueUnowned(owned: readonly (readonly [key: string, metadata: KubeObject['metadata']])[]): void {
    const states = new Map<string, OwnerState>()
    const stateOf = (owner: OwnerReference, namespace: string): OwnerState => {
      const name = JSON.stringify([namespace, owner.apiVersion, owner.kind, owner.name, owner.uid])
      const state = states.get(name) ?? this.#stateOf(owner, namespace)
      states.set(name, state)
      return state
    }
    for (const [key, { ownerReferences = [], namespace = '', deletionTimestamp }] of owned)
      if (deletionTimestamp !== undefined || ownerReferences.some((owner) => stateOf(owner, namespace) !== 'present')) this.#queue.add(key)
  }

  #observe(key: string, value: Uint8Array, onOwned = (_metadata: KubeObject['metadata']): void => this.#queue.add(key)): void {
    const bytes = bufferOf(value)
    if (!bytes.includes(OWNERS) && !bytes.includes(FOREGROUND) && !bytes.includes(ORPHAN)) {
      for (const each of this.#graph.clear(key)) this.#queue.add(each)
      return
    }
    const { metadata } = StoredObject.ofBytes(key, 0, value)
    for (const each of this.#graph.put(key, { metadata })) this.#queue.add(each)
    const { ownerReferences = [], deletionTimestamp } = metadata
    if (ownerReferences.length > 0 || deletionTimestamp !== undefined) onOwned(metadata)
  }

  async #process(key: string): Promise<void> {
    this.#undecided.delete(key)
    const found = this.#read(key)
    if (found === undefined) return
    const { type, object } = found
    const { deletionTimestamp, finalizers = [], ownerReferences = [] } = object.metadata
    if (deletionTimestamp !== undefined) {
      if (finalizers.includes('orphan')) await this.#orphan(type, object)
      else if (waitsForDependents(object) && !this.#graph.isBlocked(object.metadata.uid ?? ''))
        await this.#dropFinalizer(type, object, 'foregroundDeletion')
      return
    }
    if (ownerReferences.length > 0) await this.#judge(key, type, object)
  }

  /** Deletes the object if every owner is known to be gone; drops references to the ones that are, or that wait for it. */
  async #judge(key: string, type: ResourceType, object: KubeObject): Promise<void> {
    const { ownerReferences = [], namespace = '' } = object.metadata
    const states = ownerReferences.map((owner) => ({ owner, state: this.#stateOf(owner, namespace) }))
    const invalid = states.find(({ state }) => state === 'invalid')
    if (invalid !== undefined) return this.#tell(object, invalid.owner)
    if (states.some(({ state }) => state === 'unknown')) {
      this.#undecided.add(key)
      return
    }
    if (states.some(({ state }) => state === 'present')) {
      const drop = new Set(states.filter(({ state }) => state !== 'present').map(({ owner }) => owner.uid))
      if (drop.size > 0) await this.#dropOwners(type, object, drop)
      return
    }
    const hasDependents = this.#graph.dependentsOf(object.metadata.uid ?? '').size > 0
    if (hasDependents && states.some(({ state }) => state === 'waiting')) {
      // Its owners wait for it, and it for its dependents.
      if (this.#isInCircle(object)) await this.#unblockOwners(type, object)
      await this.#delete(key, type, 'Foreground')
      return
    }
    const { finalizers = [] } = object.metadata
    await this.#delete(
      key,
      type,
      finalizers.includes('orphan') ? 'Orphan' : finalizers.includes('foregroundDeletion') ? 'Foreground' : 'Background',
    )
  }

  /** As it is now, so that somebody who gives it another owner in this very moment is not overruled: then it is looked at again. */
  async #delete(key: string, type: ResourceType, propagationPolicy: 'Orphan' | 'Foreground' | 'Background'): Promise<void> {
    const object = this.#read(key)?.object
    if (object === undefined) return
    const { uid = '', resourceVersion = '' } = object.metadata
    await this.#writer
      .delete(type, object, { propagationPolicy, preconditions: { uid, resourceVersion } })
      .catch(unless('NotFound', 'Conflict'))
  }

  /** Does one of its dependents wait already? Then waiting for it would be waiting for oneself. */
  #isInCircle({ metadata }: KubeObject): boolean {
    for (const key of this.#graph.dependentsOf(metadata.uid ?? '')) {
      const dependent = this.#read(key)
      if (dependent !== undefined && waitsForDependents(dependent.object)) return true
    }
    return false
  }

  async #unblockOwners(type: ResourceType, object: KubeObject): Promise<void> {
    await this.#change(type, object, (live) =>
      withMeta(live, { ownerReferences: live.metadata.ownerReferences?.map((owner) => ({ ...owner, blockOwnerDeletion: false })) }),
    )
  }

  async #dropOwners(type: ResourceType, object: KubeObject, uids: ReadonlySet<string>): Promise<void> {
    await this.#change(type, object, (live) => {
      const left = (live.metadata.ownerReferences ?? []).filter(({ uid }) => !uids.has(uid))
      return withMeta(live, { ownerReferences: left.length > 0 ? left : undefined })
    })
  }

  async #dropFinalizer(type: ResourceType, object: KubeObject, finalizer: string): Promise<void> {
    await this.#change(type, object, (live) => {
      const left = (live.metadata.finalizers ?? []).filter((each) => each !== finalizer)
      return withMeta(live, { finalizers: left.length > 0 ? left : undefined })
    })
  }

  /** Of this object, not of a namesake that came after it. */
  async #change(type: ResourceType, object: KubeObject, transform: (live: KubeObject) => KubeObject): Promise<void> {
    await this.#writer
      .update(type, object, '', (live) => (live.metadata.uid === object.metadata.uid ? transform(live) : live))
      .catch(unless('NotFound'))
  }

  async #orphan(type: ResourceType, object: KubeObject): Promise<void> {
    const uid = object.metadata.uid ?? ''
    const keys = [...this.#graph.dependentsOf(uid)]
    for (let at = 0; at < keys.length; at += CONCURRENCY)
      await Promise.all(
        keys.slice(at, at + CONCURRENCY).map(async (key) => {
          const dependent = this.#read(key)
          if (dependent !== undefined) await this.#dropOwners(dependent.type, dependent.object, new Set([uid]))
        }),
      )
    await this.#dropFinalizer(type, object, 'orphan')
  }

  #stateOf(owner: OwnerReference, namespace: string): OwnerState {
    const type = this.#services.catalog.findAnyVersion(parseGroupVersion(owner.apiVersion).group, owner.kind)
    if (type === undefined) return namespace !== '' && this.#graph.isGone(owner.uid) ? 'absent' : 'unknown'
    if (type.namespaced && namespace === '') return 'invalid'
    const found = this.#services.catalog.store(type).get(storageKey(type, namespace, owner.name))
    if (found === undefined) return 'absent'
    const { metadata } = found
    if (metadata.uid !== owner.uid) return 'absent'
    return waitsForDependents({ metadata }) ? 'waiting' : 'present'
  }

  /** Whoever looks at the object is to learn why it stays. */
  async #tell(object: KubeObject, owner: OwnerReference): Promise<void> {
    const type = this.#services.catalog.find('', 'v1', 'events')
    if (type === undefined) return
    const event = invalidOwnerEvent(object, owner, this.#services.now())
    if (this.#services.catalog.store(type).get(storageKey(type, event.metadata.namespace ?? '', event.metadata.name ?? '')) !== undefined)
      return
    await this.#writer.create(type, event).catch(unless('AlreadyExists'))
  }

  #read(key: string): { type: ResourceType; object: KubeObject } | undefined {
    const type = typeOfKey(this.#services.catalog, key)
    const object = type === undefined ? undefined : this.#services.catalog.store(type).get(key)?.object
    return type === undefined || object === undefined ? undefined : { type, object }
  }
}

const bufferOf = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer => Buffer.from(buffer, byteOffset, byteLength)

/** The stored version's type for a key, whatever version it is asked in. */
function typeOfKey(catalog: Catalog, key: string): ResourceType | undefined {
  const candidates = catalog.atPrefix(key.split('/').slice(0, 4).join('/') + '/')
  return candidates.find((type) => type.version === type.storage.version && type.group === type.storage.group) ?? candidates[0]
}

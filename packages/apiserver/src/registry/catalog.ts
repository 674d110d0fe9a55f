import { compareVersions, formatGroupVersion } from '@weft/api'
import { objectKey, type Storage } from '../storage/index.ts'
import type { ResourceType } from './resource-type.ts'
import { RecentBytes } from './recent-bytes.ts'
import { ObjectStore } from './store.ts'

/**
 * Which resources are served right now, and where their objects are. Custom resources come and go at run time;
 * `generation` moves with every change, so that discovery and OpenAPI know when to recompute.
 */
export class Catalog {
  readonly #storage: Storage
  readonly #recent: RecentBytes
  readonly #types = new Map<string, ResourceType>()
  /** Served versions by `group/kind`, preferred first, and by where their objects are. */
  readonly #byKind = new Map<string, readonly ResourceType[]>()
  readonly #byPrefix = new Map<string, readonly ResourceType[]>()
  readonly #byGroupVersion = new Map<string, Set<ResourceType>>()
  readonly #stores = new Map<string, ObjectStore>()
  readonly #listeners = new Set<() => void>()
  /** Whoever has a type in use for long, and what to do when it is served so no longer. */
  readonly #users = new Map<ResourceType, Set<() => void>>()
  #generation = 1

  constructor(storage: Storage) {
    this.#storage = storage
    this.#recent = new RecentBytes(storage)
  }

  get generation(): number {
    return this.#generation
  }

  find(group: string, version: string, plural: string): ResourceType | undefined {
    return this.#types.get(key(group, version, plural))
  }

  /** A kind that every server has, in v1: what the server itself keeps there is found whatever else is served. */
  builtIn(group: string, plural: string): ResourceType {
    const type = this.find(group, 'v1', plural)
    if (type === undefined) throw new Error(`the server has no ${formatGroupVersion({ group, version: 'v1' })} ${plural}`)
    return type
  }

  findKind(group: string, version: string, kind: string): ResourceType | undefined {
    return this.#byKind.get(`${group}/${kind}`)?.find((type) => type.version === version)
  }

  /** Any served version of this kind, the preferred one first. */
  findAnyVersion(group: string, kind: string): ResourceType | undefined {
    return this.#byKind.get(`${group}/${kind}`)?.[0]
  }

  /** The types whose objects are kept below this prefix. */
  atPrefix(prefix: string): readonly ResourceType[] {
    return this.#byPrefix.get(prefix) ?? []
  }

  all(): readonly ResourceType[] {
    return [...this.#types.values()]
  }

  /** Every group version in which something is served, with one of the types that are. */
  groupVersions(): readonly ResourceType[] {
    return [...this.#byGroupVersion.values()].flatMap(([first]) => first ?? [])
  }

  /**
   * Replaces what `owner` (a CRD name, or 'builtin') contributes. An empty list takes everything of that owner away. Unless told that they
   * mean the same, users of the old types learn of it.
   */
  replace(old: readonly ResourceType[], next: readonly ResourceType[], areSame = false): void {
    for (const type of old) this.#types.delete(key(type.group, type.version, type.plural))
    for (const type of next) this.#types.set(key(type.group, type.version, type.plural), type)
    for (const type of old) this.#index(type, false)
    for (const type of next) this.#index(type, true)
    this.#generation++
    for (const listener of this.#listeners) listener()
    for (const type of old) this.#retire(type, areSame ? next.find(({ version }) => version === type.version) : undefined)
  }

  /**
   * Calls `onRetired` once, when what defines this type has changed or is gone: it may be served no longer, or otherwise than `type` says.
   * Answers how to stop waiting for it.
   */
  whenRetired(type: ResourceType, onRetired: () => void): () => void {
    if (!type.custom) return () => undefined
    if (this.find(type.group, type.version, type.plural) !== type) {
      onRetired()
      return () => undefined
    }
    const users = this.#users.get(type) ?? new Set()
    this.#users.set(type, users.add(onRetired))
    return () => void users.delete(onRetired)
  }

  #retire(type: ResourceType, same: ResourceType | undefined): void {
    const users = this.#users.get(type)
    this.#users.delete(type)
    if (same !== undefined && users !== undefined) this.#users.set(same, users)
    else for (const onRetired of users ?? []) onRetired()
  }

  #index(type: ResourceType, served: boolean): void {
    const set = (map: Map<string, readonly ResourceType[]>, at: string): void => {
      const others = (map.get(at) ?? []).filter((other) => other !== type)
      const all = served ? [...others, type].sort((a, b) => compareVersions(a.version, b.version)) : others
      if (all.length === 0) map.delete(at)
      else map.set(at, all)
    }
    set(this.#byKind, `${type.group}/${type.kind}`)
    set(this.#byPrefix, type.storage.prefix)
    const groupVersion = formatGroupVersion(type)
    const types = this.#byGroupVersion.get(groupVersion) ?? new Set()
    if (served) types.add(type)
    else types.delete(type)
    if (types.size === 0) this.#byGroupVersion.delete(groupVersion)
    else this.#byGroupVersion.set(groupVersion, types)
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** The objects of a type; shared by all versions of it. */
  store(type: ResourceType): ObjectStore {
    let store = this.#stores.get(type.storage.prefix)
    if (store === undefined) {
      store = new ObjectStore(this.#storage, type.storage.prefix, this.#recent)
      this.#stores.set(type.storage.prefix, store)
    }
    return store
  }

  /** Forgets the in-memory objects of a resource that is served no longer. */
  dropStore(prefix: string): void {
    this.#stores.get(prefix)?.close()
    this.#stores.delete(prefix)
  }

  close(): void {
    for (const store of this.#stores.values()) store.close()
    this.#stores.clear()
  }
}

const key = (group: string, version: string, plural: string): string => `${formatGroupVersion({ group, version })}/${plural}`

export function storageKey(type: ResourceType, namespace: string, name: string): string {
  return objectKey(type.storage.prefix, type.namespaced ? namespace : undefined, name)
}

/** The key prefix of all objects of a type, or of those in one namespace. */
export function scanPrefix(type: ResourceType, namespace: string): string {
  return type.namespaced && namespace !== '' ? `${type.storage.prefix}${namespace}/` : type.storage.prefix
}

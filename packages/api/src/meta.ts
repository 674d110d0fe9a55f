/**
 * The object model every package shares. Objects are immutable: whatever a store, a cache or a client hands out
 * is shared and must never be written to; an update builds a new object that shares the unchanged parts.
 */
export type JsonValue = string | number | bigint | boolean | null | readonly JsonValue[] | JsonObject
export interface JsonObject {
  readonly [key: string]: JsonValue | undefined
}

export interface OwnerReference {
  readonly apiVersion: string
  readonly kind: string
  readonly name: string
  readonly uid: string
  readonly controller?: boolean
  readonly blockOwnerDeletion?: boolean
}

export interface ManagedFieldsEntry {
  readonly manager?: string
  readonly operation?: 'Apply' | 'Update'
  readonly apiVersion?: string
  readonly time?: string
  readonly fieldsType?: string
  readonly fieldsV1?: JsonObject
  readonly subresource?: string
}

export interface ObjectMeta {
  readonly name?: string
  readonly generateName?: string
  readonly namespace?: string
  readonly uid?: string
  readonly resourceVersion?: string
  readonly generation?: number
  readonly creationTimestamp?: string
  readonly deletionTimestamp?: string
  readonly deletionGracePeriodSeconds?: number
  readonly labels?: Readonly<Record<string, string>>
  readonly annotations?: Readonly<Record<string, string>>
  readonly ownerReferences?: readonly OwnerReference[]
  readonly finalizers?: readonly string[]
  readonly managedFields?: readonly ManagedFieldsEntry[]
  readonly selfLink?: string
}

export interface KubeObject {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: ObjectMeta
  readonly [field: string]: unknown
}

export interface ListMeta {
  readonly resourceVersion?: string
  readonly continue?: string
  readonly remainingItemCount?: number
}

export interface KubeList<T = KubeObject> {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: ListMeta
  readonly items: readonly T[]
}

/** A copy of `object` with `changes` merged into its metadata; a key set to undefined is removed. */
export function withMeta<T extends KubeObject>(object: T, changes: { readonly [K in keyof ObjectMeta]?: ObjectMeta[K] | undefined }): T {
  const metadata: Record<string, unknown> = { ...object.metadata }
  for (const key of Object.keys(changes) as (keyof ObjectMeta)[]) {
    const value = changes[key]
    if (value !== undefined) metadata[key] = value
    else if (key in metadata) delete metadata[key]
  }
  return { ...object, metadata }
}

/** Is `value` a JSON object (not null, not a list)? */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The object's `spec`; empty where there is none that could be read. */
export const specOf = (object: { readonly [field: string]: unknown } | null | undefined): JsonObject =>
  isJsonObject(object?.['spec']) ? object['spec'] : {}

/** The object's `status`; empty where there is none that could be read. */
export const statusOf = (object: { readonly [field: string]: unknown } | null | undefined): JsonObject =>
  isJsonObject(object?.['status']) ? object['status'] : {}

/**
 * Sets an own property whatever its name. Plain assignment of the key `__proto__` would change the prototype
 * instead of storing data, and user data may carry that key.
 */
export function setOwn(target: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__') Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true })
  else target[key] = value
}

/** The own property `key`, never one inherited from Object.prototype (`constructor`, `__proto__`). */
export function getOwn<V>(target: { readonly [key: string]: V }, key: string): V | undefined
export function getOwn(target: object, key: string): unknown
export function getOwn(target: object, key: string): unknown {
  return Object.hasOwn(target, key) ? (target as Record<string, unknown>)[key] : undefined
}

/** Structural equality of JSON values. Key order does not matter; undefined members count as absent. */
export function deepEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a)) {
    if (!Array.isArray(b) || a.length !== b.length) return false
    return a.every((item, index) => deepEqual(item, b[index]))
  }
  if (Array.isArray(b)) return false
  return sameMembers(a, b)
}

/** Values are compared from one side only: comparing them from both at every level would double the work with each level. */
function sameMembers(a: object, b: object): boolean {
  for (const key of Object.keys(a)) {
    const value = (a as Record<string, unknown>)[key]
    if (value !== undefined && !deepEqual(value, getOwn(b, key))) return false
  }
  for (const key of Object.keys(b)) if ((b as Record<string, unknown>)[key] !== undefined && getOwn(a, key) === undefined) return false
  return true
}

import { type KubeObject, type ManagedFieldsEntry, type Schema, withMeta } from '@weft/api'
import { capUpdateManagers } from './cap-managers.ts'
import { type FieldSet, isEmptySet, union } from './fields/field-set.ts'
import { TypeMismatch } from './typed/list-items.ts'
import { decodeManagedFields, encodeManagedFields, isReset, managedSet, type Managers, owning, sameEntries } from './managed-fields.ts'
import { disown, reconcileManagers } from './ownership.ts'
import { rootType } from './typed/type.ts'
import { type ConvertVersion, Versions } from './versions.ts'

/** What both kinds of write say about the request. */
export interface WriteContext {
  /** Who writes: the `fieldManager` parameter, or the first part of the user agent. */
  readonly manager: string
  /** The version of the request; the objects are given in it. */
  readonly apiVersion: string
  /** `status`, or another subresource; absent for the main resource. */
  readonly subresource?: string | undefined
  /** Now, as `formatTime` writes it. */
  readonly time: string
  /** Absent: the kind has no schema, and types are deduced from values. */
  readonly schema?: Schema | undefined
  /** A kind of Kubernetes itself: its value structs exist even when empty. */
  readonly builtIn?: boolean | undefined
  /** Fields that this endpoint sets back (`status` on the main resource, `spec` and `metadata` on status). */
  readonly resetFields?: FieldSet | undefined
  /** Needed when the kind is served in more than one version. */
  readonly convert?: ConvertVersion | undefined
}

export interface UpdateRequest extends WriteContext {
  /** Creates, updates and patches are all recorded as Update; applying is another function. */
  readonly operation?: 'Update'
  /** Undefined when the object is created. */
  readonly live: KubeObject | undefined
  /** The object to store, merged and defaulted; its managedFields are what the client sent. */
  readonly next: KubeObject
}

/**
 * Records who owns what after a create, update or patch. Answers `next` with managedFields brought up to date; a write
 * that changes nothing leaves them exactly as they were, so the caller can tell that there is nothing to store. Never
 * fails: an object whose owners cannot be told is stored without managedFields.
 */
export function trackUpdate(request: UpdateRequest): KubeObject {
  const { live, next } = request
  const managers = managersOf(request)
  // Tracking starts at creation or with the first apply; an object that was never tracked stays so.
  if (managers.size === 0 && live?.metadata.uid !== undefined) return withManagedFields(next, undefined)
  try {
    recordUpdate(managers, request)
  } catch (error) {
    if (error instanceof TypeMismatch) return withManagedFields(next, undefined)
    throw error
  }
  return withManagedFields(next, reuse(encodeManagedFields(managers), live?.metadata.managedFields))
}

/** Changes `managers` by one update. Throws TypeMismatch. */
export function recordUpdate(managers: Managers, request: UpdateRequest): void {
  const { manager, apiVersion, subresource = '', time, schema, builtIn = false, resetFields, convert } = request
  const type = rootType(schema, { builtIn })
  const versions = new Versions(convert, builtIn)
  const nothing: KubeObject = { apiVersion, kind: request.next.kind, metadata: {} }
  const live = { apiVersion, object: request.live ?? nothing, type }
  const next = { apiVersion, object: request.next, type }

  reconcileManagers(managers, live, versions)
  const { added, modified } = disown(managers, { live, next, versions, resetFields }, undefined, true)
  const taken = union(modified, added)
  if (!isEmptySet(taken)) {
    const self = managedSet({ manager, operation: 'Update', apiVersion, subresource }, taken, time)
    const before = managers.get(self.id)
    managers.set(self.id, before === undefined ? self : owning(self, union(before.set, taken)))
  }
  capUpdateManagers(managers)
}

/** The owners before the write: those the client sent when they can be read, else those of the live object. */
function managersOf({ live, next, subresource = '', builtIn = false }: UpdateRequest): Managers {
  const stored = live?.metadata.managedFields ?? []
  const sent = next.metadata.managedFields
  // A new object has no owners yet, and a subresource does not change who they are.
  if (live === undefined || subresource !== '' || !Array.isArray(sent)) return decodeOrNone(stored)
  // An empty list is a reset only for built-in kinds; in a custom resource it reads as if it were absent.
  if (sent.length === 0 ? builtIn : isReset(sent)) return new Map()
  // A client that sends back what it read: take the stored entries, they are decoded already.
  if (sameEntries(sent, stored)) return decodeOrNone(stored)
  const managers = decodeOrNone(sent)
  return managers.size === 0 ? decodeOrNone(stored) : managers
}

function decodeOrNone(entries: readonly ManagedFieldsEntry[]): Managers {
  try {
    return decodeManagedFields(entries)
  } catch {
    return new Map()
  }
}

export function withManagedFields(object: KubeObject, managedFields: readonly ManagedFieldsEntry[] | undefined): KubeObject {
  return object.metadata.managedFields === managedFields ? object : withMeta(object, { managedFields })
}

/** The old list itself when the new one holds the same entries. */
export function reuse(
  entries: readonly ManagedFieldsEntry[] | undefined,
  old: readonly ManagedFieldsEntry[] | undefined,
): readonly ManagedFieldsEntry[] | undefined {
  const same = entries?.length === old?.length && entries?.every((entry, index) => entry === old?.[index])
  return same === true ? old : entries
}

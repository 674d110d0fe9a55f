import { compareText, isJsonObject, type ManagedFieldsEntry } from '@weft/api'
import { type FieldSet, isEmptySet } from './fields/field-set.ts'
import { decodeFieldsV1 } from './fields/fields-v1.ts'
import { sharedFields } from './fields/shared-fields.ts'

/** One manager and what it owns: a managedFields entry, decoded. */
export interface ManagedSet {
  /** Equal for entries that are the same manager: an applier counts as one in all versions, an updater per version. */
  readonly id: string
  readonly manager: string
  readonly operation: 'Apply' | 'Update'
  readonly apiVersion: string
  readonly subresource: string
  readonly time: string | undefined
  readonly set: FieldSet
  /** The stored entry that this was read from, when nothing has changed since. */
  readonly entry?: ManagedFieldsEntry | undefined
}

/** The managers of one object by id. */
export type Managers = Map<string, ManagedSet>

type Identity = Pick<ManagedSet, 'manager' | 'operation' | 'apiVersion' | 'subresource'>

/** The order of conflicting managers in messages depends on this text. */
export function managerId({ manager, operation, apiVersion, subresource }: Identity): string {
  const version = operation === 'Apply' || apiVersion === '' ? '' : `,"apiVersion":${JSON.stringify(apiVersion)}`
  const below = subresource === '' ? '' : `,"subresource":${JSON.stringify(subresource)}`
  return `{${manager === '' ? '' : `"manager":${JSON.stringify(manager)},`}"operation":"${operation}"${version}${below}}`
}

/** Identity of the writer of a request. */
export function managedSet(identity: Identity, set: FieldSet, time: string | undefined): ManagedSet {
  const { operation, apiVersion, subresource } = identity
  const manager = identity.manager === '' ? 'unknown' : identity.manager
  return { id: managerId({ manager, operation, apiVersion, subresource }), manager, operation, apiVersion, subresource, time, set }
}

/** `managed` owning `set` from now on. */
export const owning = (managed: ManagedSet, set: FieldSet, time: string | undefined = managed.time): ManagedSet => ({
  id: managed.id,
  manager: managed.manager,
  operation: managed.operation,
  apiVersion: managed.apiVersion,
  subresource: managed.subresource,
  time,
  set,
})

// Entries are immutable and shared between revisions, so each is read once and an unchanged one is never rebuilt.
const decoded = new WeakMap<ManagedFieldsEntry, ManagedSet>()

/** Throws when an entry is malformed. */
export function decodeManagedFields(entries: readonly ManagedFieldsEntry[]): Managers {
  const managers: Managers = new Map()
  for (const [index, entry] of entries.entries()) {
    let known = decoded.get(entry)
    if (known === undefined) {
      known = decodeEntry(entry, index)
      decoded.set(entry, known)
    }
    managers.set(known.id, known)
  }
  return managers
}

function decodeEntry(entry: ManagedFieldsEntry, index: number): ManagedSet {
  if (typeof entry !== 'object' || entry === null) throw new Error(`managed fields entry ${index} is not an object`)
  const { manager = '', operation, apiVersion = '', time, fieldsType = '', subresource = '' } = entry
  if (operation !== 'Apply' && operation !== 'Update') throw new Error('operation must be `Apply` or `Update`')
  if (apiVersion === '') throw new Error('apiVersion must not be empty')
  if (fieldsType === '') throw new Error(`missing fieldsType in managed fields entry ${index}`)
  if (fieldsType !== 'FieldsV1') throw new Error(`invalid fieldsType "${fieldsType}" in managed fields entry ${index}`)
  const identity = { manager, operation, apiVersion, subresource }
  return { ...identity, id: managerId(identity), time: time ?? undefined, set: decodeFieldsV1(entry.fieldsV1), entry }
}

/** Throws what is wrong with managedFields that a client or an admission plug-in wrote. */
export function validateManagedFields(entries: readonly ManagedFieldsEntry[]): void {
  decodeManagedFields(entries)
}

/** The entries to store, in Kubernetes' order; undefined when there are none. Unchanged entries are the same objects. */
export function encodeManagedFields(managers: Managers): readonly ManagedFieldsEntry[] | undefined {
  if (managers.size === 0) return undefined
  return Array.from(managers.values()).sort(compareManagers).map(encodeEntry)
}

function encodeEntry(managed: ManagedSet): ManagedFieldsEntry {
  const { manager, operation, apiVersion, subresource, time, set } = managed
  if (managed.entry !== undefined) return managed.entry
  const fieldsV1 = sharedFields(set)
  const entry: ManagedFieldsEntry = {
    ...(manager !== '' && { manager }),
    operation,
    apiVersion,
    ...(time !== undefined && { time }),
    fieldsType: 'FieldsV1',
    fieldsV1,
    ...(subresource !== '' && { subresource }),
  }
  // It comes back with the next write.
  decoded.set(entry, { ...managed, set: fieldsV1, entry })
  return entry
}

function compareManagers(a: ManagedSet, b: ManagedSet): number {
  return (
    compareText(a.operation, b.operation) ||
    (a.time === b.time ? 0 : seconds(a.time) - seconds(b.time)) ||
    compareText(a.manager, b.manager) ||
    compareText(a.apiVersion, b.apiVersion) ||
    compareText(a.subresource, b.subresource)
  )
}

/** Unix seconds; no time at all, or none that can be read, sorts first. */
export function seconds(time: string | undefined): number {
  const millis = Date.parse(time ?? '')
  return Number.isNaN(millis) ? 0 : Math.floor(millis / 1000)
}

/** Removes the managers that own nothing any more. */
export function dropEmpty(managers: Managers): void {
  for (const [id, { set }] of managers) if (isEmptySet(set)) managers.delete(id)
}

/** Writing `managedFields: [{}]` asks to forget all owners. */
export function isReset(entries: readonly ManagedFieldsEntry[]): boolean {
  const [first] = entries
  return entries.length === 1 && isJsonObject(first) && Object.keys(first).length === 0
}

/** Do the two lists say the same? Told for entries as they come back from a client that read them here. */
export function sameEntries(a: readonly ManagedFieldsEntry[], b: readonly ManagedFieldsEntry[]): boolean {
  return a.length === b.length && a.every((entry, index) => sameTree(entry, b[index]))
}

/** Equality of JSON with keys in the same order: what was echoed comes in order, and a wrong no costs only time. */
function sameTree(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (!isJsonObject(a) || !isJsonObject(b)) return false
  const keys = Object.keys(a)
  const others = Object.keys(b)
  if (keys.length !== others.length) return false
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i] as string
    if (key !== others[i] || !sameTree(a[key], b[key])) return false
  }
  return true
}

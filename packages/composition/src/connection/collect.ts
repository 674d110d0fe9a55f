import { field, type FieldError, getOwn, setOwn } from '@weft/api'
import { type DetailValue, toBase64 } from './data.ts'
import type { ConnectionDetail } from './detail.ts'

/** The details of one member, in the order in which its group lists it. */
export interface MemberDetails<V extends DetailValue = DetailValue> {
  /** How messages name the member, e.g. `SQLServer/default-sql-d82nd`. */
  readonly member: string
  readonly data: Readonly<Record<string, V>>
  /** Prepended to each of its keys (A21). */
  readonly prefix?: string | undefined
}

/** One key that several members published with different values (B3). */
export interface DetailConflict {
  readonly key: string
  /** The member whose value stands: the last. */
  readonly kept: string
  readonly dropped: readonly string[]
}

/**
 * A20, B2: the union of what the members publish. B3: on a conflict the last member wins, always, and the caller is told so that it can
 * warn. Two members that agree on a value do not conflict.
 */
export function uniteDetails<V extends DetailValue>(
  members: readonly MemberDetails<V>[],
): { readonly data: Readonly<Record<string, V>>; readonly conflicts: readonly DetailConflict[] } {
  const data: Record<string, V> = {}
  const writers = new Map<string, { member: string; value: V }[]>()
  for (const { member, data: details, prefix = '' } of members) {
    for (const name of Object.keys(details)) {
      const value = getOwn(details, name) as V
      const key = prefix + name
      setOwn(data, key, value)
      const earlier = writers.get(key)
      if (earlier === undefined) writers.set(key, [{ member, value }])
      else earlier.push({ member, value })
    }
  }
  const conflicts: DetailConflict[] = []
  for (const [key, all] of writers) {
    const last = all[all.length - 1] as { member: string; value: V }
    const dropped = all.filter(({ value }) => toBase64(value) !== toBase64(last.value)).map(({ member }) => member)
    if (dropped.length > 0) conflicts.push({ key, kept: last.member, dropped })
  }
  return { data, conflicts }
}

/** A template, as far as contracts are concerned. */
interface Exposing {
  readonly connectionDetails: readonly ConnectionDetail[]
}

/** C7: within one Composition no two details may have the same name. */
export function duplicateDetails(templates: readonly Exposing[]): readonly FieldError[] {
  const seen = new Set<string>()
  const errors: FieldError[] = []
  for (const detail of templates.flatMap((template) => template.connectionDetails)) {
    if (seen.has(detail.name)) errors.push(field.duplicate(`${detail.origin}.name`, detail.name))
    seen.add(detail.name)
  }
  return errors
}

/**
 * C16: every detail the definition promises must be exposed exactly once across all templates; several templates may share the
 * work. Empty when the contract holds. Details beyond the contract are allowed and filtered out when publishing.
 */
export function contractErrors(promised: readonly string[], templates: readonly Exposing[], path = 'spec.to'): readonly FieldError[] {
  const details = templates.flatMap((template) => template.connectionDetails)
  return promised.flatMap((name) => {
    const exposing = details.filter((detail) => detail.name === name)
    if (exposing.length === 0)
      return [field.required(path, `no template exposes the connection detail ${JSON.stringify(name)} that the definition promises`)]
    return exposing.slice(1).map((detail) => field.duplicate(`${detail.origin}.name`, name))
  })
}

/**
 * C16: what is published, only the promised keys. `missing` names promised keys that no member published yet. A definition
 * without a contract (undefined) publishes everything; an empty one publishes nothing.
 */
export function contractDetails<V extends DetailValue>(
  promised: readonly string[] | undefined,
  data: Readonly<Record<string, V>>,
): { readonly data: Readonly<Record<string, V>>; readonly missing: readonly string[] } {
  if (promised === undefined) return { data, missing: [] }
  const kept: Record<string, V> = {}
  const missing: string[] = []
  for (const name of promised) {
    const value = getOwn(data, name)
    if (value === undefined) missing.push(name)
    else setOwn(kept, name, value)
  }
  return { data: kept, missing }
}

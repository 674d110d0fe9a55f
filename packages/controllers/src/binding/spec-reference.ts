import { deepEqual, getOwn, type GroupKind, isJsonObject, type KubeObject, parseGroupVersion, specOf } from '@weft/api'
import { machineryOf, type MachineryPlace, machineryRef, type ObjectRef } from '@weft/composition'
import { claimRecordOf } from './claim-record.ts'

/** A reference in `spec` of a claim or of what it is bound to; one that cannot be read is as good as none. */
export const specRef = (
  object: KubeObject,
  field: 'classRef' | 'resourceRef' | 'claimRef' | 'aggregateRef' | 'compositeRef',
): ObjectRef | undefined => refAt(object, 'spec', field)

/** The same, wherever a kind keeps the fields that machinery uses. */
export function refAt(object: KubeObject, place: MachineryPlace, field: string): ObjectRef | undefined {
  const ref = machineryRef(object, place, field)
  return ref.ok ? ref.value : undefined
}

/** The name that such a reference holds, if it holds one. */
export const nameAt = (object: KubeObject, place: MachineryPlace, field: string): string | undefined =>
  refAt(object, place, field)?.name || undefined

/** Whose a resource is, or what it was made from. Never of a claim: its author writes its annotations. */
export const heldRef = (object: KubeObject, field: 'classRef' | 'claimRef'): ObjectRef | undefined =>
  claimRecordOf(object)?.[field] ?? specRef(object, field)

/** The kind that a reference names, if it names one. */
export function kindOfRef(ref: ObjectRef | undefined): GroupKind | undefined {
  if (ref?.kind === undefined || ref.kind === '') return undefined
  return { group: parseGroupVersion(ref.apiVersion ?? '').group, kind: ref.kind }
}

/** The object with these fields of its spec replaced; undefined removes one. The very same object when nothing changes. */
export const withSpec = <T extends KubeObject>(object: T, changes: Readonly<Record<string, unknown>>): T =>
  withMachinery(object, 'spec', changes)

/** The same, wherever a kind keeps the fields that machinery uses. */
export function withMachinery<T extends KubeObject>(object: T, place: MachineryPlace, changes: Readonly<Record<string, unknown>>): T {
  const before = machineryOf(object, place)
  const next: Record<string, unknown> = { ...before }
  for (const [key, value] of Object.entries(changes)) {
    if (value === undefined) delete next[key]
    else next[key] = value
  }
  if (deepEqual(next, before)) return object
  return { ...object, spec: place === 'spec' ? next : { ...specOf(object), [place.slice('spec.'.length)]: next } }
}

/** `matchLabels` of a selector; undefined when there is no selector. */
export function matchLabelsOf(selector: unknown): Readonly<Record<string, string>> | undefined {
  if (!isJsonObject(selector)) return undefined
  const labels = getOwn(selector, 'matchLabels')
  return isJsonObject(labels) ? (labels as Readonly<Record<string, string>>) : {}
}

/** Does the object carry all of these labels? */
export function hasLabels({ metadata }: KubeObject, wanted: Readonly<Record<string, string>>): boolean {
  const labels = metadata.labels ?? {}
  return Object.keys(wanted).every((key) => getOwn(labels, key) === getOwn(wanted, key))
}

import { getOwn, isJsonObject, type JsonObject, type KubeObject, parseGroupVersion } from '@weft/api'
import { failure, type Result, success } from '../result.ts'

/** A reference from one object to another; which parts are set depends on the field. */
export interface ObjectRef {
  readonly apiVersion?: string
  readonly kind?: string
  readonly namespace?: string
  readonly name?: string
  readonly uid?: string
}

const PARTS = ['apiVersion', 'kind', 'namespace', 'name', 'uid'] as const

/**
 * B18: seed 002 writes `compositionRef` and `resourceRef` as lists. An object, or a list of at most one, is that one; more is an
 * error, because either answer would be a guess. Null, absent and the empty list are no reference.
 */
export function singleReference(value: unknown, path: string): Result<ObjectRef | undefined> {
  if (value === undefined || value === null) return success(undefined)
  if (Array.isArray(value)) {
    if (value.length > 1) return invalid(path, `must be one reference, but there are ${value.length}`)
    return Array.isArray(value[0]) ? invalid(path, 'must be a reference') : singleReference(value[0] as unknown, path)
  }
  if (!isJsonObject(value)) return invalid(path, 'must be a reference')
  const ref: { -readonly [part in keyof ObjectRef]: ObjectRef[part] } = {}
  for (const part of PARTS) {
    const text = getOwn(value, part)
    if (typeof text === 'string') ref[part] = text
    else if (text !== undefined && text !== null) return invalid(`${path}.${part}`, 'must be a string')
  }
  return success(ref)
}

const invalid = (path: string, why: string) => failure('FieldInvalid', `${path}: ${why}`, { path })

/**
 * Where a kind keeps the fields that machinery uses: `spec.infrastructure` for defined infrastructure and requirements, `spec.application` for
 * applications (C10), `spec.crossplane` for composite resources (those of the older scope: `spec`), `spec` for claims and managed resources. The caller knows which; guessing from the object would let a user's own
 * field of that name change the answer.
 */
export type MachineryPlace = 'spec' | 'spec.infrastructure' | 'spec.application' | 'spec.crossplane'

/** The object that holds the machinery fields; empty when there is none yet. */
export function machineryOf(object: KubeObject, place: MachineryPlace): JsonObject {
  const spec = object['spec']
  const holder = place === 'spec' || !isJsonObject(spec) ? spec : getOwn(spec, place.slice('spec.'.length))
  return isJsonObject(holder) ? holder : {}
}

/** A machinery reference by name (`resourceRef`, `compositionRef`, `classRef`, `claimRef`, `requirementRef`...), normalised (B18). */
export const machineryRef = (object: KubeObject, place: MachineryPlace, name: string): Result<ObjectRef | undefined> =>
  singleReference(getOwn(machineryOf(object, place), name), `${place}.${name}`)

/**
 * X4: the same object? By uid where both have one, else by group, kind, namespace and name: seeds mix versions of one kind, so the
 * version does not count.
 */
export function sameReference(a: ObjectRef | undefined, b: ObjectRef | undefined): boolean {
  if (a === undefined || b === undefined) return false
  if (a.uid !== undefined && b.uid !== undefined) return a.uid === b.uid
  return (
    a.name !== undefined &&
    a.name === b.name &&
    a.kind === b.kind &&
    (a.namespace ?? '') === (b.namespace ?? '') &&
    parseGroupVersion(a.apiVersion ?? '').group === parseGroupVersion(b.apiVersion ?? '').group
  )
}

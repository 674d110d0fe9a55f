import { deepEqual, internalError, jsonSize, type KubeObject, messageOf, StatusError } from '@weft/api'
import { CelRuntimeError, configurationOf, operationsOf, type Value } from '@weft/cel'
import { deducedType, mergeValues, rootType, type Type, TypeMismatch, validateApplied } from '../../apply/index.ts'
import { jsonPatch, TestFailed } from '../../patch/index.ts'
import { checkedScale, type ResourceType, scaleMapping } from '../../registry/index.ts'
import type { CompiledMutation } from './compile-mutating-policy.ts'
import { findAtomics } from './find-atomics.ts'

/** Why a change cannot be made; the failure policy says what follows. */
export class MutationFailed extends Error {
  override readonly name = 'MutationFailed'
  readonly code = 'MutationFailed'
}

export interface Mutated {
  readonly type: ResourceType
  readonly subresource: string
  readonly object: KubeObject
}

/** No request is longer, so no object that a policy makes of one needs to be. */
export const MAX_OBJECT_SIZE: number = 3 * 1024 * 1024

/** The object with one change made to it; the same reference when it changes nothing. Throws MutationFailed or a StatusError. */
export function mutateObject(subject: Mutated, kind: CompiledMutation['kind'], result: Value): KubeObject {
  const { object } = subject
  const changed = kind === 'configuration' ? withConfiguration(subject, result) : withOperations(subject, result)
  if (changed === object || deepEqual(changed, object)) return object
  if (jsonSize(changed, MAX_OBJECT_SIZE) > MAX_OBJECT_SIZE)
    throw new MutationFailed(`the object would be longer than ${MAX_OBJECT_SIZE} characters`)
  return changed
}

function withConfiguration(subject: Mutated, result: Value): KubeObject {
  const { object } = subject
  const type = typeOf(subject)
  const configuration = { ...read(() => configurationOf(result, MAX_OBJECT_SIZE)), apiVersion: object.apiVersion, kind: object.kind }
  const problem = validateApplied(type, configuration)
  if (problem !== undefined) throw new MutationFailed(`error applying patch: failed to convert patch object to typed object: ${problem}`)
  const atomics = findAtomics(type, configuration)
  if (atomics.length > 0)
    throw new MutationFailed(
      `error applying patch: invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: ${atomics.join(', ')}`,
    )
  try {
    return decoded(subject, mergeValues(type, object, configuration) as KubeObject)
  } catch (error) {
    if (error instanceof TypeMismatch)
      throw new MutationFailed(`error applying patch: failed to convert original object to typed object: ${error.message}`)
    throw error instanceof NotReadable ? new MutationFailed(error.message, { cause: error }) : error
  }
}

function withOperations(subject: Mutated, result: Value): KubeObject {
  const { object, type } = subject
  const operations = read(() => operationsOf(result, MAX_OBJECT_SIZE))
  if (operations.length === 0) return object
  let patched: KubeObject
  try {
    patched = jsonPatch(object, operations) as KubeObject
  } catch (error) {
    const cause = error instanceof StatusError ? error.cause : error
    // The author wants it to be dropped where it does not fit.
    if (cause instanceof TestFailed) return object
    throw new MutationFailed(`JSON Patch: ${cause instanceof Error ? cause.message : messageOf(error)}`, { cause: error })
  }
  if (patched.apiVersion !== object.apiVersion || patched.kind !== object.kind)
    throw internalError(new Error('a policy may not change apiVersion and kind'))
  const unknown: string[] = []
  const next = readable(() => decoded(subject, patched, (path) => unknown.push(`unknown field "${path}"`)))
  if (unknown.length > 0 && !type.custom) throw internalError(new Error(`strict decoding error: ${unknown.join(', ')}`))
  return next
}

function read<T>(make: () => T): T {
  try {
    return make()
  } catch (error) {
    if (error instanceof CelRuntimeError) throw new MutationFailed(error.message, { cause: error })
    throw error
  }
}

/** A subresource with a body of its own kind has no schema here: its maps are merged, its lists are not. */
function typeOf({ type, subresource }: Mutated): Type {
  const ownKind = type.subresources.find(({ name }) => name === subresource)?.kind !== undefined
  return ownKind ? deducedType : rootType(type.schema, { builtIn: !type.custom })
}

/** What the patch made of the object is none of its kind. */
class NotReadable extends Error {
  override readonly name = 'NotReadable'
}

function readable<T>(make: () => T): T {
  try {
    return make()
  } catch (error) {
    throw error instanceof NotReadable ? internalError(error) : error
  }
}

function decoded({ type, subresource }: Mutated, object: KubeObject, onUnknown?: (path: string) => void): KubeObject {
  try {
    return scaleMapping(type, subresource) === undefined ? type.decode(object, onUnknown) : checkedScale(object)
  } catch (error) {
    throw new NotReadable(messageOf(error), { cause: error })
  }
}

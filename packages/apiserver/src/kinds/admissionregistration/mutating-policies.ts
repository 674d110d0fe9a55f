import { addErrors, type FieldError, field, indexPath, isJsonObject, type KubeObject } from '@weft/api'
import { at, isSet, listAt, textAt } from '../read.ts'
import { validateOperations, validateShared, validateSharedBinding } from './policies.ts'
import { REINVOCATION_POLICIES } from './rules.ts'

/** There is nothing to change in a request to delete. */
const OPERATIONS = ['*', 'CONNECT', 'CREATE', 'UPDATE']
const PATCH_TYPES = ['ApplyConfiguration', 'JSONPatch']

/** Shape only; whether the expressions compile is checked where they are compiled. */
export function validateMutatingPolicy(object: KubeObject, old?: KubeObject): FieldError[] {
  const errors = validateShared(object, old, OPERATIONS)
  const mutations = listAt(object, 'spec', 'mutations')
  if (mutations.length === 0) errors.push(field.required('spec.mutations', 'mutations must contain at least one item'))
  for (const [index, mutation] of mutations.entries()) addErrors(errors, validateMutation(mutation, indexPath('spec.mutations', index)))
  const reinvocation = textAt(object, 'spec', 'reinvocationPolicy')
  if (reinvocation === '') errors.push(field.required('spec.reinvocationPolicy'))
  else if (!REINVOCATION_POLICIES.includes(reinvocation))
    errors.push(field.notSupported('spec.reinvocationPolicy', reinvocation, REINVOCATION_POLICIES))
  return errors
}

function validateMutation(mutation: unknown, path: string): FieldError[] {
  const type = textAt(mutation, 'patchType')
  switch (type) {
    case '':
      return [field.required(`${path}.patchType`)]
    case 'JSONPatch':
      return validatePatch(mutation, path, { type, name: 'jsonPatch', other: 'applyConfiguration' })
    case 'ApplyConfiguration':
      return validatePatch(mutation, path, { type, name: 'applyConfiguration', other: 'jsonPatch' })
    default:
      return [field.notSupported(`${path}.patchType`, type, PATCH_TYPES)]
  }
}

interface PatchFields {
  readonly type: string
  readonly name: string
  readonly other: string
}

function validatePatch(mutation: unknown, path: string, { type, name, other }: PatchFields): FieldError[] {
  const patch = at(mutation, name)
  const errors: FieldError[] = []
  if (!isJsonObject(patch)) errors.push(field.required(`${path}.${name}`, `must be specified when patchType is ${type}`))
  else if (textAt(patch, 'expression').trim() === '') errors.push(field.required(`${path}.${name}.expression`))
  if (isSet(at(mutation, other)))
    errors.push(field.invalid(`${path}.${other}`, `{${other}}`, `must not be specified when patchType is ${type}`))
  return errors
}

export const validateMutatingBinding = (object: KubeObject): FieldError[] => [
  ...validateSharedBinding(object),
  ...validateOperations(at(object, 'spec', 'matchResources'), 'spec.matchResources', OPERATIONS),
]

import { type FieldError, isJsonObject, type KubeObject } from '@weft/api'
import { required } from '../messages.ts'
import { decodeCrd } from './decode.ts'
import { defaultCrd } from './defaults.ts'
import { validateCrdSpec } from './validate.ts'

/**
 * Everything that is wrong with a document that is to be a CustomResourceDefinition: fields of a wrong type or that there are not, and all that
 * a server would refuse. Nothing is trusted to have its shape.
 */
export function crdFaults(document: KubeObject): readonly FieldError[] {
  const { crd, unknown, mismatches } = decodeCrd(document)
  const shape = [
    ...mismatches.map(({ path, message }) => wrong(path, message)),
    ...unknown.map((path) => wrong(path, 'there is no such field in CustomResourceDefinition')),
  ]
  if (mismatches.length > 0) return shape
  if (!isJsonObject(document['spec'])) return [...shape, required('spec')]
  return [...shape, ...validateCrdSpec(defaultCrd(crd))]
}

const wrong = (path: string, message: string): FieldError => ({ type: 'FieldValueInvalid', path, message })

import { addErrors, field, type FieldError, getOwn, goType, isJsonObject, type KubeObject } from '@weft/api'
import type { ScaleMapping } from './resource-type.ts'

const MAX_REPLICAS = 2_147_483_647

/** What a definition's scale subresource asks of its objects. `statusOnly`: the spec is not being written. */
export function scaleErrors(
  object: KubeObject,
  { specReplicasPath, statusReplicasPath, labelSelectorPath }: ScaleMapping,
  statusOnly: boolean,
): FieldError[] {
  const errors = statusOnly ? [] : replicaErrors(object, specReplicasPath)
  addErrors(errors, replicaErrors(object, statusReplicasPath))
  if (labelSelectorPath !== undefined) {
    const found = read(object, labelSelectorPath)
    if (found.error !== undefined) errors.push(field.invalid(labelSelectorPath, '', found.error))
    else if (found.value !== undefined && typeof found.value !== 'string')
      errors.push(field.invalid(labelSelectorPath, '', accessorError(labelSelectorPath, found.value, 'string')))
  }
  return errors
}

function replicaErrors(object: KubeObject, path: string): FieldError[] {
  const { value, error } = read(object, path)
  if (error !== undefined) return [field.invalid(path, 0, error)]
  if (value === undefined) return []
  if (typeof value !== 'bigint' && !Number.isInteger(value)) return [field.invalid(path, 0, accessorError(path, value, 'int64'))]
  if (Number(value) < 0) return [field.invalid(path, value, 'should be a non-negative integer')]
  if (Number(value) > MAX_REPLICAS) return [field.invalid(path, value, `should be less than or equal to ${MAX_REPLICAS}`)]
  return []
}

/** The value at a dotted path, or why it cannot be looked up, in the words of Go's accessors. */
function read(object: KubeObject, path: string): { readonly value?: unknown; readonly error?: string } {
  let value: unknown = object
  const steps = path.replace(/^\./, '').split('.')
  for (const [i, step] of steps.entries()) {
    if (value === null || value === undefined) return {}
    if (!isJsonObject(value)) return { error: accessorError(`.${steps.slice(0, i + 1).join('.')}`, value, 'map[string]interface{}') }
    value = getOwn(value, step)
  }
  return { value: value === null ? undefined : value }
}

const accessorError = (path: string, value: unknown, expected: string): string =>
  `${path.startsWith('.') ? path : `.${path}`} accessor error: ${shown(value)} is of the type ${goType(value)}, expected ${expected}`

const shown = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value))

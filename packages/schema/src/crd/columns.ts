import { addErrors, type FieldError, type Schema } from '@weft/api'
import { resolveFieldPath } from '../structure/field-path.ts'
import { duplicate, invalid, required, tooMany } from '../messages.ts'
import type { CrdSubresources, PrinterColumn, SelectableField } from './types.ts'

const COLUMN_TYPES = ['boolean', 'date', 'integer', 'number', 'string']
const COLUMN_FORMATS = ['byte', 'date', 'date-time', 'double', 'float', 'int32', 'int64', 'password']
export const MAX_SELECTABLE_FIELDS = 8

export function columnErrors(column: PrinterColumn, path: string): FieldError[] {
  const errors: FieldError[] = []
  const types = `must be one of ${COLUMN_TYPES.join(',')}`
  if (!column.name) errors.push(required(`${path}.name`))
  if (!column.type) errors.push(required(`${path}.type`, types))
  else if (!COLUMN_TYPES.includes(column.type)) errors.push(invalid(`${path}.type`, column.type, types))
  if (column.format && !COLUMN_FORMATS.includes(column.format)) {
    errors.push(invalid(`${path}.format`, column.format, `must be one of ${COLUMN_FORMATS.join(',')}`))
  }
  if (!column.jsonPath) errors.push(required(`${path}.JSONPath`))
  else addErrors(errors, simplePathErrors(column.jsonPath, `${path}.JSONPath`))
  return errors
}

const simplePathErrors = (jsonPath: string, path: string): FieldError[] =>
  jsonPath.startsWith('.') ? [] : [invalid(path, jsonPath, 'must be a simple json path starting with .')]

export function subresourceErrors(subresources: CrdSubresources | undefined, path: string): FieldError[] {
  const scale = subresources?.scale
  if (scale === undefined) return []
  const check = (jsonPath: string, key: string, prefixes: readonly string[], why: string): FieldError[] => {
    const at = `${path}.scale.${key}`
    const errors = simplePathErrors(jsonPath, at)
    if (errors.length > 0) return errors
    return prefixes.some((prefix) => jsonPath.startsWith(prefix)) ? [] : [invalid(at, jsonPath, `should be a json path under ${why}`)]
  }
  return [
    ...(scale.specReplicasPath
      ? check(scale.specReplicasPath, 'specReplicasPath', ['.spec.'], '.spec')
      : [required(`${path}.scale.specReplicasPath`)]),
    ...(scale.statusReplicasPath
      ? check(scale.statusReplicasPath, 'statusReplicasPath', ['.status.'], '.status')
      : [required(`${path}.scale.statusReplicasPath`)]),
    ...(scale.labelSelectorPath
      ? check(scale.labelSelectorPath, 'labelSelectorPath', ['.spec.', '.status.'], 'either .spec or .status')
      : []),
  ]
}

interface SelectableRules {
  readonly schema: Schema
  readonly path: string
  /** The old definition already had more than the limit allows today, the same ones. */
  readonly allowTooMany: boolean
}

export function selectableFieldErrors(fields: readonly SelectableField[], { schema, path, allowTooMany }: SelectableRules): FieldError[] {
  const errors: FieldError[] = []
  const seen = new Set<string>()
  for (const [index, { jsonPath }] of fields.entries()) {
    const at = `${path}[${index}].jsonPath`
    if (!jsonPath) {
      errors.push(required(at))
      continue
    }
    const found = resolveFieldPath(jsonPath, schema, { allowBrackets: false })
    if ('error' in found) {
      errors.push(invalid(at, jsonPath, `is an invalid path: ${found.error}`))
      continue
    }
    if (found.root === 'metadata') errors.push(invalid(at, jsonPath, 'must not point to fields in metadata'))
    if (!['string', 'boolean', 'integer'].includes(found.schema?.type ?? '')) {
      const why = 'must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.'
      errors.push(invalid(at, jsonPath, why))
    }
    if (seen.has(found.path)) errors.push(duplicate(at, jsonPath))
    seen.add(found.path)
  }
  if (seen.size > MAX_SELECTABLE_FIELDS && !allowTooMany) errors.push(tooMany(path, seen.size, MAX_SELECTABLE_FIELDS))
  return errors
}

import type { FieldError, Schema } from '@weft/api'
import { invalid } from '../messages.ts'

/** Keywords in the order in which kube-apiserver looks at them, with the names it prints. */
const ALLOWED: Readonly<Record<string, string>> = {
  description: 'Description',
  type: 'Type',
  format: 'Format',
  title: 'Title',
  maximum: 'Maximum',
  exclusiveMaximum: 'ExclusiveMaximum',
  minimum: 'Minimum',
  exclusiveMinimum: 'ExclusiveMinimum',
  maxLength: 'MaxLength',
  minLength: 'MinLength',
  pattern: 'Pattern',
  maxItems: 'MaxItems',
  minItems: 'MinItems',
  uniqueItems: 'UniqueItems',
  multipleOf: 'MultipleOf',
  required: 'Required',
  items: 'Items',
  properties: 'Properties',
  externalDocs: 'ExternalDocs',
  example: 'Example',
  'x-kubernetes-preserve-unknown-fields': 'XPreserveUnknownFields',
  'x-kubernetes-validations': 'XValidations',
}

/** With a status subresource the root must say nothing that would tie spec and status together. */
export function rootKeywordErrors(schema: Schema, path: string): FieldError[] {
  if (schema.type !== undefined && schema.type !== '' && schema.type !== 'object') {
    const why = 'only "object" is allowed as the type at the root of the schema if the status subresource is enabled'
    return [invalid(`${path}.type`, schema.type, why)]
  }
  const odd = Object.entries(schema).find(([keyword, value]) => !Object.hasOwn(ALLOWED, keyword) && isSet(value))
  if (odd === undefined) return []
  const allowed = `[${Object.values(ALLOWED).join(' ')}]`
  return [invalid(path, schema, `only ${allowed} fields are allowed at the root of the schema if the status subresource is enabled`)]
}

const isSet = (value: unknown): boolean => value !== undefined && value !== null && value !== false && value !== ''

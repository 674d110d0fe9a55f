import { addErrors, type FieldError, type Schema, type ValidationRule } from '@weft/api'
import { resolveFieldPath } from '../structure/field-path.ts'
import { forbidden, invalid, notSupported, required } from '../messages.ts'
import { listTypeErrors, mapListKeyErrors } from './schema-lists.ts'
import type { SchemaRules } from './schema-rules.ts'

const TYPES = ['array', 'boolean', 'integer', 'number', 'object', 'string']
const REASONS = ['FieldValueDuplicate', 'FieldValueForbidden', 'FieldValueInvalid', 'FieldValueRequired']

interface Context {
  readonly rules: SchemaRules
  /** Why defaults are not allowed here; undefined when they are. */
  readonly noDefaults?: string
  /** Inside apiVersion, kind or metadata of a resource. */
  readonly insideMeta: boolean
  readonly isRoot: boolean
}

/** Keyword by keyword: unsupported ones, list and map types, defaults in the wrong place, rules that cannot be right. */
export function schemaErrors(schema: Schema, path: string, rules: SchemaRules): FieldError[] {
  return check(schema, path, { rules, insideMeta: false, isRoot: true })
}

function check(schema: Schema, path: string, context: Context): FieldError[] {
  const errors = [...keywordErrors(schema, path, context)]
  const nested: Context = { ...context, isRoot: false }
  if (schema.uniqueItems === true) {
    errors.push(forbidden(`${path}.uniqueItems`, 'uniqueItems cannot be set to true since the runtime complexity becomes quadratic'))
  }
  const additional = schema.additionalProperties
  if (additional !== undefined) {
    if (Object.keys(schema.properties ?? {}).length > 0 && additional !== true) {
      errors.push(forbidden(`${path}.additionalProperties`, 'additionalProperties and properties are mutual exclusive'))
    }
    const inner = context.insideMeta ? { ...nested, noDefaults: 'inside additionalProperties applying to object metadata' } : nested
    if (typeof additional === 'object') addErrors(errors, check(additional, `${path}.additionalProperties`, inner))
  }
  const isResource = context.isRoot || schema['x-kubernetes-embedded-resource'] === true
  for (const [key, property] of Object.entries(schema.properties ?? {})) {
    const isMeta = isResource && (key === 'apiVersion' || key === 'kind' || key === 'metadata')
    const inner = isMeta ? { ...nested, insideMeta: true, ...(context.isRoot && { noDefaults: `in top-level ${key}` }) } : nested
    addErrors(errors, check(property, `${path}.properties[${key}]`, inner))
  }
  if (schema.not !== undefined) addErrors(errors, check(schema.not, `${path}.not`, nested))
  for (const keyword of ['allOf', 'oneOf', 'anyOf'] as const) {
    for (const [index, part] of (schema[keyword] ?? []).entries()) addErrors(errors, check(part, `${path}.${keyword}[${index}]`, nested))
  }
  if (schema.items !== undefined && !Array.isArray(schema.items)) addErrors(errors, check(schema.items, `${path}.items`, nested))
  if (schema['x-kubernetes-preserve-unknown-fields'] === false) {
    errors.push(invalid(`${path}.x-kubernetes-preserve-unknown-fields`, false, 'must be true or undefined'))
  }
  addErrors(errors, listTypeErrors(schema, path, context.rules))
  if (context.rules.requireMapListKeys) addErrors(errors, mapListKeyErrors(schema, path))
  for (const [index, rule] of (schema['x-kubernetes-validations'] ?? []).entries()) {
    addErrors(errors, ruleErrors(rule, `${path}.x-kubernetes-validations[${index}]`, schema))
  }
  return errors
}

const unsupported = ['id', 'additionalItems', 'patternProperties', 'definitions', 'dependencies', '$ref'] as const

function keywordErrors(schema: Schema, path: string, { rules, noDefaults, insideMeta }: Context): FieldError[] {
  const errors: FieldError[] = []
  const type = schema.type ?? ''
  if (rules.requireKnownTypes && type !== '' && !TYPES.includes(type)) errors.push(notSupported(`${path}.type`, type, TYPES))
  if (schema.default !== undefined && noDefaults !== undefined) errors.push(forbidden(`${path}.default`, `must not be set ${noDefaults}`))
  for (const keyword of unsupported) {
    if ((schema as Readonly<Record<string, unknown>>)[keyword] !== undefined)
      errors.push(forbidden(`${path}.${keyword}`, `${keyword} is not supported`))
  }
  if (type === 'null') errors.push(forbidden(`${path}.type`, 'type cannot be set to null, use nullable as an alternative'))
  if (Array.isArray(schema.items) && schema.items.length > 0)
    errors.push(forbidden(`${path}.items`, 'items must be a schema object and not an array'))
  if (insideMeta && schema['x-kubernetes-embedded-resource'] === true) {
    errors.push(forbidden(`${path}.x-kubernetes-embedded-resource`, 'must not be used inside of resource meta'))
  }
  return errors
}

/** The text of a rule. Whether it compiles, and at what cost, is the rule compiler's to say. */
function ruleErrors(rule: ValidationRule, path: string, schema: Schema): FieldError[] {
  const errors: FieldError[] = []
  const message = (rule.message ?? '').trim()
  if ((rule.rule ?? '').trim() === '') errors.push(required(`${path}.rule`, 'rule is not specified'))
  else if (rule.message && message === '') errors.push(invalid(`${path}.message`, rule.message, 'must be non-empty if specified'))
  else if (hasNewline(message)) errors.push(invalid(`${path}.message`, rule.message, 'must not contain line breaks'))
  else if (hasNewline(rule.rule.trim()) && message === '') {
    errors.push(required(`${path}.message`, 'message must be specified if rule contains line breaks'))
  }
  if (rule.messageExpression && rule.messageExpression.trim() === '') {
    errors.push(required(`${path}.messageExpression`, 'messageExpression must be non-empty if specified'))
  }
  if (rule.reason !== undefined && !REASONS.includes(rule.reason)) errors.push(notSupported(`${path}.reason`, rule.reason, REASONS))
  if (!rule.fieldPath) return errors
  const at = `${path}.fieldPath`
  if (rule.fieldPath.trim() === '') errors.push(invalid(at, rule.fieldPath, 'must be non-empty if specified'))
  if (hasNewline(rule.fieldPath)) errors.push(invalid(at, rule.fieldPath, 'must not contain line breaks'))
  if ('error' in resolveFieldPath(rule.fieldPath, schema)) errors.push(invalid(at, rule.fieldPath, 'must be a valid path'))
  return errors
}

const hasNewline = (text: string): boolean => /[\n\r]/.test(text)

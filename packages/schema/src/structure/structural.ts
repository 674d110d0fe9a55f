import { addErrors, compareText, type FieldError, getOwn, type Schema } from '@weft/api'
import { completenessErrors } from './completeness.ts'
import { forbidden, invalid, required } from '../messages.ts'
import { compilePattern } from '../formats/pattern.ts'

/**
 * Why a schema is not structural; empty when it is. Structural means that every field has exactly one place where its
 * type is said, so that pruning, defaulting and merging need no guesses: value validation (allOf, anyOf, oneOf, not)
 * only restricts what the rest of the schema describes.
 */
export function nonStructuralReasons(schema: Schema, path = ''): FieldError[] {
  const unsupported = unsupportedKeyword(schema)
  if (unsupported !== undefined) return [invalid(path, '', unsupported)]
  const errors = [...invariantErrors(schema, 'root', path), ...completenessErrors(schema, path)]
  return errors.sort((a, b) => compareText(`${a.path}: ${a.message}`, `${b.path}: ${b.message}`))
}

const unsupportedKeywords = ['id', '$schema', '$ref', 'patternProperties', 'dependencies', 'additionalItems', 'definitions'] as const

/** A keyword of JSON Schema that cannot be part of a structural schema at all, anywhere in it; worded for the user. */
export function unsupportedKeyword(schema: Schema): string | undefined {
  const raw = schema as Readonly<Record<string, unknown>>
  for (const keyword of unsupportedKeywords) {
    if (isSet(raw[keyword])) return `OpenAPIV3Schema '${keyword === '$schema' ? 'schema' : keyword}' is not supported`
  }
  if (schema['x-kubernetes-preserve-unknown-fields'] === false) {
    return "internal error: 'x-kubernetes-preserve-unknown-fields' must be true or undefined"
  }
  if (Array.isArray(schema.items)) return "OpenAPIV3Schema 'items' must be a schema, but is an array"
  for (const child of childSchemas(schema)) {
    const found = unsupportedKeyword(child)
    if (found !== undefined) return found
  }
  return undefined
}

/** Every schema directly inside this one. */
export function childSchemas(schema: Schema): Schema[] {
  const children: Schema[] = []
  if (schema.items !== undefined) children.push(schema.items)
  if (typeof schema.additionalProperties === 'object') children.push(schema.additionalProperties)
  if (schema.not !== undefined) children.push(schema.not)
  children.push(...Object.values(schema.properties ?? {}), ...(schema.allOf ?? []), ...(schema.anyOf ?? []), ...(schema.oneOf ?? []))
  return children
}

const isSet = (value: unknown): boolean =>
  value !== undefined && value !== null && value !== '' && !(typeof value === 'object' && Object.keys(value).length === 0)

type Level = 'root' | 'item' | 'field'

const missingType: Readonly<Record<Level, string>> = {
  root: 'must not be empty at the root',
  item: 'must not be empty for specified array items',
  field: 'must not be empty for specified object fields',
}

function invariantErrors(schema: Schema, level: Level, path: string): FieldError[] {
  const errors: FieldError[] = []
  if (schema.type === 'array' && schema.items === undefined) errors.push(required(`${path}.items`, 'must be specified'))
  if (schema.items !== undefined) addErrors(errors, invariantErrors(schema.items, 'item', `${path}.items`))
  for (const [key, property] of Object.entries(schema.properties ?? {})) {
    addErrors(errors, invariantErrors(property, 'field', `${path}.properties[${key}]`))
  }
  if (schema.additionalProperties !== undefined) {
    if (level === 'root') errors.push(forbidden(`${path}.additionalProperties`, 'must not be used at the root'))
    if (typeof schema.additionalProperties === 'object') {
      addErrors(errors, invariantErrors(schema.additionalProperties, 'field', `${path}.additionalProperties`))
    }
  }
  addErrors(
    errors,
    extensionErrors(schema, path),
    valueValidationErrors(schema, path, intOrStringSpelling(schema)),
    typeErrors(schema, level, path),
  )
  addErrors(errors, metaFieldErrors(schema, level, path))
  return errors
}

function extensionErrors(schema: Schema, path: string): FieldError[] {
  if (schema['x-kubernetes-int-or-string'] !== true) return []
  return (['x-kubernetes-preserve-unknown-fields', 'x-kubernetes-embedded-resource'] as const)
    .filter((extension) => schema[extension] === true)
    .map((extension) => invalid(`${path}.${extension}`, true, 'must be false if x-kubernetes-int-or-string is true'))
}

function typeErrors(schema: Schema, level: Level, path: string): FieldError[] {
  const errors: FieldError[] = []
  const type = schema.type ?? ''
  const isEmbedded = schema['x-kubernetes-embedded-resource'] === true
  const preserves = schema['x-kubernetes-preserve-unknown-fields'] === true
  if (isEmbedded && type !== 'object') {
    const why = 'must be object if x-kubernetes-embedded-resource is true'
    errors.push(type === '' ? required(`${path}.type`, why) : invalid(`${path}.type`, type, why))
  } else if (type === '' && schema['x-kubernetes-int-or-string'] !== true && !preserves)
    errors.push(required(`${path}.type`, missingType[level]))
  if (isEmbedded && schema.additionalProperties !== undefined) {
    errors.push(forbidden(`${path}.additionalProperties`, 'must not be used if x-kubernetes-embedded-resource is set'))
  }
  if (level === 'root' && type !== '' && type !== 'object') errors.push(invalid(`${path}.type`, type, 'must be object at the root'))
  if (isEmbedded && !preserves && Object.keys(schema.properties ?? {}).length === 0) {
    const why = 'must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields'
    errors.push(required(`${path}.properties`, why))
  }
  return errors
}

/** apiVersion, kind and metadata of a resource have their own types; at the root metadata may only restrict names. */
function metaFieldErrors(schema: Schema, level: Level, path: string): FieldError[] {
  const errors: FieldError[] = []
  const isResource = level === 'root' || schema['x-kubernetes-embedded-resource'] === true
  const property = (key: string): Schema | undefined => getOwn(schema.properties ?? {}, key)
  for (const key of ['kind', 'apiVersion']) {
    const type = property(key)?.type ?? ''
    if (isResource && property(key) !== undefined && type !== 'string')
      errors.push(invalid(`${path}.properties[${key}].type`, type, 'must be string'))
  }
  const metadata = property('metadata')
  if (metadata === undefined) return errors
  const at = `${path}.properties[metadata]`
  if (isResource && metadata.type !== 'object') errors.push(invalid(`${at}.type`, metadata.type ?? '', 'must be object'))
  if (level === 'root' && !restrictsNamesOnly(metadata)) {
    errors.push(forbidden(at, 'must not specify anything other than name and generateName, but metadata is implicitly specified'))
  }
  return errors
}

function restrictsNamesOnly(metadata: Schema): boolean {
  const names = Object.keys(metadata.properties ?? {})
  if (names.some((name) => name !== 'name' && name !== 'generateName')) return false
  return Object.entries(metadata).every(
    ([keyword, value]) =>
      ['type', 'default', 'properties'].includes(keyword) || value === undefined || value === null || value === false || value === '',
  )
}

/** A schema inside allOf and its like restricts values; it must not say what only the main schema may say. */
function valueValidationErrors(schema: Schema, path: string, { anyOf, firstAllOf }: Spelling): FieldError[] {
  const errors: FieldError[] = []
  if (!anyOf) for (const [i, part] of (schema.anyOf ?? []).entries()) addErrors(errors, nestedErrors(part, `${path}.anyOf[${i}]`, false))
  for (const [i, part] of (schema.allOf ?? []).entries())
    addErrors(errors, nestedErrors(part, `${path}.allOf[${i}]`, firstAllOf && i === 0))
  for (const [i, part] of (schema.oneOf ?? []).entries()) addErrors(errors, nestedErrors(part, `${path}.oneOf[${i}]`, false))
  if (schema.not !== undefined) addErrors(errors, nestedErrors(schema.not, `${path}.not`, false))
  if (schema.pattern !== undefined && schema.pattern !== '') {
    const { error } = compilePattern(schema.pattern)
    if (error !== undefined)
      errors.push(invalid(`${path}.pattern`, schema.pattern, `must be a valid regular expression, but isn't: ${error}`))
  }
  return errors
}

function nestedErrors(schema: Schema, path: string, skipAnyOf: boolean): FieldError[] {
  const errors = valueValidationErrors(schema, path, { anyOf: skipAnyOf, firstAllOf: false })
  if (schema.items !== undefined) addErrors(errors, nestedErrors(schema.items, `${path}.items`, false))
  for (const [key, property] of Object.entries(schema.properties ?? {}))
    addErrors(errors, nestedErrors(property, `${path}.properties[${key}]`, false))
  const forbid = (keyword: string, why: string): void => void errors.push(forbidden(`${path}.${keyword}`, why))
  if (schema.type !== undefined && schema.type !== '') forbid('type', 'must be empty to be structural')
  if (schema.additionalProperties !== undefined && schema.additionalProperties !== false) {
    forbid('additionalProperties', 'must be undefined to be structural')
  }
  if (schema.default !== undefined && schema.default !== null) forbid('default', 'must be undefined to be structural')
  if (schema.title !== undefined && schema.title !== '') forbid('title', 'must be empty to be structural')
  if (schema.description !== undefined && schema.description !== '') forbid('description', 'must be empty to be structural')
  if (schema.nullable === true) forbid('nullable', 'must be false to be structural')
  for (const extension of [
    'x-kubernetes-preserve-unknown-fields',
    'x-kubernetes-embedded-resource',
    'x-kubernetes-int-or-string',
  ] as const) {
    if (schema[extension] === true) forbid(extension, 'must be false to be structural')
  }
  if ((schema['x-kubernetes-list-map-keys'] ?? []).length > 0) forbid('x-kubernetes-list-map-keys', 'must be empty to be structural')
  for (const extension of ['x-kubernetes-list-type', 'x-kubernetes-map-type'] as const) {
    if (schema[extension] !== undefined) forbid(extension, 'must be undefined to be structural')
  }
  if ((schema['x-kubernetes-validations'] ?? []).length > 0) forbid('x-kubernetes-validations', 'must be empty to be structural')
  if (Object.hasOwn(schema.properties ?? {}, 'metadata')) forbid('properties[metadata]', 'must not be specified in a nested context')
  return errors
}

/** Which part of a schema only spells out int-or-string, and may therefore name types. */
interface Spelling {
  readonly anyOf: boolean
  readonly firstAllOf: boolean
}

const intOrStringSpelling = (schema: Schema): Spelling => ({
  anyOf: isIntOrStringAnyOf(schema.anyOf),
  firstAllOf: isIntOrStringAnyOf(schema.allOf?.[0]?.anyOf),
})

/** `anyOf: [{type: integer}, {type: string}]` is allowed as the portable spelling of int-or-string. */
function isIntOrStringAnyOf(anyOf: readonly Schema[] | undefined): boolean {
  if (anyOf?.length !== 2) return false
  return ['integer', 'string'].every((type, index) => {
    const keywords = Object.entries(anyOf[index] ?? {}).filter(([, value]) => value !== undefined)
    return keywords.length === 1 && keywords[0]?.[0] === 'type' && keywords[0][1] === type
  })
}

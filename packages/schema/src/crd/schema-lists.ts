import { addErrors, type FieldError, getOwn, type Schema } from '@weft/api'
import { forbidden, invalid, notSupported, required } from '../messages.ts'
import type { SchemaRules } from './schema-rules.ts'

/** `x-kubernetes-list-type`, `-list-map-keys` and `-map-type`: what field managers need to merge lists and maps. */
export function listTypeErrors(schema: Schema, path: string, rules: SchemaRules): FieldError[] {
  const errors: FieldError[] = []
  const mapType: string | undefined = schema['x-kubernetes-map-type']
  const listType: string | undefined = schema['x-kubernetes-list-type']
  const keys = schema['x-kubernetes-list-map-keys'] ?? []
  const wrongType = (wanted: string, extension: string): FieldError => {
    const why = `must be ${wanted} if ${extension} is specified`
    return schema.type ? invalid(`${path}.type`, schema.type, why) : required(`${path}.type`, why)
  }
  if (mapType !== undefined && schema.type !== 'object') errors.push(wrongType('object', 'x-kubernetes-map-type'))
  if (mapType !== undefined && mapType !== 'atomic' && mapType !== 'granular') {
    errors.push(notSupported(`${path}.x-kubernetes-map-type`, mapType, ['atomic', 'granular']))
  }
  if (listType !== undefined && schema.type !== 'array') errors.push(wrongType('array', 'x-kubernetes-list-type'))
  else if (rules.requireAtomicSets && listType === 'set') addErrors(errors, setItemErrors(schema, path))
  if (listType !== undefined && listType !== 'atomic' && listType !== 'set' && listType !== 'map') {
    errors.push(notSupported(`${path}.x-kubernetes-list-type`, listType, ['atomic', 'set', 'map']))
  }
  if (keys.length > 0 && listType !== 'map') {
    const why = 'must be map if x-kubernetes-list-map-keys is non-empty'
    const at = `${path}.x-kubernetes-list-type`
    errors.push(listType === undefined ? required(at, why) : invalid(at, listType, why))
  }
  if (listType === 'map') addErrors(errors, mapListErrors(schema, path, keys))
  return errors
}

/** Items of a set are compared as a whole, so they must be merged as a whole. */
function setItemErrors({ items }: Schema, path: string): FieldError[] {
  const why = 'must be atomic as item of a list with x-kubernetes-list-type=set'
  const itemListType = items?.['x-kubernetes-list-type']
  if (items?.type === 'array' && itemListType !== undefined && itemListType !== 'atomic') {
    return [invalid(`${path}.items.x-kubernetes-list-type`, itemListType, why)]
  }
  // kube-apiserver prints the item's list type here, whatever its map type is.
  return isGranularObject(items) ? [invalid(`${path}.items.x-kubernetes-map-type`, itemListType ?? null, why)] : []
}

const isGranularObject = (items: Schema | undefined): boolean => items?.type === 'object' && items['x-kubernetes-map-type'] !== 'atomic'

function mapListErrors({ items }: Schema, path: string, keys: readonly string[]): FieldError[] {
  const errors: FieldError[] = []
  if (keys.length === 0) errors.push(required(`${path}.x-kubernetes-list-map-keys`, 'must not be empty if x-kubernetes-list-type is map'))
  if (items === undefined) return [...errors, required(`${path}.items`, 'must have a schema if x-kubernetes-list-type is map')]
  if (Array.isArray(items))
    return [...errors, invalid(`${path}.items`, items, 'must only have a single schema if x-kubernetes-list-type is map')]
  if (items.type !== 'object') {
    return [...errors, invalid(`${path}.items.type`, items.type ?? '', "must be object if parent array's x-kubernetes-list-type is map")]
  }
  const seen = new Set<string>()
  for (const key of keys) {
    const property = getOwn(items.properties ?? {}, key)
    const at = `${path}.x-kubernetes-list-map-keys`
    if (property === undefined) errors.push(invalid(at, keys, 'entries must all be names of item properties'))
    else if (property.type === 'array' || property.type === 'object') {
      const why = "must be a scalar type if parent array's x-kubernetes-list-type is map"
      errors.push(invalid(`${path}.items.properties[${key}].type`, items.type, why))
    }
    if (seen.has(key)) errors.push(invalid(at, keys, 'must not contain duplicate entries'))
    seen.add(key)
  }
  return errors
}

/** Every item of a set or map list has an identity: no null items, and keys that are always there. */
export function mapListKeyErrors(schema: Schema, path: string): FieldError[] {
  const listType = schema['x-kubernetes-list-type']
  const items = schema.items
  if (items === undefined || Array.isArray(items) || (listType !== 'set' && listType !== 'map')) return []
  const errors: FieldError[] = []
  if (items.nullable === true)
    errors.push(forbidden(`${path}.items.nullable`, `cannot be nullable when x-kubernetes-list-type is ${listType}`))
  if (listType === 'set') return errors
  for (const key of schema['x-kubernetes-list-map-keys'] ?? []) {
    const property = getOwn(items.properties ?? {}, key)
    if (property === undefined) continue
    const at = `${path}.items.properties[${key}]`
    const subject = 'this property is in x-kubernetes-list-map-keys, so it'
    if (!(items.required ?? []).includes(key) && property.default === undefined) {
      errors.push(required(`${at}.default`, `${subject} must have a default or be a required property`))
    }
    if (property.nullable === true) errors.push(forbidden(`${at}.nullable`, `${subject} cannot be nullable`))
  }
  return errors
}

/** Does a set in this schema (not deeper) hold items that merge field by field? */
export const hasGranularSet = (schema: Schema): boolean =>
  schema['x-kubernetes-list-type'] === 'set' && setItemErrors(schema, '').length > 0

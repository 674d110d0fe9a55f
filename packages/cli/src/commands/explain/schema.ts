import { isJsonObject } from '@weft/api'
import { CommandFailure } from '../../report.ts'

/** A schema of OpenAPI v3, as far as explaining needs it. */
export interface Schema {
  readonly type?: string
  readonly format?: string
  readonly description?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly additionalProperties?: Schema | boolean
  readonly required?: readonly string[]
  readonly enum?: readonly unknown[]
  readonly default?: unknown
  readonly $ref?: string
  readonly allOf?: readonly Schema[]
  readonly [keyword: string]: unknown
}

/** Looks up `$ref`s; documents of definitions have none. */
export type Resolve = (ref: string) => Schema | undefined

export const resolverOf =
  (schemas: Readonly<Record<string, Schema>>): Resolve =>
  (ref) =>
    schemas[ref.slice(ref.lastIndexOf('/') + 1)]

/** The schema itself: references followed, and a description at the reference kept before the one of its target. */
export function settle(schema: Schema, resolve: Resolve): Schema {
  const [only, ...others] = schema.allOf ?? []
  const ref = schema.$ref ?? (others.length === 0 ? only?.$ref : undefined)
  const target = ref === undefined ? undefined : resolve(ref)
  if (target === undefined) return schema
  const { $ref: _ref, allOf: _allOf, ...own } = schema
  const settled = settle(target, resolve)
  const description = [own.description, settled.description].filter((text) => text !== undefined && text !== '').join('\n')
  return { ...settled, ...own, ...(description !== '' && { description }) }
}

/** What has the fields: of a list its items, of a map its values. */
export function fieldsHolder(schema: Schema, resolve: Resolve): Schema {
  const settled = settle(schema, resolve)
  if (settled.items !== undefined) return fieldsHolder(settled.items, resolve)
  if (settled.properties === undefined && isJsonObject(settled.additionalProperties))
    return fieldsHolder(settled.additionalProperties, resolve)
  return settled
}

/** `string`, `[]ObjectMeta`, `map[string]integer`: kubectl's notation. */
export function typeName(schema: Schema, resolve: Resolve): string {
  const [only, ...others] = schema.allOf ?? []
  const ref = schema.$ref ?? (others.length === 0 ? only?.$ref : undefined)
  if (ref !== undefined) {
    const target = resolve(ref)
    const name = ref.slice(ref.lastIndexOf('.') + 1)
    return target?.properties === undefined && target?.type !== undefined && target.type !== 'object' ? target.type : name
  }
  if (schema.type === 'array') return `[]${schema.items === undefined ? 'Object' : typeName(schema.items, resolve)}`
  if (schema.properties === undefined && isJsonObject(schema.additionalProperties))
    return `map[string]${typeName(schema.additionalProperties, resolve)}`
  if (schema['x-kubernetes-int-or-string'] === true) return 'IntOrString'
  return schema.type === undefined || schema.type === 'object' ? 'Object' : schema.type
}

/** The schema at the end of a path of fields. */
export function schemaAt(root: Schema, path: readonly string[], resolve: Resolve): Schema {
  let schema = root
  for (const [index, name] of path.entries()) {
    const { properties } = fieldsHolder(schema, resolve)
    const next = properties?.[name]
    if (next === undefined) throw unknownField(name, path.slice(0, index), Object.keys(properties ?? {}))
    schema = next
  }
  return schema
}

function unknownField(name: string, before: readonly string[], known: readonly string[]): CommandFailure {
  const where = before.length === 0 ? 'the kind' : before.join('.')
  const choice = known.length === 0 ? `${where} has no fields that are described` : `${where} has ${known.join(', ')}`
  return new CommandFailure(`field "${name}" does not exist: ${choice}`)
}

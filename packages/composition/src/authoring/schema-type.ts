import { isGone, type JsonValue, type Schema } from '@weft/api'
import { documentation, propertyName, quote } from './source-text.ts'

/** The TypeScript type of the values that a structural schema allows, indented to stand at `indent`. */
export function schemaType(schema: Schema, indent = ''): string {
  const type = plainType(schema, indent)
  return schema.nullable === true && type !== 'unknown' ? `${type} | null` : type
}

function plainType(schema: Schema, indent: string): string {
  if (schema['x-kubernetes-int-or-string'] === true) return 'number | string'
  if (schema.enum !== undefined && schema.enum.length > 0) return [...new Set(schema.enum.map(literal))].join(' | ')
  switch (schema.type) {
    case 'string':
    case 'boolean':
      return schema.type
    case 'integer':
    case 'number':
      return 'number'
    case 'array':
      return listType(schemaType(schema.items ?? {}, indent))
    case 'object':
      return objectType(schema, indent)
    default:
      // Properties without a type are not structural, but there are authors who leave `type: object` out.
      return schema.properties === undefined ? 'unknown' : objectType(schema, indent)
  }
}

const listType = (item: string): string => `readonly ${/[ |]/.test(item) && !item.startsWith('{') ? `(${item})` : item}[]`

function objectType(schema: Schema, indent: string): string {
  const { properties = {}, required = [], additionalProperties } = schema
  const names = Object.keys(properties).filter((name) => !isGone(properties[name] ?? {}))
  const open = schema['x-kubernetes-preserve-unknown-fields'] === true || additionalProperties === true
  if (names.length === 0) {
    const value = typeof additionalProperties === 'object' ? schemaType(additionalProperties, indent) : 'unknown'
    return `{ readonly [key: string]: ${value} }`
  }
  const inner = `${indent}  `
  const lines = names.map((name) => {
    const property = properties[name] ?? {}
    // What has a default need not be given.
    const optional = !required.includes(name) || property.default !== undefined
    return `${documentation(property.description, inner)}${inner}readonly ${propertyName(name)}${optional ? '?' : ''}: ${schemaType(property, inner)}\n`
  })
  if (open) lines.push(`${inner}readonly [other: string]: unknown\n`)
  return `{\n${lines.join('')}${indent}}`
}

const literal = (value: JsonValue): string => (typeof value === 'string' ? quote(value) : (JSON.stringify(value) ?? 'unknown'))

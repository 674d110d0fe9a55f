import { getOwn, isGone, isJsonObject, type Schema } from '@weft/api'

/** How a part of a schema is filled in. */
export type Field =
  | {
      readonly type: 'text'
      readonly multiline: boolean
      readonly pattern?: string
      readonly minLength?: number
      readonly maxLength?: number
    }
  | { readonly type: 'number'; readonly integer: boolean; readonly minimum?: number; readonly maximum?: number }
  | { readonly type: 'choice'; readonly options: readonly string[] }
  | { readonly type: 'switch' }
  | { readonly type: 'group'; readonly fields: readonly NamedField[]; readonly open: boolean }
  | { readonly type: 'map' }
  | { readonly type: 'list'; readonly item: Field; readonly itemSchema: Schema }
  /** Anything else, as YAML. */
  | { readonly type: 'yaml' }

export interface NamedField {
  readonly name: string
  readonly title: string
  readonly description?: string
  readonly required: boolean
  readonly initial?: unknown
  readonly field: Field
}

export function fieldOf(schema: Schema): Field {
  if (Array.isArray(schema.enum) && schema.enum.every((each) => typeof each === 'string'))
    return { type: 'choice', options: (schema.enum as readonly string[]).filter((each) => each !== '') }
  switch (schema.type) {
    case 'string':
      return {
        type: 'text',
        multiline: false,
        ...(schema.pattern !== undefined && { pattern: schema.pattern }),
        ...(schema.minLength !== undefined && { minLength: schema.minLength }),
        ...(schema.maxLength !== undefined && { maxLength: schema.maxLength }),
      }
    case 'integer':
    case 'number':
      return {
        type: 'number',
        integer: schema.type === 'integer',
        ...(schema.minimum !== undefined && { minimum: schema.minimum }),
        ...(schema.maximum !== undefined && { maximum: schema.maximum }),
      }
    case 'boolean':
      return { type: 'switch' }
    case 'array':
      return schema.items === undefined ? { type: 'yaml' } : { type: 'list', item: fieldOf(schema.items), itemSchema: schema.items }
    case 'object': {
      if (schema.properties !== undefined)
        return { type: 'group', fields: namedFields(schema), open: schema['x-kubernetes-preserve-unknown-fields'] === true }
      const values = schema.additionalProperties
      return typeof values === 'object' && values.type === 'string' ? { type: 'map' } : { type: 'yaml' }
    }
    default:
      return schema['x-kubernetes-int-or-string'] === true ? { type: 'text', multiline: false } : { type: 'yaml' }
  }
}

/** Required ones first, then in the schema's order; none that the provider no longer has. */
export function namedFields(schema: Schema, hidden: ReadonlySet<string> = new Set()): readonly NamedField[] {
  const required = new Set(schema.required ?? [])
  return Object.entries(schema.properties ?? {})
    .filter(([name, property]) => !hidden.has(name) && !isGone(property))
    .map(([name, property]): NamedField => ({
      name,
      title: titleOf(name),
      ...(property.description !== undefined && property.description !== '' && { description: property.description }),
      required: required.has(name),
      ...(property.default !== undefined && { initial: property.default }),
      field: fieldOf(property),
    }))
    .sort((a, b) => Number(b.required) - Number(a.required))
}

/** `storageGB` → `Storage GB` */
export function titleOf(name: string): string {
  const words = name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .split(' ')
  const lower = words.map((word, i) => (i > 0 && !/^[A-Z]{2,}$/.test(word) ? word.toLowerCase() : word))
  const text = lower.join(' ')
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`
}

/** What is shown before anybody types: the schema's defaults. */
export function initialOf(field: Field, initial: unknown): unknown {
  if (field.type !== 'group' || (initial !== undefined && !isJsonObject(initial))) return initial
  const entries = field.fields.flatMap(({ name, field: inner, initial: own }) => {
    // The server fills in the parent's default first, and then what that leaves out.
    const value = initialOf(inner, (initial === undefined ? undefined : getOwn(initial, name)) ?? own)
    return value === undefined ? [] : [[name, value] as const]
  })
  return entries.length === 0 && initial === undefined ? undefined : { ...initial, ...Object.fromEntries(entries) }
}

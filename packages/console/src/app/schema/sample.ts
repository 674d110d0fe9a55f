import type { JsonValue, Schema } from '@weft/api'

const MAX_DEPTH = 8

/** The smallest value that a schema accepts, as far as it says so: defaults, first choices, lowest numbers, required fields only. */
export function sampleOf(schema: Schema, depth = 0): JsonValue {
  if (schema.default !== undefined) return schema.default
  if (schema.example !== undefined) return schema.example
  const [choice] = (schema.enum ?? []).filter((each) => each !== '')
  if (choice !== undefined) return choice
  switch (schema.type) {
    case 'integer':
    case 'number':
      return Math.max(schema.minimum ?? -Infinity, Math.min(schema.maximum ?? 1, 1))
    case 'boolean':
      return false
    case 'array':
      return schema.items !== undefined && (schema.minItems ?? 0) > 0 && depth < MAX_DEPTH ? [sampleOf(schema.items, depth + 1)] : []
    case 'string':
      return 'example'
    default: {
      const required = depth < MAX_DEPTH ? (schema.required ?? []) : []
      return Object.fromEntries(required.map((name) => [name, sampleOf(schema.properties?.[name] ?? {}, depth + 1)]))
    }
  }
}

import type { Schema } from '@weft/api'
import { type CustomResourceDefinition, enforcedFormat } from '@weft/schema'

/** A format that nobody checks looks like a promise: whoever writes a new one is told. */
export function formatWarnings(crd: CustomResourceDefinition, old?: CustomResourceDefinition): string[] {
  const known = new Set(old === undefined ? [] : unknownFormats(old))
  return unknownFormats(crd)
    .filter((format) => !known.has(format))
    .map((format) => `unrecognized format ${JSON.stringify(format)}`)
}

function unknownFormats({ spec }: CustomResourceDefinition): string[] {
  const found: string[] = []
  for (const { schema } of spec.versions) if (schema?.openAPIV3Schema !== undefined) visit(schema.openAPIV3Schema, found)
  return found
}

function visit(schema: Schema, found: string[]): void {
  const { type, format, items, properties, additionalProperties, allOf = [], anyOf = [], oneOf = [], not } = schema
  if (format !== undefined && format !== '' && enforcedFormat(type, format) === undefined) found.push(format)
  for (const inner of [...Object.values(properties ?? {}), ...allOf, ...anyOf, ...oneOf]) visit(inner, found)
  for (const inner of [items, additionalProperties, not]) if (typeof inner === 'object') visit(inner as Schema, found)
}

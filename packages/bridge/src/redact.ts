import { type Block, Decimal, Dynamic, isArray, isMap, type NestedType, quotedForms, type Value } from '@weft/terraform'

const SHORTEST = 3

/** What may not be read of values: everything at attributes that the provider calls sensitive, or that are only written. */
export function sensitiveTexts(block: Block, value: Value): string[] {
  if (!isMap(value)) return []
  return [
    ...[...block.attributes].flatMap(([name, attribute]) => {
      const part = value.get(name) ?? null
      if (attribute.sensitive || attribute.writeOnly) return textsOf(part)
      return attribute.nested === undefined ? [] : inNested(attribute.nested, part)
    }),
    ...[...block.blocks].flatMap(([name, nested]) =>
      elementsOf(value.get(name) ?? null, nested.nesting).flatMap((part) => sensitiveTexts(nested.block, part)),
    ),
  ]
}

const inNested = ({ nesting, attributes }: NestedType, value: Value): string[] =>
  elementsOf(value, nesting).flatMap((part) => sensitiveTexts({ ...NOTHING, attributes }, part))

const NOTHING = { blocks: new Map(), description: '', descriptionKind: 'plain', deprecated: false, deprecationMessage: '' } as const

function elementsOf(value: Value, nesting: string): readonly Value[] {
  if (value instanceof Dynamic) return elementsOf(value.value, nesting)
  if (isArray(value)) return value
  return isMap(value) ? (nesting === 'map' ? [...value.values()] : [value]) : []
}

function textsOf(value: Value): string[] {
  if (typeof value === 'string') return [value]
  if (value instanceof Decimal) return [value.toString()]
  if (value instanceof Dynamic) return textsOf(value.value)
  if (isArray(value)) return value.flatMap(textsOf)
  return isMap(value) ? [...value.values()].flatMap(textsOf) : []
}

/** The text without any of them, however they are quoted. Longer ones first: one may be part of another. */
export function redact(text: string, secrets: readonly string[]): string {
  const known = [...new Set(secrets.filter(({ length }) => length >= SHORTEST).flatMap(quotedForms))].sort((a, b) => b.length - a.length)
  return known.reduce((shown, secret) => shown.replaceAll(secret, '(hidden)'), text)
}

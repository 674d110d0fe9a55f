import { getOwn, GONE, isGone, isJsonObject, type Schema } from '@weft/api'

/** How the description of a field begins that was of another type. */
export const CHANGED = 'Its type has changed: an object with a value of the former type is left alone until it has one of this.'

/**
 * `next`, with room for every value that `before` had room for: fields that `next` lacks stay (GONE), and what is of another type now may have
 * anything in it (CHANGED). A server drops what a schema does not know; without this, an upgrade of a provider would take away what people
 * wrote, and whoever works for the object would take that for a wish to unset it. Pure; keeping the same twice is keeping it once.
 */
export function keepFields(next: Schema, before: Schema): Schema {
  if (isUntyped(next)) return next
  if (sortOf(next) !== sortOf(before) || (preserves(before) && !preserves(next))) return changed(next)
  const { items, additionalProperties } = next
  return {
    ...next,
    ...(before.properties !== undefined && { properties: keepProperties(next, before.properties) }),
    ...(items !== undefined && before.items !== undefined && { items: keepFields(items, before.items) }),
    ...(typeof additionalProperties === 'object' &&
      typeof before.additionalProperties === 'object' && {
        additionalProperties: keepFields(additionalProperties, before.additionalProperties),
      }),
  }
}

function keepProperties(next: Schema, before: Readonly<Record<string, Schema>>): Readonly<Record<string, Schema>> {
  const kept = new Map(Object.entries(next.properties ?? {}))
  for (const [name, schema] of Object.entries(before)) {
    const now = kept.get(name)
    if (now !== undefined) kept.set(name, keepFields(now, schema))
    else if (!preserves(next)) kept.set(name, gone(schema))
  }
  return Object.fromEntries(kept)
}

/** Is there a place in it that is only kept for what some objects have? */
export function hasKept(schema: Schema): boolean {
  const { properties = {}, items, additionalProperties } = schema
  return (
    isKept(schema) ||
    Object.values(properties).some(hasKept) ||
    (items !== undefined && hasKept(items)) ||
    (typeof additionalProperties === 'object' && hasKept(additionalProperties))
  )
}

/** The schema without the places that are only kept for what none of these values has; undefined when it is one itself. */
export function withoutUnused(schema: Schema, values: readonly unknown[]): Schema | undefined {
  const given = values.filter((value) => value !== undefined && value !== null)
  if (isKept(schema) && given.length === 0) return undefined
  const { properties, items, additionalProperties, ...rest } = schema
  const objects = given.filter(isJsonObject)
  const elements = given.flatMap((value) => (Array.isArray(value) ? (value as unknown[]) : []))
  const entries = objects.flatMap((object) => Object.values(object))
  const [keptItems, keptEntries] = [
    items && withoutUnused(items, elements),
    typeof additionalProperties === 'object' ? withoutUnused(additionalProperties, entries) : additionalProperties,
  ]
  return {
    ...rest,
    ...(properties !== undefined && { properties: usedOf(properties, objects) }),
    ...(keptItems !== undefined && { items: keptItems }),
    ...(keptEntries !== undefined && { additionalProperties: keptEntries }),
  }
}

function usedOf(properties: Readonly<Record<string, Schema>>, objects: readonly object[]): Readonly<Record<string, Schema>> {
  const used = Object.entries(properties).map(
    ([name, schema]) =>
      [
        name,
        withoutUnused(
          schema,
          objects.map((object) => getOwn(object, name)),
        ),
      ] as const,
  )
  return Object.fromEntries(used.filter((entry): entry is readonly [string, Schema] => entry[1] !== undefined))
}

const isKept = (schema: Schema): boolean => isGone(schema) || schema.description?.startsWith(CHANGED) === true

/** Nobody who does not set it is given it. */
const gone = ({ default: _default, ...schema }: Schema): Schema => ({ ...schema, description: GONE })

/** With its types, which rules refer to. */
const changed = (schema: Schema): Schema => {
  const { description = '' } = schema
  return { ...opened(schema), description: description.startsWith(CHANGED) ? description : `${CHANGED} ${description}`.trimEnd() }
}

function opened(schema: Schema): Schema {
  const { properties, items, additionalProperties } = schema
  return {
    ...schema,
    ...(properties !== undefined && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, of]) => [name, opened(of)])),
    }),
    ...(items !== undefined && { items: opened(items) }),
    ...(typeof additionalProperties === 'object' && { additionalProperties: opened(additionalProperties) }),
    'x-kubernetes-preserve-unknown-fields': true,
  }
}

const preserves = (schema: Schema): boolean => schema['x-kubernetes-preserve-unknown-fields'] === true
const isUntyped = (schema: Schema): boolean => schema.type === undefined && preserves(schema)

/** Values of two sorts have no room in each other's schema. */
const sortOf = ({ type, additionalProperties }: Schema): string =>
  `${type ?? ''} ${additionalProperties === undefined ? '' : 'of any name'}`

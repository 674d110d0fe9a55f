import { deepEqual, type Schema } from '@weft/api'

/**
 * A schema that takes whatever either of two takes and keeps every field that either keeps, so that no object that is stored under one loses anything
 * or is refused. Where they say different things of one field: what it is and how lists merge is theirs, since objects are stored and owned that way;
 * which rules and defaults hold is ours, since we decide from now on. Pure. Widening again by the same changes nothing.
 */
export function widenSchema(theirs: Schema, ours: Schema): Schema {
  if (theirs.type !== ours.type || shapeOf(theirs) !== shapeOf(ours)) return anything(theirs, ours)
  const keeps = theirs['x-kubernetes-preserve-unknown-fields'] === true || ours['x-kubernetes-preserve-unknown-fields'] === true
  const { items, properties, additionalProperties } = theirs
  const required = requiredBy(theirs, ours)
  const wide: Record<string, unknown> = {
    ...pick(theirs, OF_THE_FIELD),
    ...(theirs.description === undefined && pick(ours, ['description'])),
    ...(theirs.nullable === true || ours.nullable === true ? { nullable: true } : {}),
    ...both(theirs, ours, ['format', 'pattern', 'multipleOf', 'uniqueItems', 'oneOf', 'anyOf', 'allOf', 'not']),
    ...loosest(theirs, ours, ['minimum', 'minLength', 'minItems', 'minProperties'], Math.min),
    ...loosest(theirs, ours, ['maximum', 'maxLength', 'maxItems', 'maxProperties'], Math.max),
    ...(theirs.enum !== undefined && ours.enum !== undefined && { enum: union(theirs.enum, ours.enum) }),
    ...(required.length > 0 && { required }),
    ...pick(ours.default === undefined ? theirs : ours, ['default']),
    ...pick(ours, ['x-kubernetes-validations']),
    ...(keeps && { 'x-kubernetes-preserve-unknown-fields': true }),
  }
  if (items !== undefined && ours.items !== undefined)
    wide['items'] = withKeys(widenSchema(items, ours.items), theirs['x-kubernetes-list-map-keys'] ?? [])
  if (properties !== undefined || ours.properties !== undefined) wide['properties'] = widenAll(properties ?? {}, ours.properties ?? {})
  if (typeof additionalProperties === 'object' && typeof ours.additionalProperties === 'object')
    wide['additionalProperties'] = widenSchema(additionalProperties, ours.additionalProperties)
  else if (additionalProperties !== undefined) wide['additionalProperties'] = true
  return wide as Schema
}

const OF_THE_FIELD: readonly (keyof Schema)[] = [
  'type',
  'title',
  'description',
  'example',
  'externalDocs',
  'x-kubernetes-embedded-resource',
  'x-kubernetes-int-or-string',
  'x-kubernetes-list-type',
  'x-kubernetes-list-map-keys',
  'x-kubernetes-map-type',
]

/** Whether its fields are listed, or any: a schema cannot say both. */
const shapeOf = ({ type, additionalProperties, properties }: Schema): string =>
  type !== 'object' ? '' : additionalProperties === undefined ? 'fields' : properties === undefined ? 'any' : 'both'

/** Nothing is common to them: whatever it is, it is kept. */
const anything = (theirs: Schema, ours: Schema): Schema => ({
  ...pick(theirs.type === ours.type ? theirs : {}, ['type']),
  ...pick(theirs.description === undefined ? ours : theirs, ['description']),
  'x-kubernetes-preserve-unknown-fields': true,
})

function widenAll(theirs: Readonly<Record<string, Schema>>, ours: Readonly<Record<string, Schema>>): Readonly<Record<string, Schema>> {
  const wide = new Map(Object.entries(theirs))
  for (const [name, schema] of Object.entries(ours)) {
    const known = wide.get(name)
    wide.set(name, known === undefined ? schema : widenSchema(known, schema))
  }
  return Object.fromEntries(wide)
}

const requiredBy = (theirs: Schema, ours: Schema): readonly string[] =>
  (theirs.required ?? []).filter((name) => ours.required?.includes(name) === true)

/** What items are told apart by must be there, whoever said so. */
const withKeys = (items: Schema, keys: readonly string[]): Schema => {
  const missing = keys.filter((key) => items.required?.includes(key) !== true && items.properties?.[key]?.default === undefined)
  return missing.length === 0 ? items : { ...items, required: [...(items.required ?? []), ...missing] }
}

const pick = (schema: Schema, names: readonly (keyof Schema)[]): Schema =>
  Object.fromEntries(names.filter((name) => schema[name] !== undefined).map((name) => [name, schema[name]]))

const both = (theirs: Schema, ours: Schema, names: readonly (keyof Schema)[]): Schema =>
  pick(
    theirs,
    names.filter((name) => deepEqual(theirs[name], ours[name])),
  )

type Limit = 'minimum' | 'minLength' | 'minItems' | 'minProperties' | 'maximum' | 'maxLength' | 'maxItems' | 'maxProperties'

const loosest = (theirs: Schema, ours: Schema, names: readonly Limit[], of: (a: number, b: number) => number): Schema =>
  Object.fromEntries(
    names.flatMap((name) => {
      const [a, b] = [theirs[name], ours[name]]
      return a === undefined || b === undefined ? [] : [[name, of(a, b)]]
    }),
  )

const union = <T>(a: readonly T[], b: readonly T[]): readonly T[] => [...a, ...b.filter((value) => !a.some((one) => deepEqual(one, value)))]

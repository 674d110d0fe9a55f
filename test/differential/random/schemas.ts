import type { Random } from './random.ts'

type Json = any

const STRINGS = ['', 'a', 'abc', 'ABC', 'a-b', '2020-01-01T00:00:00Z', 'x@example.com', 'é', '10', 'longer than the others']
const FORMATS = ['date-time', 'date', 'email', 'ipv4', 'uuid', 'duration', 'byte', 'unknown-format']

/** A random structural schema. Most are accepted; some break a rule of definitions, and then both servers must say which. */
export function randomSchema(random: Random, depth = 3): Json {
  const type = random.weighted([
    [depth > 0 ? 4 : 0, 'object'],
    [depth > 0 ? 2 : 0, 'array'],
    [4, 'string'],
    [3, 'integer'],
    [1, 'number'],
    [2, 'boolean'],
    [0.5, 'int-or-string'],
    [0.4, 'any'],
    [depth > 0 ? 0.4 : 0, 'embedded'],
  ])
  switch (type) {
    case 'object':
      return objectSchema(random, depth)
    case 'array':
      return arraySchema(random, depth)
    case 'string':
      return stringSchema(random)
    case 'integer':
    case 'number':
      return {
        type,
        ...numberLimits(random),
        ...nullable(random),
        ...defaulted(random, [0, 1, 5, -3]),
        ...rules(
          random,
          ['self >= 0', 'self < 100', 'self != 7'].map((rule) => (type === 'number' ? rule.replace(/(\d+)/, '$1.0') : rule)),
        ),
      }
    case 'boolean':
      return { type, ...nullable(random), ...defaulted(random, [true, false]), ...rules(random, ['self', '!self || true']) }
    case 'int-or-string':
      return { 'x-kubernetes-int-or-string': true }
    case 'embedded':
      return {
        type: 'object',
        'x-kubernetes-embedded-resource': true,
        ...(random.chance(0.7)
          ? { 'x-kubernetes-preserve-unknown-fields': true }
          : { properties: { spec: { type: 'object', properties: { a: { type: 'string' } } } } }),
      }
    default:
      return { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }
  }
}

export function objectSchema(random: Random, depth: number): Json {
  if (random.chance(0.2))
    return { type: 'object', additionalProperties: randomSchema(random, depth - 1), ...(random.chance(0.3) && { maxProperties: 2 }) }
  const names = random.some(['a', 'b', 'c', 'd', 'e'], 0.6)
  const properties = Object.fromEntries(names.map((name) => [name, randomSchema(random, depth - 1)]))
  return {
    type: 'object',
    properties,
    ...(random.chance(0.4) && names.length > 0 && { required: random.some(names, 0.4) }),
    ...(random.chance(0.1) && { 'x-kubernetes-preserve-unknown-fields': true }),
    ...(random.chance(0.1) && { 'x-kubernetes-map-type': random.pick(['atomic', 'granular']) }),
    ...nullable(random),
    ...(names.length > 0 && rules(random, [`!has(self.${names[0]}) || true`, `has(self.${names[0]})`])),
    ...(random.chance(0.05) && { minProperties: 1 }),
  }
}

function arraySchema(random: Random, depth: number): Json {
  const kind = random.weighted([
    [3, 'atomic'],
    [2, 'set'],
    [3, 'map'],
    [1, 'plain'],
  ])
  const limit = random.chance(0.5) ? { maxItems: 1 + random.below(4) } : {}
  if (kind === 'set')
    return {
      type: 'array',
      items: random.chance(0.5) ? { type: 'string' } : { type: 'integer' },
      'x-kubernetes-list-type': 'set',
      ...limit,
    }
  if (kind === 'map')
    return {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['k'],
      items: {
        type: 'object',
        required: ['k'],
        properties: {
          k: { type: random.pick(['string', 'integer']) },
          v: randomSchema(random, Math.max(0, depth - 2)),
          w: { type: 'string', ...defaulted(random, ['dee']) },
        },
      },
      ...limit,
    }
  return {
    type: 'array',
    items: randomSchema(random, depth - 1),
    ...(kind === 'atomic' && { 'x-kubernetes-list-type': 'atomic' }),
    ...limit,
    ...nullable(random),
  }
}

function stringSchema(random: Random): Json {
  return {
    type: 'string',
    ...(random.chance(0.25) && { enum: random.some(STRINGS, 0.5).concat('abc') }),
    ...(random.chance(0.15) && { pattern: random.pick(['^[a-z]*$', '^a', '[0-9]+', '^(a|b)+$']) }),
    ...(random.chance(0.2) && { maxLength: random.below(6) }),
    ...(random.chance(0.1) && { minLength: 1 }),
    ...(random.chance(0.2) && { format: random.pick(FORMATS) }),
    ...nullable(random),
    ...defaulted(random, ['abc', 'a']),
    ...rules(random, ["self.startsWith('a')", 'size(self) < 10', "self != 'b'", "oldSelf == self || self != 'zzz'"]),
  }
}

const numberLimits = (random: Random): Json => ({
  ...(random.chance(0.2) && { minimum: random.below(3) }),
  ...(random.chance(0.2) && { maximum: 5 + random.below(10) }),
  ...(random.chance(0.1) && { multipleOf: 2 }),
  ...(random.chance(0.1) && { enum: [1, 2, 3] }),
})

const nullable = (random: Random): Json => (random.chance(0.1) ? { nullable: true } : {})
const defaulted = (random: Random, values: readonly unknown[]): Json => (random.chance(0.15) ? { default: random.pick(values) } : {})
const rules = (random: Random, all: readonly string[]): Json =>
  random.chance(0.15)
    ? {
        'x-kubernetes-validations': [
          {
            rule: random.pick(all),
            ...(random.chance(0.5) && { message: 'the rule says no' }),
            ...(random.chance(0.1) && { reason: 'FieldValueForbidden' }),
          },
        ],
      }
    : {}

/** A value for a schema, right more often than not. */
export function randomValue(random: Random, schema: Json, depth = 4): Json {
  if (random.chance(0.06)) {
    const odd = anything(random, depth)
    // The difference `list-with-format`: from there on the two servers' objects are no longer alike.
    return schema.format !== undefined && Array.isArray(odd) ? 'no list' : odd
  }
  if (schema['x-kubernetes-int-or-string'] === true) return random.pick([1, 'x', '50%'])
  if (schema['x-kubernetes-embedded-resource'] === true) return embeddedValue(random)
  if (schema['x-kubernetes-preserve-unknown-fields'] === true && schema.properties === undefined) return { free: anything(random, 2) }
  if (schema.enum !== undefined && random.chance(0.8)) return random.pick(schema.enum)
  switch (schema.type) {
    case 'object': {
      const object: Json = {}
      if (schema.additionalProperties !== undefined)
        for (const key of random.some(['p', 'q', 'r'], 0.5)) object[key] = randomValue(random, schema.additionalProperties, depth - 1)
      for (const [key, inner] of Object.entries(schema.properties ?? {}))
        if (random.chance((schema.required ?? []).includes(key) ? 0.93 : 0.5)) object[key] = randomValue(random, inner, depth - 1)
      if (random.chance(0.05)) object['unknown'] = anything(random, 1)
      return object
    }
    case 'array': {
      const length = random.below(4)
      return Array.from({ length }, () => randomValue(random, schema.items, depth - 1))
    }
    case 'string':
      return random.pick(STRINGS)
    case 'integer':
      return random.pick([0, 1, 2, 3, 7, 42, -1])
    case 'number':
      return random.pick([0, 1, 1.5, -2.25, 100])
    case 'boolean':
      return random.chance(0.5)
    default:
      return anything(random, depth)
  }
}

/** With one value of a wrong type at most: which of two is told of is Go's choice, which walks a map. */
function embeddedValue(random: Random): Json {
  const value = anyEmbeddedValue(random)
  const { apiVersion, metadata } = value
  const isTyped = typeof apiVersion !== 'number'
  if (metadata === undefined) return value
  const { creationTimestamp, labels } = metadata
  const isTime = creationTimestamp !== 'never'
  return {
    ...value,
    metadata: {
      ...metadata,
      ...(labels?.a === 1 && !(isTyped && isTime) && { labels: {} }),
      ...(!isTime && !isTyped && { creationTimestamp: null }),
    },
  }
}

function anyEmbeddedValue(random: Random): Json {
  return {
    ...(random.chance(0.93) && { apiVersion: random.pick(['v1', 'example.com/v1', '', 'a/b/c', 5]) }),
    ...(random.chance(0.93) && { kind: random.pick(['Pod', 'Thing', 'bad kind', '']) }),
    ...(random.chance(0.6) && {
      metadata: {
        ...(random.chance(0.6) && { name: random.pick(['x', 'Not/Valid', 'UP']) }),
        ...(random.chance(0.2) && { namespace: random.pick(['default', 'No Good']) }),
        ...(random.chance(0.4) && { labels: random.pick([{ a: 'b' }, { a: 'no good' }, {}, { a: 1 }]) }),
        ...(random.chance(0.2) && { creationTimestamp: random.pick([null, '2020-01-01T00:00:00Z', 'never']) }),
        ...(random.chance(0.1) && { unknown: 1 }),
      },
    }),
    ...(random.chance(0.5) && { spec: random.pick([{ a: 'x' }, { b: 'y' }, {}]) }),
  }
}

/** The value without what its schema leaves undeclared where it declares nothing at all: the difference `applied-undeclared`. */
export function withoutUndeclared(schema: Json, value: Json): Json {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item) => withoutUndeclared(schema.items ?? {}, item))
  const { properties = {}, additionalProperties } = schema
  if (schema['x-kubernetes-embedded-resource'] === true && value.metadata !== undefined)
    return withoutUndeclared({ ...schema, 'x-kubernetes-embedded-resource': false }, { ...value, metadata: plainMetadata(value.metadata) })
  if (schema['x-kubernetes-preserve-unknown-fields'] === true) return value
  if (Object.keys(properties).length === 0 && additionalProperties === undefined) return schema.type === 'object' ? {} : value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, withoutUndeclared(properties[key] ?? additionalProperties ?? {}, inner)]),
  )
}

function plainMetadata(metadata: Json): Json {
  if (typeof metadata !== 'object' || metadata === null) return {}
  const { unknown: _unknown, labels, creationTimestamp, ...rest } = metadata
  return {
    ...rest,
    ...(Object.keys(labels ?? {}).length > 0 && { labels }),
    ...(typeof creationTimestamp === 'string' && { creationTimestamp }),
  }
}

export function anything(random: Random, depth: number): Json {
  return random.weighted<() => Json>([
    [2, () => random.pick(STRINGS)],
    [2, () => random.below(100)],
    [1, () => random.chance(0.5)],
    [1, () => null],
    [depth > 0 ? 1 : 0, () => [anything(random, depth - 1)]],
    [depth > 0 ? 1 : 0, () => ({ x: anything(random, depth - 1) })],
  ])()
}

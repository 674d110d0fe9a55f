import type { Schema } from '@weft/api'
import { bench, describe } from 'vitest'
import { compileSchema } from './compile.ts'

const text = (more: Schema = {}): Schema => ({ type: 'string', ...more })
const named = (items: Schema, key: string): Schema => ({
  type: 'array',
  items,
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': [key],
})

/** A claim-like kind: patterns, formats, enums, maps and keyed lists. */
const schema: Schema = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      required: ['size', 'parameters'],
      properties: {
        size: text({ enum: ['small', 'medium', 'large'] }),
        region: text({ pattern: '^[a-z]{2}-[a-z]+-[0-9]$' }),
        replicas: { type: 'integer', format: 'int32', minimum: 1, maximum: 100, default: 1 },
        parameters: {
          type: 'object',
          properties: {
            version: text({ pattern: '^[0-9]+\\.[0-9]+$' }),
            tags: { type: 'object', additionalProperties: text({ maxLength: 63 }) },
            cidr: text({ format: 'cidr' }),
          },
        },
        ports: named(
          {
            type: 'object',
            required: ['name'],
            properties: {
              name: text({ maxLength: 15 }),
              port: { type: 'integer', minimum: 1, maximum: 65535 },
              target: { 'x-kubernetes-int-or-string': true },
            },
          },
          'name',
        ),
        env: { type: 'array', items: { type: 'object', properties: { name: text({ pattern: '^[A-Z_]+$' }), value: text() } } },
      },
    },
    status: {
      type: 'object',
      properties: {
        conditions: named(
          {
            type: 'object',
            required: ['type', 'status'],
            properties: { type: text(), status: text(), message: text(), lastTransitionTime: text({ format: 'date-time' }) },
          },
          'type',
        ),
      },
    },
  },
}
const object = {
  spec: {
    size: 'small',
    region: 'eu-west-1',
    replicas: 3,
    parameters: { version: '14.2', tags: { team: 'payments', cost: 'c-1234', env: 'prod', owner: 'ada' }, cidr: '10.0.0.0/16' },
    ports: Array.from({ length: 5 }, (_, i) => ({ name: `port-${i}`, port: 8000 + i, target: i % 2 === 0 ? 80 : 'http' })),
    env: [...'ABCDEFGHIJKL'].map((letter) => ({ name: `VARIABLE_${letter}`, value: `a value of some length for ${letter}` })),
  },
  status: {
    conditions: ['Ready', 'Synced', 'Bound'].map((type) => ({
      type,
      status: 'True',
      message: 'The resource is available',
      lastTransitionTime: '2024-01-01T00:00:00Z',
    })),
  },
}
const compiled = compileSchema(schema)

/** 20 groups of 24 fields, each with a pattern of its own. */
const wide = (): Schema => {
  const group = (g: number): Schema => ({
    type: 'object',
    properties: Object.fromEntries(Array.from({ length: 24 }, (_, i) => [`f${i}`, text({ pattern: `^x${g}-${i}[a-z]*$` })])),
  })
  return { type: 'object', properties: Object.fromEntries(Array.from({ length: 20 }, (_, g) => [`g${g}`, group(g)])) }
}
const fresh = Array.from({ length: 1000 }, wide)
let next = 0

describe('an object of 2 KB', () => {
  bench('validate', () => void compiled.validate(object))
  bench('validate an update', () => void compiled.validate(object, { old: object }))
  bench('prune', () => void compiled.prune(object))
  bench('apply defaults', () => void compiled.applyDefaults(object))
})

describe('a fresh schema of 500 nodes', () => {
  bench(
    'compile, and validate one field',
    () => void compileSchema(fresh[next++ % fresh.length] ?? {}).validate({ g3: { f2: 'x3-2abc' } }),
    { iterations: 900, time: 0, warmupIterations: 50, warmupTime: 0 },
  )
})

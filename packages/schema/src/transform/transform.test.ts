import type { Schema } from '@weft/api'
import { describe, expect, it } from 'vitest'
import { compileSchema } from '../compile.ts'

const resource: Schema = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        known: { type: 'string' },
        list: { type: 'array', items: { type: 'object', properties: { a: { type: 'string' } } } },
        map: { type: 'object', additionalProperties: { type: 'object', properties: { a: { type: 'string', default: 'A' } } } },
        open: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, properties: { closed: { type: 'object', properties: {} } } },
        template: {
          type: 'object',
          'x-kubernetes-embedded-resource': true,
          properties: { spec: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
        },
        size: { type: 'string', default: 'small' },
        hint: { type: 'string', nullable: true, default: 'x' },
      },
    },
  },
}
const compiled = compileSchema(resource)

describe('prune', () => {
  const dropped = (value: unknown): string[] => {
    const paths: string[] = []
    compiled.prune(value, { collect: (path) => void paths.push(path) })
    return paths
  }

  it.each([
    { reason: 'fields of the type stay', value: { apiVersion: 'v1', kind: 'X', metadata: { anything: 1 } }, paths: [] },
    {
      reason: 'paths say where',
      value: { spec: { foo: 1, list: [{ a: 'x', x: 1 }], map: { 'k/1': { b: 1 } } } },
      paths: ['spec.foo', 'spec.list[0].x', 'spec.map.k/1.b'],
    },
    {
      reason: 'open objects keep what they do not know, but not inside what they do',
      value: { spec: { open: { any: { deep: 1 }, closed: { x: 1 } } } },
      paths: ['spec.open.closed.x'],
    },
    {
      reason: 'an embedded resource keeps its type and metadata',
      value: { spec: { template: { apiVersion: 'v1', kind: 'Pod', metadata: { x: 1 }, spec: { y: 1 }, status: {} } } },
      paths: ['spec.template.status'],
    },
    { reason: 'inherited names are unknown', value: { spec: { constructor: 1 } }, paths: ['spec.constructor'] },
    { reason: '__proto__ is a name like any other', value: { spec: JSON.parse('{"__proto__": {"a": 1}}') }, paths: ['spec.__proto__'] },
  ])('$reason', ({ value, paths }) => {
    expect(dropped(value)).toEqual(paths)
  })

  it('shares what did not change, and answers the same value when nothing did', () => {
    const clean = { spec: { known: 'x', list: [{ a: 'y' }] } }
    expect(compiled.prune(clean)).toBe(clean)
    const dirty = { spec: { list: [{ a: 'y' }], foo: 1 } }
    const pruned = compiled.prune(dirty) as typeof dirty
    expect(pruned).toEqual({ spec: { list: [{ a: 'y' }] } })
    expect(pruned.spec.list).toBe(dirty.spec.list)
    expect(dirty.spec.foo).toBe(1)
  })
})

describe('defaults', () => {
  it.each([
    { reason: 'absent fields', value: { spec: {} }, expected: { spec: { size: 'small', hint: 'x' } } },
    { reason: 'nothing is invented around them', value: {}, expected: {} },
    {
      reason: 'null where null is not allowed',
      value: { spec: { size: null, hint: null } },
      expected: { spec: { size: 'small', hint: null } },
    },
    {
      reason: 'inside map entries',
      value: { spec: { size: 'l', hint: 'y', map: { k: {} } } },
      expected: { spec: { size: 'l', hint: 'y', map: { k: { a: 'A' } } } },
    },
  ])('$reason', ({ value, expected }) => {
    expect(compiled.applyDefaults(value)).toEqual(expected)
  })

  it('answers the same value when nothing is missing', () => {
    const value = { spec: { size: 'l', hint: null } }
    expect(compiled.applyDefaults(value)).toBe(value)
  })

  it('completes a default that is an object', () => {
    const schema: Schema = {
      type: 'object',
      properties: { o: { type: 'object', default: {}, properties: { a: { type: 'integer', default: 1 } } } },
    }
    expect(compileSchema(schema).applyDefaults({})).toEqual({ o: { a: 1 } })
    expect(schema.properties?.['o']?.default).toEqual({})
  })

  it('drops nulls that are neither allowed nor defaulted', () => {
    expect(compiled.dropNulls({ spec: { known: null, size: null, hint: null, unknown: null } })).toEqual({
      spec: { size: null, hint: null, unknown: null },
    })
  })
})

describe('metadata of embedded resources', () => {
  it('is brought into canonical form', () => {
    const paths: string[] = []
    const metadata = {
      name: 'a',
      labels: {},
      creationTimestamp: null,
      deletionTimestamp: '2024-01-01T02:00:00+02:00',
      foo: 1,
      generation: 0,
    }
    const { value, error } = compiled.coerceMetadata(
      { spec: { template: { apiVersion: 'v1', kind: 'Pod', metadata } } },
      { collect: (path) => void paths.push(path) },
    )
    expect(error).toBeUndefined()
    expect(value).toEqual({
      spec: { template: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a', deletionTimestamp: '2024-01-01T00:00:00Z' } } },
    })
    expect(paths).toEqual(['spec.template.metadata.foo'])
  })

  it('is refused when malformed, or dropped on request', () => {
    const broken = { spec: { template: { apiVersion: 1, kind: 'Pod', metadata: { name: 'a', labels: { a: 1 } } } } }
    expect(compiled.coerceMetadata(broken).error?.path).toBe('spec.template.apiVersion')
    expect(compiled.coerceMetadata(broken, { dropInvalid: true }).value).toEqual({
      spec: { template: { kind: 'Pod', metadata: { name: 'a' } } },
    })
  })

  it('costs nothing where there is none', () => {
    const value = { spec: { known: 'x' } }
    expect(compiled.coerceMetadata(value).value).toBe(value)
  })

  it('of a whole object', () => {
    const whole = (object: object) => compiled.coerceMetadata(object, { root: true })
    expect(whole({ apiVersion: 'v1', kind: 'X', metadata: { name: 'a', nope: 1 } }).value).toEqual({
      apiVersion: 'v1',
      kind: 'X',
      metadata: { name: 'a' },
    })
    expect(whole({ apiVersion: 'v1', kind: 'X', metadata: { name: 1 } }).error?.message).toContain(
      'cannot unmarshal number into Go struct field ObjectMeta.name of type string',
    )
  })
})

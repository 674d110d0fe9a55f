import type { Schema } from '@weft/api'
import { describe, expect, it } from 'vitest'
import { deducedType, memberType, rootType, type Type } from './type.ts'
import { shapeOf } from './value.ts'

const word: Schema = { type: 'string' }
/** The type of a field with this schema. */
const typeOf = (schema: Schema, options: { builtIn?: boolean; preserve?: boolean } = {}): Type =>
  rootType(
    { type: 'object', properties: { it: schema }, ...(options.preserve === true && { 'x-kubernetes-preserve-unknown-fields': true }) },
    options,
  ).map?.field('it')?.type as Type

describe('scalars', () => {
  it.each<{ reason: string; schema: Schema; scalar: string }>([
    { reason: 'integers', schema: { type: 'integer' }, scalar: 'numeric' },
    { reason: 'numbers', schema: { type: 'number' }, scalar: 'numeric' },
    { reason: 'booleans', schema: { type: 'boolean' }, scalar: 'boolean' },
    { reason: 'text', schema: { type: 'string' }, scalar: 'string' },
    { reason: 'bytes are text', schema: { type: 'string', format: 'byte' }, scalar: 'string' },
    { reason: 'no format at all', schema: { type: 'string', format: '' }, scalar: 'string' },
    { reason: 'another format may be written as a number, too', schema: { type: 'string', format: 'date-time' }, scalar: 'untyped' },
    { reason: 'int-or-string with a type', schema: { type: 'string', 'x-kubernetes-int-or-string': true }, scalar: 'untyped' },
  ])('$reason', ({ schema, scalar }) => {
    expect(typeOf(schema)).toEqual({ scalar })
  })

  it.each<{ reason: string; schema: Schema }>([
    { reason: 'no type', schema: {} },
    { reason: 'int-or-string without one', schema: { 'x-kubernetes-int-or-string': true } },
    { reason: 'int-or-string with an empty one', schema: { type: '', 'x-kubernetes-int-or-string': true } as unknown as Schema },
  ])('$reason: every shape is allowed', ({ schema }) => {
    const type = typeOf(schema)
    expect([type.scalar, type.list?.atomic, type.map?.atomic]).toEqual(['untyped', true, false])
  })
})

describe('lists', () => {
  const items: Schema = { type: 'object', properties: { name: word, port: { type: 'integer', default: 80 } } }
  it.each<{ reason: string; schema: Schema; atomic: boolean; keys?: string[] }>([
    { reason: 'are leaves', schema: { items }, atomic: true },
    { reason: 'said to be atomic', schema: { items, 'x-kubernetes-list-type': 'atomic' }, atomic: true },
    { reason: 'sets', schema: { items: word, 'x-kubernetes-list-type': 'set' }, atomic: false },
    {
      reason: 'maps, by keys in order',
      schema: { items, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['port', 'name'] },
      atomic: false,
      keys: ['name', 'port'],
    },
    { reason: 'maps without keys', schema: { items, 'x-kubernetes-list-type': 'map' }, atomic: false },
    {
      reason: 'the list type wins over the patch strategy',
      schema: { items, 'x-kubernetes-list-type': 'atomic', 'x-kubernetes-patch-strategy': 'merge' },
      atomic: true,
    },
    { reason: 'merged as a set', schema: { items: word, 'x-kubernetes-patch-strategy': 'merge' }, atomic: false },
    {
      reason: 'merged by a key',
      schema: { items, 'x-kubernetes-patch-strategy': 'retainKeys,merge', 'x-kubernetes-patch-merge-key': 'name' },
      atomic: false,
      keys: ['name'],
    },
    {
      reason: 'an empty key is none',
      schema: { items, 'x-kubernetes-patch-strategy': 'merge', 'x-kubernetes-patch-merge-key': '' },
      atomic: false,
    },
    {
      reason: 'replaced',
      schema: { items, 'x-kubernetes-patch-strategy': 'replace', 'x-kubernetes-patch-merge-key': 'name' },
      atomic: true,
    },
  ])('$reason', ({ schema, atomic, keys = [] }) => {
    const { list } = typeOf({ type: 'array', ...schema })
    expect({ atomic: list?.atomic, keys: list?.keys.map(({ name }) => name) }).toEqual({ atomic, keys })
  })

  it('keys have the defaults of their fields', () => {
    const { list } = typeOf({ type: 'array', items, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name', 'port'] })
    expect(list?.keys).toEqual([
      { name: 'name', default: undefined },
      { name: 'port', default: 80 },
    ])
  })

  it('what is in a list without a schema for it is a leaf all the way down', () => {
    const element = typeOf({ type: 'array' }).list?.element
    for (const type of [element, element?.map?.element, element?.list?.element, element?.list?.element.map?.element])
      expect([type?.scalar, type?.map?.atomic, type?.list?.atomic]).toEqual(['untyped', true, true])
  })
})

describe('maps', () => {
  it.each<{ reason: string; schema: Schema; element: Type | undefined }>([
    { reason: 'of what is declared allow nothing else', schema: { properties: { a: word } }, element: undefined },
    { reason: 'that declare nothing allow anything', schema: {}, element: deducedType },
    { reason: 'with an empty list of fields, too', schema: { properties: {} }, element: deducedType },
    { reason: 'of one type', schema: { additionalProperties: word }, element: { scalar: 'string' } },
    { reason: 'of anything', schema: { properties: { a: word }, additionalProperties: true }, element: deducedType },
    { reason: 'of nothing', schema: { additionalProperties: false }, element: undefined },
    {
      reason: 'that preserve what they do not know',
      schema: { properties: { a: word }, 'x-kubernetes-preserve-unknown-fields': true },
      element: deducedType,
    },
  ])('$reason', ({ schema, element }) => {
    expect(typeOf({ type: 'object', ...schema }).map?.element).toEqual(element)
  })

  it('preserve what they do not know wherever an enclosing schema says so, but not in the metadata of an object', () => {
    const struct: Schema = { type: 'object', properties: { a: { type: 'object', properties: { b: word } } } }
    expect(typeOf(struct).map?.field('a')?.type.map?.element).toBeUndefined()
    expect(typeOf(struct, { preserve: true }).map?.field('a')?.type.map?.element).toBe(deducedType)
    const embedded = typeOf({ type: 'object', 'x-kubernetes-embedded-resource': true }, { preserve: true }).map
    expect(embedded?.element).toBe(deducedType)
    expect(embedded?.field('metadata')?.type.map?.element).toBeUndefined()
  })

  it('which of them no schema says anything about', () => {
    const untyped = (schema: Schema): boolean | undefined => typeOf({ type: 'object', ...schema }).map?.untyped
    expect(untyped({})).toBe(true)
    expect(untyped({ additionalProperties: true })).toBe(true)
    expect(untyped({ additionalProperties: {} })).toBe(true)
    expect(untyped({ additionalProperties: word })).toBe(false)
    expect(untyped({ properties: { a: word }, 'x-kubernetes-preserve-unknown-fields': true })).toBe(false)
    expect(untyped({ 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true })).toBe(false)
  })

  it('with every object come its version, its kind and its metadata', () => {
    const { map } = typeOf({ type: 'object', 'x-kubernetes-embedded-resource': true })
    expect(map?.field('apiVersion')?.type).toEqual({ scalar: 'string' })
    expect(map?.field('kind')?.type).toEqual({ scalar: 'string' })
    const metadata = map?.field('metadata')?.type.map
    expect(metadata?.field('labels')?.type.map?.element).toEqual({ scalar: 'string' })
    expect(metadata?.field('finalizers')?.type.list).toMatchObject({ atomic: false, keys: [] })
    expect(metadata?.field('ownerReferences')?.type.list).toMatchObject({ atomic: false, keys: [{ name: 'uid' }] })
    expect(metadata?.field('ownerReferences')?.type.list?.element.map?.atomic).toBe(true)
    expect(metadata?.field('nonsense')).toBeUndefined()
    expect(typeOf({ type: 'object', properties: { a: word } }).map?.field('metadata')).toBeUndefined()
  })

  it('a member has the type of its field, or else that of all members', () => {
    const { map } = typeOf({ type: 'object', properties: { a: { type: 'integer' } }, additionalProperties: word })
    expect(map && memberType(map, 'a')).toEqual({ scalar: 'numeric' })
    expect(map && memberType(map, 'toString')).toEqual({ scalar: 'string' })
  })

  it('are read once', () => {
    const schema: Schema = { type: 'object', properties: { a: { type: 'object' } } }
    expect(rootType(schema)).toBe(rootType(schema))
    expect(rootType(schema).map?.field('a')).toBe(rootType(schema).map?.field('a'))
    expect(rootType(schema, { builtIn: true })).not.toBe(rootType(schema))
    expect(rootType(undefined)).toBe(deducedType)
  })
})

describe('what is there before anybody wrote it', () => {
  const struct: Schema = { type: 'object', properties: { a: word } }
  const set: Schema = { type: 'array', items: word, 'x-kubernetes-list-type': 'set' }
  const schema: Schema = {
    type: 'object',
    required: ['required', 'set', 'word', 'free', 'list', 'atomic'],
    properties: {
      required: struct,
      defaulted: { ...struct, default: {} },
      filled: { ...struct, default: { a: 'x' } },
      optional: struct,
      free: { type: 'object' },
      atomic: { ...struct, 'x-kubernetes-map-type': 'atomic' },
      set,
      list: { type: 'array', items: word },
      optionalSet: set,
      word,
      any: {},
    },
  }
  const present = (builtIn: boolean): Record<string, unknown> => {
    const { map } = rootType(schema, { builtIn })
    const names = ['metadata', ...Object.keys(schema.properties ?? {})]
    return Object.fromEntries(names.map((name) => [name, map?.field(name)?.alwaysPresent]).filter(([, value]) => value !== undefined))
  }

  it('structs and lists that Kubernetes cannot leave out', () => {
    expect(present(true)).toEqual({ metadata: {}, required: {}, defaulted: {}, set: null })
    expect(rootType(schema, { builtIn: true }).map?.zeroFields).toEqual(['required', 'defaulted'])
  })

  it('nothing in a custom resource', () => {
    expect(present(false)).toEqual({})
    expect(rootType(schema).map?.zeroFields).toEqual([])
  })
})

describe('the shape of a value', () => {
  const [scalar, map, list] = [typeOf(word), typeOf({ type: 'object' }), typeOf({ type: 'array' })]
  const anything = typeOf({})
  it.each<{ reason: string; type: Type; value: unknown; shape: string | undefined }>([
    { reason: 'its own: a map', type: anything, value: {}, shape: 'map' },
    { reason: 'its own: a list', type: anything, value: [], shape: 'list' },
    { reason: 'its own: a scalar', type: anything, value: 0, shape: 'scalar' },
    { reason: 'null fits everything, a map first', type: anything, value: null, shape: 'map' },
    { reason: 'null as a scalar', type: scalar, value: null, shape: 'scalar' },
    { reason: 'null as a list', type: list, value: null, shape: 'list' },
    { reason: 'a scalar before a list', type: { ...scalar, ...list }, value: null, shape: 'scalar' },
    { reason: 'a list where a map is allowed', type: map, value: [], shape: 'map' },
    { reason: 'a map where a list is allowed', type: list, value: {}, shape: 'list' },
    { reason: 'a scalar where a map is allowed', type: map, value: 'x', shape: 'map' },
    { reason: 'a list where a scalar is allowed', type: scalar, value: [], shape: 'scalar' },
    { reason: 'nothing is allowed', type: {}, value: 'x', shape: undefined },
  ])('$reason', ({ type, value, shape }) => {
    expect(shapeOf(type, value)).toBe(shape)
  })
})

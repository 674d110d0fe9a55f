import { deepEqual, type JsonValue, type Schema } from '@weft/api'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compileSchema } from './compile.ts'

const key = fc.constantFrom('a', 'b', 'c', 'kind', 'metadata', '__proto__', 'constructor')
const json = fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<JsonValue>

/** Schemas whose defaults are valid by construction, as a CustomResourceDefinition's must be. */
const { schema } = fc.letrec<{ schema: Schema; leaf: Schema }>((tie) => ({
  leaf: fc.oneof(
    fc.record({ type: fc.constant('string'), nullable: fc.boolean() }, { requiredKeys: ['type'] }),
    fc.record({ type: fc.constant('string'), default: fc.string() }, { requiredKeys: ['type'] }),
    fc.record({ type: fc.constant('integer'), default: fc.integer(), minimum: fc.constant(-(2 ** 31)) }, { requiredKeys: ['type'] }),
    fc.constant<Schema>({ 'x-kubernetes-preserve-unknown-fields': true }),
    fc.constant<Schema>({ 'x-kubernetes-int-or-string': true }),
  ),
  schema: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    tie('leaf'),
    fc.record({ type: fc.constant('object'), properties: fc.dictionary(key, tie('schema'), { maxKeys: 4 }), nullable: fc.boolean() }),
    fc.record({ type: fc.constant('object'), properties: fc.dictionary(key, tie('schema'), { maxKeys: 3 }), default: fc.constant({}) }),
    fc.record({ type: fc.constant('object'), additionalProperties: tie('schema') }),
    fc.record({ type: fc.constant('array'), items: tie('schema') }),
  ),
}))

/** A value that satisfies the schema. */
function valueFor(node: Schema): fc.Arbitrary<JsonValue> {
  const inner = (): fc.Arbitrary<JsonValue> => {
    switch (node.type) {
      case 'string':
        return fc.string()
      case 'integer':
        return fc.integer()
      case 'array':
        return fc.array(valueFor(node.items ?? {}), { maxLength: 3 })
      case 'object':
        return typeof node.additionalProperties === 'object'
          ? fc.dictionary(key, valueFor(node.additionalProperties), { maxKeys: 3 })
          : fc.record(Object.fromEntries(Object.entries(node.properties ?? {}).map(([name, child]) => [name, valueFor(child)])), {
              requiredKeys: [],
            })
      default:
        return node['x-kubernetes-int-or-string'] === true ? fc.oneof(fc.integer(), fc.string()) : json
    }
  }
  return node.nullable === true ? fc.oneof({ weight: 5, arbitrary: inner() }, { weight: 1, arbitrary: fc.constant(null) }) : inner()
}

const schemaAndValue = schema.chain((node) => fc.tuple(fc.constant(node), fc.oneof(valueFor(node), json)))
const runs = { numRuns: 400 }

describe('for every schema and value', () => {
  it('pruning twice is pruning once', () => {
    fc.assert(
      fc.property(schemaAndValue, fc.boolean(), ([node, value], root) => {
        const once = compileSchema(node).prune(value, { root })
        expect(compileSchema(node).prune(once, { root })).toBe(once)
      }),
      runs,
    )
  })

  it('pruning reports a path exactly when it drops something', () => {
    fc.assert(
      fc.property(schemaAndValue, ([node, value]) => {
        // Below the root, for there the fields of the type go in silence.
        const paths: string[] = []
        const object = { v: value }
        const pruned = compileSchema({ type: 'object', properties: { v: node } }).prune(object, {
          collect: (path) => void paths.push(path),
        })
        expect(paths.length > 0).toBe(pruned !== object)
      }),
      runs,
    )
  })

  it('defaulting twice is defaulting once', () => {
    fc.assert(
      fc.property(schemaAndValue, ([node, value]) => {
        const once = compileSchema(node).applyDefaults(value)
        expect(compileSchema(node).applyDefaults(once)).toBe(once)
      }),
      runs,
    )
  })

  it('what is valid stays valid with defaults', () => {
    fc.assert(
      fc.property(
        schema.chain((node) => fc.tuple(fc.constant(node), valueFor(node))),
        ([node, value]) => {
          const compiled = compileSchema(node)
          expect(compiled.validate(value)).toEqual([])
          expect(compiled.validate(compiled.applyDefaults(value))).toEqual([])
        },
      ),
      runs,
    )
  })

  it('never writes to its input', () => {
    fc.assert(
      fc.property(schemaAndValue, ([node, value]) => {
        const before = structuredClone(value)
        const compiled = compileSchema(node)
        compiled.validate(value, { old: value })
        compiled.prune(value)
        compiled.dropNulls(value)
        compiled.applyDefaults(value)
        compiled.coerceMetadata(value, { root: true, dropInvalid: true })
        expect(deepEqual(value, before)).toBe(true)
      }),
      runs,
    )
  })

  it('an unchanged described object has no errors on update', () => {
    fc.assert(
      fc.property(schemaAndValue, ([node, value]) => {
        const compiled = compileSchema({ type: 'object', properties: { v: { ...node, enum: ['never'] } } })
        const pruned = compileSchema(node).prune(value, { root: false })
        const object = { v: pruned }
        if (typeof pruned === 'object' && pruned !== null) return // open parts count as changed
        expect(compiled.validate(object, { old: structuredClone(object) })).toEqual([])
      }),
      runs,
    )
  })
})

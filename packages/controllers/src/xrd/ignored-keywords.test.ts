import type { KubeObject } from '@weft/api'
import { describe, expect, test } from 'vitest'
import { ignoredKeywords } from './ignored-keywords.ts'

const AT = 'spec.versions[0].schema.openAPIV3Schema'
const xrd = (openAPIV3Schema: unknown): KubeObject => ({
  apiVersion: 'apiextensions.crossplane.io/v2',
  kind: 'CompositeResourceDefinition',
  metadata: { name: 'kiosks.shop.example.org' },
  spec: { versions: [{ name: 'v1', served: true, referenceable: true, schema: { openAPIV3Schema } }] },
})

describe('K23: what the kind does not have of its definition is told', () => {
  test('by its place, wherever it speaks of a whole', () => {
    const schema = {
      type: 'object',
      minProperties: 2,
      properties: {
        apiVersion: { type: 'string' },
        kind: { type: 'string' },
        metadata: { type: 'object', properties: { name: { maxLength: 20 }, labels: { type: 'object' } } },
        spec: { type: 'object', anyOf: [{ required: ['a'] }], oneOf: [], default: {}, properties: { a: { anyOf: [{ minLength: 1 }] } } },
        status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, properties: {} },
        extra: { type: 'string' },
      },
    }
    expect(ignoredKeywords(xrd(schema)).map(({ path }) => path)).toEqual([
      `${AT}.minProperties`,
      `${AT}.properties.spec.anyOf`,
      `${AT}.properties.spec.default`,
      `${AT}.properties.status.x-kubernetes-preserve-unknown-fields`,
      `${AT}.properties.metadata.properties.labels`,
      `${AT}.properties.extra`,
    ])
  })

  test.each([
    [
      'a schema that is kept whole',
      { type: 'object', required: ['spec'], properties: { spec: { type: 'object', required: ['a'], properties: { a: { not: {} } } } } },
    ],
    ['no schema', undefined],
    ['what has no shape', { properties: { spec: [], status: 1, metadata: null } }],
    ['properties that are none', { properties: 'no' }],
  ])('nothing is said of %s', (_reason, schema) => {
    expect(ignoredKeywords(xrd(schema))).toEqual([])
  })

  test('what is no definition at all has nothing', () => {
    expect(ignoredKeywords({ apiVersion: 'v1', kind: 'X', metadata: {}, spec: { versions: [null, 1] } })).toEqual([])
  })
})

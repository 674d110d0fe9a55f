import type { Schema } from '@weft/api'
import { describe, expect, it } from 'vitest'
import { modelName, type OpenApiSchema, publishKind, toOpenApiSchema } from './openapi.ts'

const schema: Schema = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      required: ['a', 'n'],
      properties: {
        a: { type: 'string', nullable: true, pattern: '^a' },
        n: { 'x-kubernetes-int-or-string': true },
        open: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, properties: { x: { type: 'string' } } },
        one: { type: 'object', oneOf: [{ required: ['x'] }], 'x-kubernetes-map-type': 'atomic' },
        template: { type: 'object', 'x-kubernetes-embedded-resource': true, properties: { spec: { type: 'object' } } },
      },
    },
  },
}
const kind = {
  group: 'apps.example.org',
  version: 'v1',
  kind: 'Widget',
  listKind: 'WidgetList',
  plural: 'widgets',
  schema,
  selectableFields: ['.spec.a'],
}
const at = (value: OpenApiSchema, ...path: string[]): unknown =>
  path.reduce<unknown>((inner, key) => (inner as Record<string, unknown>)[key], value)

it('names models by reversed group', () => {
  expect(modelName(kind)).toBe('org.example.apps.v1.Widget')
})

describe('v3', () => {
  const published = publishKind(kind, 'v3')
  const widget = published['org.example.apps.v1.Widget'] ?? {}

  it('adds what every object has', () => {
    expect(at(widget, 'properties', 'metadata', 'allOf')).toEqual([
      { $ref: '#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta' },
    ])
    expect(at(widget, 'properties', 'apiVersion', 'type')).toBe('string')
    expect(widget['x-kubernetes-group-version-kind']).toEqual([{ group: 'apps.example.org', version: 'v1', kind: 'Widget' }])
    expect(widget['x-kubernetes-selectable-fields']).toEqual([{ fieldPath: 'spec.a' }])
  })

  it('keeps nullable and alternatives, and spells out int-or-string', () => {
    expect(at(widget, 'properties', 'spec', 'properties', 'a', 'nullable')).toBe(true)
    expect(at(widget, 'properties', 'spec', 'properties', 'one', 'oneOf')).toEqual([{ required: ['x'] }])
    expect(at(widget, 'properties', 'spec', 'properties', 'n')).toEqual({
      'x-kubernetes-int-or-string': true,
      anyOf: [{ type: 'integer' }, { type: 'string' }],
    })
  })

  it('completes embedded resources', () => {
    expect(at(widget, 'properties', 'spec', 'properties', 'template', 'required')).toEqual(['kind', 'apiVersion'])
  })

  it('describes the list', () => {
    expect(at(published['org.example.apps.v1.WidgetList'] ?? {}, 'properties', 'items', 'items')).toEqual({
      $ref: '#/components/schemas/org.example.apps.v1.Widget',
    })
  })
})

describe('v2', () => {
  const widget = publishKind(kind, 'v2')['org.example.apps.v1.Widget'] ?? {}
  const spec = at(widget, 'properties', 'spec') as OpenApiSchema

  it('leaves open what v2 cannot say', () => {
    expect(at(spec, 'properties', 'a')).toEqual({ pattern: '^a' })
    expect(spec['required']).toEqual(['n'])
    expect(at(spec, 'properties', 'open')).toEqual({ 'x-kubernetes-preserve-unknown-fields': true })
    expect(at(spec, 'properties', 'one')).toEqual({ type: 'object', 'x-kubernetes-map-type': 'atomic' })
    expect(at(spec, 'properties', 'n')).toEqual({ 'x-kubernetes-int-or-string': true })
  })

  it('refers to definitions', () => {
    expect(at(widget, 'properties', 'metadata', '$ref')).toBe('#/definitions/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta')
  })

  it('publishes a kind that keeps everything as any object', () => {
    const open = publishKind({ ...kind, schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } }, 'v2')
    expect(open['org.example.apps.v1.Widget']).toMatchObject({ type: 'object' })
    expect(open['org.example.apps.v1.Widget']).not.toHaveProperty('properties')
  })
})

it('does not write to the schema', () => {
  const before = structuredClone(schema)
  toOpenApiSchema(schema, 'v2')
  toOpenApiSchema(schema, 'v3')
  expect(schema).toEqual(before)
})

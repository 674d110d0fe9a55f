import { expect, test } from 'vitest'
import { schemaIn } from './openapi-schemas.ts'

const kind = (name: string, ...groups: readonly string[]): object => ({
  'x-kubernetes-group-version-kind': groups.map((group) => ({ group, version: 'v1', kind: name })),
})

const document = {
  components: {
    schemas: {
      'org.example.Thing': {
        type: 'object',
        ...kind('Thing', 'example.org'),
        properties: {
          meta: { allOf: [{ $ref: '#/components/schemas/Meta' }], default: {} },
          children: { type: 'array', items: { $ref: '#/components/schemas/org.example.Thing' } },
          byName: { type: 'object', additionalProperties: { $ref: '#/components/schemas/Meta' } },
        },
      },
      Meta: { type: 'object', properties: { name: { type: 'string' } } },
      Shared: { type: 'object', ...kind('Shared', 'example.org', 'other.org') },
    },
  },
}

test('K105 a schema has what it refers to in its place, and itself as an object', () => {
  const meta = { type: 'object', properties: { name: { type: 'string' } } }
  expect(schemaIn([{}, document], { apiVersion: 'example.org/v1', kind: 'Thing' })).toMatchObject({
    type: 'object',
    properties: { meta, children: { items: { type: 'object' } }, byName: { additionalProperties: meta } },
  })
})

test.each([
  { apiVersion: 'example.org/v1', kind: 'Other', reason: 'another kind' },
  { apiVersion: 'example.org/v2', kind: 'Thing', reason: 'another version' },
  { apiVersion: 'v1', kind: 'Thing', reason: 'another group' },
  { apiVersion: 'example.org/v1', kind: 'Shared', reason: 'one of several kinds' },
])('there is none for $reason', ({ apiVersion, kind: name }) => {
  expect(schemaIn([document], { apiVersion, kind: name })).toBeUndefined()
})

import { isDns1123Subdomain } from '@weft/api'
import { describe, expect, it } from 'vitest'
import { humanDuration } from './column.ts'
import {
  builtinKinds,
  componentOf,
  conform,
  findBuiltin,
  findBuiltinResource,
  messageFor,
  openApiV2,
  publishedMessages,
  schemaOf,
  storedKindsOf,
} from './index.ts'

describe('the table', () => {
  it('names every kind and resource once', () => {
    const names = builtinKinds.map((row) => `${row.group}/${row.kind}`)
    expect(new Set(names).size).toBe(names.length)
    expect(names).toHaveLength(31)
    for (const row of builtinKinds) {
      expect(findBuiltin(row.group, row.kind)).toBe(row)
      expect(findBuiltinResource(row.group, row.plural)).toBe(row)
      expect(messageFor(row)).toBe(row.message)
      expect(row.message.name.endsWith(`.${row.version}.${row.kind}`)).toBe(true)
    }
    expect(findBuiltin('', 'Pod')).toBeUndefined()
  })

  it.each([...builtinKinds, ...storedKindsOf(['all'])].map((row) => [`${row.group}/${row.kind}`, row] as const))(
    'serves %s whatever it holds',
    (_name, row) => {
      const empty = { apiVersion: 'v1', kind: row.kind, metadata: {} }
      const context = { now: 0 }
      // Strategies see what clients send: they must answer with errors, never throw.
      const object = row.strategy.prepareForCreate(row.strategy.default(empty), context)
      expect(Array.isArray(row.strategy.validate(object))).toBe(true)
      expect(Array.isArray(row.strategy.validateUpdate(row.strategy.prepareForUpdate(object, object, context), object))).toBe(true)
      const whole = row.strategy.default(object)
      expect(row.strategy.default(whole)).toEqual(whole)
      for (const column of row.columns) expect(['string', 'number', 'boolean']).toContain(typeof column.cell(object, 0))
      for (const read of Object.values(row.selectableFields)) expect(typeof read(object)).toBe('string')
      for (const part of row.subresources) expect(Array.isArray(part.strategy.validateUpdate(object, object))).toBe(true)
      expect(empty).toEqual({ apiVersion: 'v1', kind: row.kind, metadata: {} })
    },
  )

  it('reviews are asked, never stored', () => {
    const reviews = builtinKinds.filter((row) => row.kind.endsWith('Review'))
    expect(reviews).toHaveLength(6)
    for (const row of reviews) expect(row.verbs).toEqual(['create'])
  })
})

describe('schemas', () => {
  const configMap = findBuiltin('', 'ConfigMap')?.message
  const namespace = findBuiltin('', 'Namespace')?.message
  const definition = findBuiltin('apiextensions.k8s.io', 'CustomResourceDefinition')?.message
  if (!configMap || !namespace || !definition) throw new Error('missing kinds')

  it('declares lists, maps and how they merge', () => {
    expect(schemaOf(configMap)).toMatchObject({
      type: 'object',
      properties: {
        kind: { type: 'string' },
        data: { type: 'object', additionalProperties: { type: 'string' } },
        binaryData: { additionalProperties: { type: 'string', format: 'byte' } },
        metadata: {
          properties: {
            ownerReferences: {
              'x-kubernetes-list-type': 'map',
              'x-kubernetes-list-map-keys': ['uid'],
              'x-kubernetes-patch-merge-key': 'uid',
            },
            finalizers: { 'x-kubernetes-list-type': 'set' },
          },
        },
      },
    })
    expect(schemaOf(namespace)).toMatchObject({
      properties: { status: { properties: { conditions: { 'x-kubernetes-list-map-keys': ['type'] } } } },
    })
  })

  it('is a finite tree, also for the schema of schemas', () => {
    expect(() => JSON.stringify(schemaOf(definition))).not.toThrow()
    expect(schemaOf(definition)).toBe(schemaOf(definition))
  })

  it('refers between components, each of which is published and described', () => {
    const published = publishedMessages()
    expect(published.size).toBeGreaterThan(200)
    for (const message of published.values()) {
      expect({ [message.name]: message.description }).not.toEqual({ [message.name]: '' })
      for (const match of JSON.stringify(componentOf(message)).matchAll(/"#\/components\/schemas\/([^"]+)"/g))
        expect([...published.keys()]).toContain(match[1])
      expect(JSON.stringify(componentOf(message, openApiV2))).not.toContain('#/components')
    }
    expect([...published.keys()].every((name) => isDns1123Subdomain(name.toLowerCase()).length === 0)).toBe(true)
  })
})

describe('conform', () => {
  const secret = findBuiltin('', 'Secret')?.message
  const service = findBuiltin('', 'Service')?.message
  const lease = findBuiltin('coordination.k8s.io', 'Lease')?.message
  if (!secret || !service || !lease) throw new Error('missing kinds')

  it('drops and reports fields that the kind does not have', () => {
    const { object, unknownFields } = conform(service, {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { nam: 'x' },
      spec: { ports: [{ port: 1, prot: 'x' }], ['__proto__']: 1 },
      top: 1,
    })
    expect(unknownFields).toEqual(['top', 'metadata.nam', 'spec.__proto__', 'spec.ports[0].prot'])
    expect(object).toEqual({
      apiVersion: 'v1',
      kind: 'Service',
      metadata: {},
      spec: { ports: [{ port: 1, targetPort: 0 }] },
      status: { loadBalancer: {} },
    })
  })

  it('leaves partial objects partial', () => {
    expect(conform(service, { spec: { ports: [], type: '' } }, { complete: false }).object).toEqual({ spec: { ports: [], type: '' } })
  })

  it.each([
    {
      reason: 'a number for text',
      value: { metadata: { labels: { a: 1 } } },
      error: 'json: cannot unmarshal number into Go struct field ObjectMeta.metadata.labels of type string',
    },
    {
      reason: 'text for a map',
      value: { data: 'x' },
      error: 'json: cannot unmarshal string into Go struct field Secret.data of type map[string][]uint8',
    },
    {
      reason: 'a fraction',
      value: { metadata: { generation: 1.5 } },
      error: 'json: cannot unmarshal number 1.5 into Go struct field ObjectMeta.metadata.generation of type int64',
    },
    { reason: 'bytes that are no base64', value: { data: { a: 'a?b=' } }, error: 'illegal base64 data at input byte 1' },
    { reason: 'base64 without padding', value: { data: { a: 'YQ' } }, error: 'illegal base64 data at input byte 0' },
    { reason: 'a time of another form', value: { metadata: { creationTimestamp: 'yesterday' } }, error: /^parsing time "yesterday"/ },
    {
      reason: 'a list for an object',
      value: { metadata: [] },
      error: 'json: cannot unmarshal array into Go struct field Secret.metadata of type v1.ObjectMeta',
    },
  ])('refuses $reason', ({ value, error }) => {
    expect(() => conform(secret, value)).toThrow(error)
  })

  it('writes times as the server does', () => {
    expect(conform(secret, { metadata: { creationTimestamp: '2026-01-01T01:00:00.75+01:00' } }).object).toEqual({
      metadata: { creationTimestamp: '2026-01-01T00:00:00Z' },
    })
    expect(conform(lease, { spec: { renewTime: '2026-01-01T00:00:00.123456Z', leaseTransitions: 0 } }).object).toMatchObject({
      spec: { renewTime: '2026-01-01T00:00:00.123456Z', leaseTransitions: 0 },
    })
    expect(() => conform(lease, { spec: { renewTime: '2026-01-01T00:00:00Z' } })).toThrow(/parsing time/)
  })
})

describe('ages', () => {
  it.each([
    [-3, '<invalid>'],
    [-1, '0s'],
    [119, '119s'],
    [120, '2m'],
    [599, '9m59s'],
    [600, '10m'],
    [179 * 60, '179m'],
    [3 * 3600, '3h'],
    [7 * 3600 + 59 * 60, '7h59m'],
    [47 * 3600, '47h'],
    [48 * 3600, '2d'],
    [7 * 86400 + 23 * 3600, '7d23h'],
    [8 * 86400, '8d'],
    [729 * 86400, '729d'],
    [731 * 86400, '2y1d'],
    [8 * 365 * 86400, '8y'],
  ])('%d seconds are %s', (seconds, text) => {
    expect(humanDuration(seconds * 1000)).toBe(text)
  })
})

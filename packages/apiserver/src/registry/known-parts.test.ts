import type { KubeObject } from '@weft/api'
import type { CustomResourceDefinition } from '@weft/schema'
import { describe, expect, it } from 'vitest'
import { customTypes } from './custom.ts'
import { KnownParts } from './known-parts.ts'
import type { ResourceType } from './resource-type.ts'

const definition = (properties: object): CustomResourceDefinition =>
  ({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'things.example.org' },
    spec: {
      group: 'example.org',
      scope: 'Cluster',
      names: { kind: 'Thing', plural: 'things' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          subresources: { status: {} },
          schema: { openAPIV3Schema: { type: 'object', properties } },
        },
      ],
    },
  }) as unknown as CustomResourceDefinition

const type = (properties: object): ResourceType => customTypes(definition(properties), () => Promise.resolve([]))[0] as ResourceType
const text = { type: 'string' }
const size = { type: 'object', properties: { size: { type: 'integer' }, colour: { ...text, default: 'red' } } }

const thing = (fields: object): KubeObject => ({ apiVersion: 'example.org/v1', kind: 'Thing', metadata: { name: 'a' }, ...fields })

describe('what is known of parts', () => {
  it('hands back the very object when all of it was read before', () => {
    const { decode } = type({ spec: size })
    const read = decode(thing({ spec: { size: 1 } }))
    expect(read['spec']).toEqual({ size: 1, colour: 'red' })
    expect(decode(read)).toBe(read)
  })

  it('reads what is new beside what is known', () => {
    const { decode } = type({ spec: size, status: size })
    const read = decode(thing({ spec: { size: 1 } }))
    const unknown: string[] = []
    const next = decode({ ...read, status: { size: 2, odd: true } }, (path) => unknown.push(path))
    expect(next['spec']).toBe(read['spec'])
    expect(next['status']).toEqual({ size: 2, colour: 'red' })
    expect(unknown).toEqual(['status.odd'])
  })

  it('reads new members of metadata, and keeps the others', () => {
    const { decode } = type({ spec: size })
    const read = decode({ ...thing({ spec: {} }), metadata: { name: 'a', labels: { a: 'b' } } })
    const next = decode({ ...read, metadata: { ...read.metadata, finalizers: [], annotations: { c: 'd' }, odd: true } } as KubeObject)
    expect(next.metadata).toEqual({ name: 'a', labels: { a: 'b' }, annotations: { c: 'd' } })
    expect(next.metadata.labels).toBe(read.metadata.labels)
  })

  it('fills in a default for a part that was taken away', () => {
    const { decode } = type({ spec: { ...size, default: { size: 7 } } })
    const { spec: _, ...rest } = decode(thing({}))
    expect(decode(rest as KubeObject)['spec']).toEqual({ size: 7, colour: 'red' })
  })

  it('takes a part for known only where it stood, and by the schema that read it', () => {
    const first = type({ spec: size, other: { type: 'object' } })
    const read = first.decode(thing({ spec: { size: 1 } }))
    expect(first.decode(thing({ other: read['spec'] }))['other']).toEqual({})
    expect(type({ spec: { type: 'object' } }).decode(read)['spec']).toEqual({})
  })

  it('keeps the order of members', () => {
    const known = new KnownParts()
    const object = thing({ spec: { a: 1 }, status: { b: 2 } })
    known.learn(thing({ status: object['status'] }))
    const unknown = known.unknownOf(object)
    expect(Object.keys(unknown)).toEqual(['apiVersion', 'kind', 'metadata', 'spec'])
    expect(Object.keys(known.joined(object, { ...unknown, spec: {}, more: 1 }))).toEqual([
      'apiVersion',
      'kind',
      'metadata',
      'spec',
      'status',
      'more',
    ])
  })
})

import { describe, expect, it } from 'vitest'
import { Message } from '../message.ts'
import { objectMeta } from '../meta.ts'
import { schemaOf } from '../schema.ts'
import { tableMessage } from './index.ts'
import { MessageTables } from './table.ts'

const words = { message: (name: string) => `About ${name}.`, field: () => '' }
const table = `
io.k8s.api.example.v1
Inner atomic
  name! 1 string; next 2 *Inner
Part
  a 1 string ="x"; b~ 2 int32
Thing typed
  metadata 1 meta.ObjectMeta; items 2 []Inner key=name,next patch=merge:name; tags 3 []string set; free 4 {}quantity atomic; ... 5 Part
`

describe('MessageTables', () => {
  const tables = new MessageTables([table], [objectMeta], words)
  const thing = tables.get('io.k8s.api.example.v1.Thing')

  it('reads names, numbers, types and how lists merge', () => {
    expect(thing.typed).toBe(true)
    expect(thing.description).toBe('About Thing.')
    expect([...thing.byName.values()].map(({ name, number, presence }) => `${name} ${number} ${presence}`)).toEqual([
      'metadata 1 value',
      'items 2 value',
      'tags 3 value',
      'free 4 value',
      'a 1 value',
      'b 2 always',
    ])
    expect(thing.byName.get('metadata')?.type).toBe(objectMeta)
    expect(thing.byName.get('items')).toMatchObject({
      type: { listType: 'map', mapKeys: ['name', 'next'] },
      patchStrategy: 'merge',
      patchMergeKey: 'name',
    })
    expect(thing.byName.get('tags')?.type).toMatchObject({ list: 'string', listType: 'set' })
    expect(thing.byName.get('free')).toMatchObject({ type: { map: 'quantity' }, mapType: 'atomic' })
    expect(thing.byName.get('a')).toMatchObject({ default: 'x', required: false })
  })

  it('lets a message refer to itself', () => {
    const inner = tables.get('io.k8s.api.example.v1.Inner')
    expect(inner.mapType).toBe('atomic')
    expect(inner.byName.get('next')).toMatchObject({ type: inner, presence: 'pointer' })
    expect(inner.byName.get('name')?.required).toBe(true)
  })

  it('says which message no table has', () => {
    expect(() => tables.get('io.k8s.api.example.v1.Nothing')).toThrow('no table has io.k8s.api.example.v1.Nothing')
  })
})

describe('the tables of Kubernetes', () => {
  it('know how the containers of a pod merge', () => {
    const spec = tableMessage('io.k8s.api.core.v1.PodSpec')
    expect(spec).toBeInstanceOf(Message)
    expect(schemaOf(spec)).toMatchObject({
      required: ['containers'],
      properties: {
        containers: {
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['name'],
          'x-kubernetes-patch-strategy': 'merge',
          items: { properties: { ports: { 'x-kubernetes-list-map-keys': ['containerPort', 'protocol'] } } },
        },
        nodeSelector: { 'x-kubernetes-map-type': 'atomic' },
      },
    })
  })
})

import type { KubeObject } from '@weft/api'
import type { CustomResourceDefinition } from '@weft/schema'
import { describe, expect, it } from 'vitest'
import { customTypes } from './custom.ts'
import type { ResourceType } from './resource-type.ts'
import { StoredObject } from './stored-object.ts'
import { rememberMade, viewOf } from './views.ts'

const text = { type: 'string' }

function type(properties: object): ResourceType {
  const version = { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object', properties } } }
  const spec = { group: 'example.org', scope: 'Cluster', names: { kind: 'Thing', plural: 'things' }, versions: [version] }
  const crd = { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', metadata: { name: 'things.example.org' }, spec }
  return customTypes(crd as unknown as CustomResourceDefinition, () => Promise.resolve([]))[0] as ResourceType
}

const made = (fields: object): StoredObject => {
  const object: KubeObject = { apiVersion: 'example.org/v1', kind: 'Thing', metadata: { name: 'a', resourceVersion: '7' }, ...fields }
  return StoredObject.ofObject('/things/a', 7, object)
}

describe('what is about to be written', () => {
  it('is shown as it is, as the very same object', () => {
    const things = type({ spec: { type: 'object', properties: { colour: text } } })
    const stored = made({ spec: { colour: 'red' } })
    rememberMade(things, stored)
    expect(viewOf(things, stored)).toBe(stored)
  })

  it('is shown with the default of a part that the server took away', () => {
    const things = type({ spec: { type: 'object' }, status: { type: 'object', default: { phase: 'New' }, properties: { phase: text } } })
    const stored = made({ spec: {} })
    rememberMade(things, stored)
    expect(viewOf(things, stored)).toMatchObject({ object: { spec: {}, status: { phase: 'New' } } })
  })

  it('is shown without nulls that an applier left in it', () => {
    const things = type({ spec: { type: 'object', properties: { colour: text, size: text } } })
    const stored = made({ spec: { colour: null, size: 'big' } })
    rememberMade(things, stored)
    expect(viewOf(things, stored)).toMatchObject({ object: { spec: { size: 'big' } } })
    expect((viewOf(things, stored) as StoredObject).object['spec']).not.toHaveProperty('colour')
  })
})

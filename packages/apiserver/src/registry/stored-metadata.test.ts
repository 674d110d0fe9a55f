import { describe, expect, it } from 'vitest'
import { metadataIn } from './stored-metadata.ts'

const metadata = {
  name: 'a',
  annotations: { 'example.org/text': 'a "quoted" } ] \\ ,"managedFields":[{', 'example.org/ü': 'ö' },
  ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: 'u-1' }],
}
const managedFields = [{ manager: 'a "b" ]', fieldsV1: { 'f:metadata': { 'f:ownerReferences': { 'k:{"uid":"u-1"}': {} } } } }]
const bytesOf = (object: unknown): Buffer => Buffer.from(JSON.stringify(object))

describe('metadataIn', () => {
  it('reads the metadata around the managed fields, wherever they stand', () => {
    const spec = { template: { metadata: { name: 'inner' } } }
    const head = { apiVersion: 'example.org/v1', kind: 'Thing' }
    expect(metadataIn(bytesOf({ ...head, metadata: { ...metadata, managedFields, uid: 'u-2' }, spec }))).toEqual({
      ...metadata,
      uid: 'u-2',
    })
    expect(metadataIn(bytesOf({ ...head, metadata: { ...metadata, uid: 'u-2', managedFields }, spec }))).toEqual({
      ...metadata,
      uid: 'u-2',
    })
    expect(metadataIn(bytesOf({ ...head, metadata, spec: { managedFields } }))).toEqual(metadata)
  })

  it('answers undefined for what is laid out otherwise', () => {
    expect(metadataIn(bytesOf({ spec: {}, metadata, apiVersion: 'v1', kind: 'Thing' }))).toBeUndefined()
    expect(metadataIn(bytesOf({ apiVersion: 'v1', kind: 'Thing' }))).toBeUndefined()
    expect(metadataIn(Buffer.from('{"apiVersion":"v1","kind":"Thing","metadata":{"name":"a'))).toBeUndefined()
  })

  it('never mistakes a managed field list that comes first', () => {
    const first = { apiVersion: 'v1', kind: 'Thing', metadata: { managedFields, name: 'a' } }
    expect(metadataIn(bytesOf(first))).toMatchObject({ name: 'a' })
  })
})

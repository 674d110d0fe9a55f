import type { KubeObject, Schema } from '@weft/api'
import { describe, expect, it } from 'vitest'
import { checkSpelling } from './check-spelling.ts'
import { misspeltFields } from './misspelt-fields.ts'

const open = (properties: Record<string, Schema>): Schema => ({ type: 'object', properties, 'x-kubernetes-preserve-unknown-fields': true })
const SCHEMAS: Readonly<Record<string, Schema>> = {
  Database: { type: 'object', properties: { spec: open({ classSelector: {}, classRef: {} }) } },
  DatabaseClass: { type: 'object', properties: { specTemplate: open({}) } },
  Server: {
    type: 'object',
    properties: {
      spec: { type: 'object', properties: { reclaimPolicy: {}, forProvider: { type: 'object', properties: { region: {} } } } },
    },
  },
}
const row: KubeObject = {
  apiVersion: 'weft.dev/v1alpha1',
  kind: 'ResourceBindingDefinition',
  metadata: { name: 'row' },
  spec: {
    claim: { group: 'example.org', kind: 'Database' },
    class: { group: 'example.org', kind: 'DatabaseClass' },
    managed: { group: 'example.org', version: 'v1', kind: 'Server' },
    fieldMappings: [{ fromFieldPath: 'spec.engineVersion', toFieldPath: 'spec.forProvider.version' }],
  },
}
const known = { schema: ({ kind }: { readonly kind: string }) => SCHEMAS[kind], objects: () => [row] }
const warnings = (kind: string, fields: object): readonly string[] =>
  checkSpelling({ apiVersion: 'example.org/v1', kind, metadata: { name: 'x' }, ...fields }, known)

describe('a flexible class', () => {
  const open_ = { ...SCHEMAS, Server: { type: 'object', properties: { spec: open({ region: {}, engine: {} }) } } } as Readonly<
    Record<string, Schema>
  >
  const told = (base: object, patch: object): readonly string[] =>
    checkSpelling(
      {
        apiVersion: 'infrastructure.crossplane.io/v1alpha1',
        kind: 'ResourceClass',
        metadata: { name: 'x' },
        spec: {
          claim: { apiVersion: 'example.org/v1', kind: 'Database' },
          resource: { base: { apiVersion: 'example.org/v1', kind: 'Server', spec: base }, patches: [patch] },
        },
      },
      { schema: ({ kind }) => (kind === 'ResourceClass' ? { type: 'object' } : open_[kind]), objects: () => [row] },
    )
  const right = { fromClaimFieldPath: 'spec.engineVersion', toResourceFieldPath: 'spec.engine' }

  it.each([
    ['a field of the base', { regoin: 'x' }, right, 'region'],
    ['a field that claims do not have', {}, { ...right, fromClaimFieldPath: 'spec.enginVersion' }, 'engineVersion'],
    ['a field that the resource does not have', {}, { ...right, toResourceFieldPath: 'spec.regoin' }, 'region'],
  ])('is told of %s', (_, base, patch, meant) => {
    expect(told(base, patch)).toEqual([expect.stringContaining(`did you mean ${meant}?`)])
  })

  it('is not told of what is right', () => expect(told({ region: 'x' }, right)).toEqual([]))
})

describe('fields that were probably meant otherwise', () => {
  it.each([
    { reason: 'a machinery field of a claim', kind: 'Database', fields: { spec: { clasSelector: {} } }, meant: 'classSelector' },
    { reason: 'a field that a row reads', kind: 'Database', fields: { spec: { engineVerison: '9' } }, meant: 'engineVersion' },
    { reason: 'a parameter in a typed class', kind: 'DatabaseClass', fields: { specTemplate: { regoin: 'eu' } }, meant: 'region' },
    {
      reason: 'the same under forProvider',
      kind: 'DatabaseClass',
      fields: { specTemplate: { forProvider: { regoin: 'eu' } } },
      meant: 'region',
    },
  ])('are told: $reason', ({ kind, fields, meant }) => {
    expect(warnings(kind, fields)).toEqual([expect.stringContaining(`did you mean ${meant}?`)])
  })

  it.each([
    { reason: 'what is right', kind: 'Database', fields: { spec: { classSelector: {}, engineVersion: '9' } } },
    { reason: 'what nothing knows and resembles nothing', kind: 'Database', fields: { spec: { storageGB: 20 } } },
    { reason: 'a field beside the one that it resembles', kind: 'Database', fields: { spec: { classRef: {}, classRefs: [] } } },
    { reason: 'a kind that nobody serves', kind: 'Unknown', fields: { spec: { clasSelector: {} } } },
  ])('are not invented: $reason', ({ kind, fields }) => {
    expect(warnings(kind, fields)).toEqual([])
  })

  it('are looked up a bounded number of times', () => {
    const many = Object.fromEntries(Array.from({ length: 50_000 }, (_, i) => [`x${i}`, 1]))
    let asked = 0
    const properties = new Proxy(
      { region: {} },
      {
        ownKeys(target) {
          asked++
          return Reflect.ownKeys(target)
        },
      },
    )
    expect(misspeltFields(many, open(properties))).toEqual([])
    expect(asked).toBeLessThan(2000)
  })
})

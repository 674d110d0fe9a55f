import { type KindDefinition, type Schema, weftKinds } from '@weft/api'
import type { CustomResourceDefinition } from '@weft/client'
import { describe, expect, test } from 'vitest'
import { adoptKind } from './adopt-kind.ts'

const own = (name: string): KindDefinition => {
  const found = weftKinds.find(({ metadata }) => metadata.name === name)
  if (found === undefined) throw new Error(`there is no ${name}`)
  return found
}
const compositions = own('compositions.apiextensions.crossplane.io')

const theirs = (spec: object = {}, metadata: object = {}): CustomResourceDefinition =>
  ({
    ...compositions,
    metadata: { name: compositions.metadata.name, annotations: { 'controller-gen.kubebuilder.io/version': 'v0.16.0' }, ...metadata },
    spec: {
      group: compositions.spec.group,
      scope: 'Cluster',
      names: { kind: 'Composition', plural: 'compositions', shortNames: ['theirs'] },
      conversion: { strategy: 'None' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: {
            openAPIV3Schema: {
              type: 'object',
              properties: { spec: { type: 'object', required: ['later'], properties: { later: { type: 'string' } } } },
            },
          },
        },
      ],
      ...spec,
    },
  }) as unknown as CustomResourceDefinition

interface Version {
  readonly name: string
  readonly storage: boolean
  readonly schema: { readonly openAPIV3Schema: { readonly properties: { readonly spec: Schema } } }
}

describe('a kind of Crossplane’s that is there already', () => {
  test('is widened: what is stored stays in its version and loses nothing, and Weft’s versions and fields come beside it', () => {
    const adoption = adoptKind(theirs(), compositions)
    if (adoption.type === 'refuse') throw new Error(adoption.reason)
    const { metadata, spec } = adoption.kind
    const versions = spec.versions as unknown as readonly Version[]
    expect(versions.map(({ name, storage }) => [name, storage])).toEqual([
      ['v1', true],
      ['v1alpha1', false],
    ])
    const [v1] = versions
    expect(Object.keys(v1?.schema.openAPIV3Schema.properties.spec.properties ?? {})).toEqual(
      expect.arrayContaining(['later', 'from', 'to', 'pipeline']),
    )
    expect(v1?.schema.openAPIV3Schema.properties.spec.required).toBeUndefined()
    expect((spec.names as { shortNames?: readonly string[] }).shortNames).toEqual(expect.arrayContaining(['theirs', 'comp']))
    // It stays theirs.
    expect(metadata).toEqual(theirs().metadata)
    const again = adoptKind(adoption.kind, compositions)
    expect(again.type === 'adopt' && again.kind === adoption.kind, 'adopting again changes nothing').toBe(true)
  })

  test.each<[string, CustomResourceDefinition, RegExp]>([
    ['of another scope', theirs({ scope: 'Namespaced' }), /its scope is Namespaced/],
    ['of another kind', theirs({ names: { kind: 'Piece', plural: 'compositions' } }), /it is a kind Piece/],
    [
      'without a version in common',
      theirs({ versions: [{ name: 'v9', served: true, storage: true }] }),
      /none of the versions v1alpha1, v1/,
    ],
    [
      'that a webhook converts',
      theirs({ conversion: { strategy: 'Webhook' } }),
      /a webhook converts its versions, and does not know v1alpha1/,
    ],
    ['that is being deleted', theirs({}, { deletionTimestamp: '2026-01-01T00:00:00Z' }), /is being deleted/],
  ])('%s: is refused, in words', (_what, installed, reason) => {
    const adoption = adoptKind(installed, compositions)
    expect(adoption.type === 'refuse' && adoption.reason).toMatch(reason)
  })

  test('of a group that Crossplane has no more: is refused', () => {
    const claims = own('mysqlinstances.database.crossplane.io')
    expect(adoptKind(claims as unknown as CustomResourceDefinition, claims).type).toBe('refuse')
  })
})

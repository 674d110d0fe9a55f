import type { KubeObject } from '@weft/api'
import { describe, expect, test } from 'vitest'
import { kindFaults } from './kind-faults.ts'

const version = (more: object = {}): object => ({
  name: 'v1',
  served: true,
  referenceable: true,
  schema: { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties: { size: { type: 'integer' } } } } } },
  ...more,
})
const xrd = (spec: object = {}, name = 'kiosks.shop.example.org', api = 'v2'): KubeObject =>
  ({
    apiVersion: `apiextensions.crossplane.io/${api}`,
    kind: 'CompositeResourceDefinition',
    metadata: { name },
    spec: { group: 'shop.example.org', names: { kind: 'Kiosk', plural: 'kiosks' }, versions: [version()], ...spec },
  }) as KubeObject
const schemaOf = (size: object): object =>
  version({ schema: { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties: { size } } } } } })

describe('why no kind comes of a definition', () => {
  test.each([
    ['of a Namespaced one', xrd()],
    ['of one with claims', xrd({ claimNames: { kind: 'Stand', plural: 'stands' } }, undefined, 'v1')],
    ['of one without a spec', { ...xrd(), spec: undefined } as unknown as KubeObject],
    ['of one whose names are none', xrd({ names: 'kiosks' })],
  ])('nothing is said %s', (_, definition) => {
    expect(kindFaults(definition)).toEqual([])
  })

  test.each<[string, KubeObject, RegExp]>([
    ['K12: its name is not that of its kind', xrd({}, 'kiosk.shop.example.org'), /^metadata.name: must be "kiosks.shop.example.org"/],
    ['K11: no version is referenceable', xrd({ versions: [version({ referenceable: false })] }), /^spec.versions: exactly one .* not 0/],
    ['K11: two versions are', xrd({ versions: [version(), version({ name: 'v2' })] }), /^spec.versions: exactly one .* not 2/],
    [
      'K13: it has no schema',
      xrd({ versions: [version({ schema: undefined })] }),
      /custom resource validation cannot be nil; it makes no kind$/,
    ],
    [
      'a property has no type',
      xrd({ versions: [schemaOf({ minimum: 1 })] }),
      /^spec.versions\[0\].schema.openAPIV3Schema.properties\[spec\].properties\[size\].type: Required value/,
    ],
    [
      'a rule says nothing that can be understood',
      xrd({ versions: [schemaOf({ type: 'integer', 'x-kubernetes-validations': [{ rule: 'self >' }] })] }),
      /^spec.versions\[0\].schema.*x-kubernetes-validations\[0\].rule: /,
    ],
    [
      'K31: its claims have the names of its composites',
      xrd({ claimNames: { kind: 'Kiosk', plural: 'stands' } }, undefined, 'v1'),
      /"Kiosk" conflicts with composite resource name; it makes no kind of claims$/,
    ],
  ])('%s', (_, definition, words) => {
    const [first, ...more] = kindFaults(definition)
    expect(first).toMatch(words)
    expect(more).toEqual([])
  })
})

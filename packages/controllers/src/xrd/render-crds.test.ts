import type { Schema } from '@weft/api'
import { describe, expect, test } from 'vitest'
import { renderClaimCrd, RenderError, renderXrCrd } from './render-crds.ts'
import type { CompositeResourceDefinition } from './xrd.ts'

const xrd = (spec: object = {}, schema: object | null = { type: 'object' }): CompositeResourceDefinition =>
  ({
    apiVersion: 'apiextensions.crossplane.io/v1',
    kind: 'CompositeResourceDefinition',
    metadata: { name: 'xstalls.shop.example.org', uid: 'u', labels: { a: '1', b: '2' }, annotations: { note: 'no' } },
    spec: {
      group: 'shop.example.org',
      names: { kind: 'XStall', plural: 'xstalls', categories: ['mine'] },
      versions: [{ name: 'v1', served: true, referenceable: true, ...(schema && { schema: { openAPIV3Schema: schema } }) }],
      ...spec,
    },
  }) as unknown as CompositeResourceDefinition

const rootOf = (crd: { readonly spec: { readonly versions: readonly object[] } }): Schema =>
  (crd.spec.versions[0] as { schema: { openAPIV3Schema: Schema } }).schema.openAPIV3Schema

describe('the kind of a composite resource', () => {
  test('K22, K26, K27: where its machinery is, by its scope', () => {
    const legacy = rootOf(renderXrCrd(xrd({ scope: 'LegacyCluster' }))).properties?.['spec']?.properties ?? {}
    expect(Object.keys(legacy)).toEqual(
      expect.arrayContaining(['compositionRef', 'resourceRefs', 'claimRef', 'writeConnectionSecretToRef']),
    )
    expect(legacy).not.toHaveProperty('crossplane')
    for (const scope of ['Namespaced', 'Cluster'] as const) {
      const crd = renderXrCrd(xrd({ scope }))
      expect(crd.spec.scope).toBe(scope)
      const spec = rootOf(crd).properties?.['spec']?.properties ?? {}
      expect(Object.keys(spec)).toEqual(['crossplane'])
      const ref = spec['crossplane']?.properties?.['resourceRefs']?.items?.properties ?? {}
      expect('namespace' in ref).toBe(scope === 'Cluster')
    }
  })

  test('K10, K20, K22: its metadata and categories', () => {
    const crd = renderXrCrd(xrd({ metadata: { labels: { b: '3' }, annotations: { c: '4' } } }))
    expect(crd.metadata).toMatchObject({ name: 'xstalls.shop.example.org', labels: { a: '1', b: '3' }, annotations: { c: '4' } })
    expect(crd.metadata.annotations).not.toHaveProperty('note')
    expect(crd.metadata.ownerReferences).toEqual([
      {
        apiVersion: 'apiextensions.crossplane.io/v1',
        kind: 'CompositeResourceDefinition',
        name: 'xstalls.shop.example.org',
        uid: 'u',
        controller: true,
        blockOwnerDeletion: true,
      },
    ])
    expect(crd.spec.names).toMatchObject({ categories: ['mine', 'composite'] })
  })

  test('K23–K25: what survives of the author’s schema', () => {
    const root = rootOf(
      renderXrCrd(
        xrd(
          {},
          {
            type: 'object',
            description: 'root',
            properties: {
              metadata: { type: 'object', properties: { name: { type: 'string', maxLength: 20 } } },
              spec: {
                type: 'object',
                required: ['a'],
                minProperties: 1,
                properties: { a: { type: 'string' }, compositionRef: { type: 'string' } },
                'x-kubernetes-validations': [{ rule: 'true' }],
              },
              status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
              other: { type: 'string' },
            },
          },
        ),
      ),
    )
    expect(root).toMatchObject({ description: 'root', required: ['spec'] })
    expect(Object.keys(root.properties ?? {})).toEqual(['apiVersion', 'kind', 'metadata', 'spec', 'status'])
    expect(root.properties?.['metadata']?.properties?.['name']).toEqual({ type: 'string', maxLength: 20 })
    expect(root.properties?.['spec']).toMatchObject({ required: ['a'], 'x-kubernetes-validations': [{ rule: 'true' }] })
    expect(root.properties?.['spec']).not.toHaveProperty('minProperties')
    expect(root.properties?.['spec']?.properties?.['compositionRef']?.type).toBe('object')
    expect(root.properties?.['status']).not.toHaveProperty('x-kubernetes-preserve-unknown-fields')
  })

  test('K13: a version without a schema is an error', () => {
    expect(() => renderXrCrd(xrd({}, null))).toThrow(RenderError)
  })

  test.each([
    ['nothing in it', { schema: {} }, 'unexpected end of JSON input'],
    ['properties that are a list', { schema: { openAPIV3Schema: { properties: [] } } }, 'properties of the schema must be an object'],
    [
      'properties of spec that are a list',
      { schema: { openAPIV3Schema: { properties: { spec: { properties: [{}] } } } } },
      'properties of spec must be an object',
    ],
  ])('K13, K23: a schema with %s is an error, not a kind that takes nothing', (_reason, schema, why) => {
    const versions = [{ name: 'v1', served: true, referenceable: true, ...schema }]
    const given = xrd({ versions, claimNames: { kind: 'Stall', plural: 'stalls' } })
    for (const [render, noun] of [
      [renderXrCrd, 'Composite Resource'],
      [renderClaimCrd, 'Composite Resource Claim'],
    ] as const)
      expect(() => render(given)).toThrow(
        `cannot generate CRD for "${noun}" "${given.metadata.name ?? ''}": cannot parse validation schema: cannot parse validation schema: ${why}`,
      )
  })
})

describe('the kind of a claim', () => {
  test('K31, K32: is namespaced, and has no default policy of its own', () => {
    const crd = renderClaimCrd(xrd({ claimNames: { kind: 'Stall', plural: 'stalls' }, defaultCompositeDeletePolicy: 'Foreground' }))
    expect(crd.metadata.name).toBe('stalls.shop.example.org')
    expect(crd.spec.scope).toBe('Namespaced')
    const spec = rootOf(crd).properties?.['spec']?.properties ?? {}
    expect(spec['compositeDeletePolicy']).toMatchObject({ default: 'Foreground' })
    expect(spec['compositionUpdatePolicy']).not.toHaveProperty('default')
    expect(spec['writeConnectionSecretToRef']?.required).toEqual(['name'])
  })

  test('K31: its names must be its own', () => {
    expect(() => renderClaimCrd(xrd({ claimNames: { kind: 'XStall', plural: 'stalls' } }))).toThrow(
      'invalid resource claim names: "XStall" conflicts with composite resource name',
    )
  })
})

import { GONE, type Schema } from '@weft/api'
import { describe, expect, it } from 'vitest'
import { composedKind, formOf, type IntentDraft, intentOf } from '../pages/new-claim/intent.ts'
import { schemaOf } from '../schema/open-api.ts'
import { sampleOf } from '../schema/sample.ts'
import { CLAIM, kindInfo, MANAGED, objectOf, worldOf } from '../../world/testing.fixture.ts'
import { fieldOf, initialOf, namedFields, titleOf } from './field.ts'
import { missingFields, overlaid, pruned } from './value.ts'

const spec: Schema = {
  type: 'object',
  required: ['storageGB'],
  properties: {
    engineVersion: { type: 'string', default: '16' },
    storageGB: { type: 'integer', minimum: 10, maximum: 100 },
    tier: { type: 'string', enum: ['', 'small', 'large'] },
    backups: { type: 'object', required: ['hour'], properties: { hour: { type: 'integer' }, keep: { type: 'boolean' } } },
    tags: { type: 'object', additionalProperties: { type: 'string' } },
    zones: { type: 'array', items: { type: 'string' } },
    anything: { 'x-kubernetes-preserve-unknown-fields': true },
    infrastructure: { type: 'object', properties: { writeConnectionSecretToRef: { type: 'object' } } },
  },
}

const draft: IntentDraft = { name: 'db', namespace: 'team-a', matchLabels: {}, secretName: '', spec: {}, more: undefined }

describe('form', () => {
  it('offers no field that the provider no longer has', () => {
    const properties = { size: { type: 'integer' }, formerSize: { type: 'integer', description: GONE } } as const
    expect(namedFields({ type: 'object', properties }).map(({ name }) => name)).toEqual(['size'])
  })

  it('has an input for each property: required ones first, each of the right type', () => {
    const fields = namedFields(spec)
    expect(fields[0]).toMatchObject({
      name: 'storageGB',
      title: 'Storage GB',
      required: true,
      field: { type: 'number', integer: true, minimum: 10 },
    })
    expect(Object.fromEntries(fields.map(({ name, field }) => [name, field.type]))).toMatchObject({
      engineVersion: 'text',
      tier: 'choice',
      backups: 'group',
      tags: 'map',
      zones: 'list',
      anything: 'yaml',
    })
    expect(fieldOf(spec.properties?.['tier'] ?? {})).toEqual({ type: 'choice', options: ['small', 'large'] })
  })

  it.each([{}, { type: 'nonsense' }, { type: 'array' }, { type: 'object' }, { enum: [1, 2] }] as Schema[])(
    'falls back to YAML for %o',
    (schema) => {
      expect(fieldOf(schema)).toEqual({ type: 'yaml' })
    },
  )

  it('begins with the defaults, and says what is missing only where somebody began', () => {
    const fields = namedFields(spec)
    expect(initialOf({ type: 'group', fields, open: false }, undefined)).toEqual({ engineVersion: '16' })
    expect(missingFields(fields, {}, 'spec')).toEqual(['spec.storageGB'])
    expect(missingFields(fields, { storageGB: 10, backups: { keep: true } }, 'spec')).toEqual(['spec.backups.hour'])
  })

  it.each([
    ['storageGB', 'Storage GB'],
    ['engineVersion', 'Engine version'],
    ['writeConnectionSecretToRef', 'Write connection secret to ref'],
    ['x', 'X'],
  ])('calls %s "%s"', (name, title) => {
    expect(titleOf(name)).toBe(title)
  })
})

describe('values', () => {
  it('leave out what nobody filled in, and keep zero and false', () => {
    expect(pruned({ a: '', b: 0, c: false, d: { e: undefined, f: '' }, g: ['', 'x'], h: [] })).toEqual({ b: 0, c: false, g: ['x'] })
    expect(pruned({})).toBeUndefined()
  })

  it('are laid over each other', () => {
    expect(overlaid({ a: { b: 1, c: 2 } }, { a: { c: 3 }, d: 4 })).toEqual({ a: { b: 1, c: 3 }, d: 4 })
    expect(overlaid({ a: 1 }, undefined)).toEqual({ a: 1 })
  })
})

describe('intent', () => {
  it('S3: a claim names its class beside its own fields', () => {
    const offer = objectOf(kindInfo({ kind: 'ServerClass' }), 'fast')
    const wish = { ...draft, offer, secretName: 'db', spec: { storageGB: 10, tier: '' }, more: { extra: true } }
    const claim = intentOf(CLAIM, wish, { place: undefined, isComposed: false })
    expect(claim).toEqual({
      apiVersion: 'example.org/v1',
      kind: 'Claim',
      metadata: { name: 'db', namespace: 'team-a' },
      spec: {
        storageGB: 10,
        extra: true,
        classRef: { apiVersion: 'example.org/v1', kind: 'ServerClass', name: 'fast' },
        writeConnectionSecretToRef: { name: 'db' },
      },
    })
  })

  it('C28: a requirement keeps that below spec.infrastructure', () => {
    const wish = { ...draft, secretName: 'db', spec: { storageGB: 10 } }
    const kind = kindInfo({ kind: 'DbRequirement', namespaced: true })
    const requirement = intentOf(kind, wish, { place: 'infrastructure', isComposed: true })
    expect(requirement['spec']).toEqual({ storageGB: 10, infrastructure: { writeConnectionSecretToRef: { name: 'db' } } })
  })

  it('S4: says nothing of classes when the default is to be used', () => {
    expect(intentOf(CLAIM, draft, { place: undefined, isComposed: false })['spec']).toEqual({})
  })

  it('a composite resource in a namespace names its Composition where Crossplane looks for it, and shows nothing else of that', () => {
    const crossplane: Schema = { type: 'object', properties: { compositionRef: { type: 'object' }, resourceRefs: { type: 'array' } } }
    const form = formOf({ properties: { spec: { type: 'object', properties: { image: { type: 'string' }, crossplane } } } }, 'composite')
    expect(form.fields.map(({ name }) => name)).toEqual(['image'])
    const kind = kindInfo({ kind: 'App', namespaced: true, categories: ['composite'] })
    expect(composedKind(worldOf(), kind)).toEqual({ group: 'example.org', kind: 'App' })
    const offer = objectOf(kindInfo({ kind: 'Composition' }), 'apps')
    const app = intentOf(kind, { ...draft, offer, spec: { image: 'nginx' } }, { place: form.place, isComposed: true })
    expect(app['spec']).toEqual({ image: 'nginx', crossplane: { compositionRef: { name: 'apps' } } })
  })

  it('a composite resource of the cluster, as before, names it beside its fields', () => {
    const properties: Schema['properties'] = { image: { type: 'string' }, claimRef: { type: 'object' }, resourceRefs: { type: 'array' } }
    const form = formOf({ properties: { spec: { type: 'object', properties } } }, 'composite')
    expect(form.fields.map(({ name }) => name)).toEqual(['image'])
    const offer = objectOf(kindInfo({ kind: 'Composition' }), 'apps')
    const app = intentOf(kindInfo({ kind: 'XApp' }), { ...draft, offer }, { place: form.place, isComposed: true })
    expect(app['spec']).toEqual({ compositionRef: { name: 'apps' } })
  })

  it('hides what the machinery fills in', () => {
    const form = formOf({ properties: { spec } }, 'requirement')
    expect(form.fields.map(({ name }) => name)).not.toContain('infrastructure')
    expect(form).toMatchObject({ connects: true, open: false })
    expect(formOf({}, 'claim')).toMatchObject({ fields: [], open: true, connects: false })
  })
})

describe('schemas', () => {
  const gvk = [{ group: 'example.org', version: 'v1', kind: 'Server' }]

  it('are found by kind, with references filled in, even those that contain themselves', () => {
    const document = {
      components: {
        schemas: {
          Meta: { type: 'object', description: 'metadata' },
          Loop: { type: 'object', properties: { again: { $ref: '#/components/schemas/Loop' } } },
          Server: {
            type: 'object',
            properties: {
              metadata: { allOf: [{ $ref: '#/components/schemas/Meta' }], default: {} },
              loop: { $ref: '#/components/schemas/Loop' },
            },
            'x-kubernetes-group-version-kind': gvk,
          },
        },
      },
    }
    const schema = schemaOf(document as never, MANAGED)
    expect(schema?.properties?.['metadata']).toEqual({ type: 'object', description: 'metadata', default: {} })
    expect(schema?.properties?.['loop']?.properties?.['again']?.type).toBe('object')
    expect(schemaOf({}, MANAGED)).toBeUndefined()
  })

  it('have a smallest example', () => {
    expect(sampleOf(spec)).toEqual({ storageGB: 10 })
    expect(sampleOf({ type: 'integer', maximum: 0 })).toBe(0)
    expect(sampleOf({ type: 'array', minItems: 1, items: { type: 'string' } })).toEqual(['example'])
  })
})

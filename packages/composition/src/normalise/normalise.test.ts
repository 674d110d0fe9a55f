import type { KubeObject } from '@weft/api'
import { describe, expect, it } from 'vitest'
import seeds from '../template/seeds.fixture.json' with { type: 'json' }
import { patchesOf, specTemplateOf } from './class.ts'
import { machineryOf, machineryRef, sameReference, singleReference } from './reference.ts'
import { ANY_OBJECT, definitionSchema, definitionVersions, normaliseSchema } from './schema.ts'
import { connectionSecretRef, withConnectionSecretRef } from './secret-ref.ts'

const documents = seeds as unknown as Record<keyof typeof seeds, KubeObject>
const managed = (spec: object): KubeObject => ({
  apiVersion: 'database.azure.crossplane.io/v1beta1',
  kind: 'SQLServer',
  metadata: { name: 'x', uid: 'u' },
  spec: spec,
})

describe('connectionSecretRef', () => {
  it.each<[string, object, object | undefined]>([
    ['singular', { writeConnectionSecretToRef: { namespace: 'n', name: 's' } }, { namespace: 'n', name: 's' }],
    ['B4: plural', { writeConnectionSecretsToRef: { namespace: 'n', name: 's' } }, { namespace: 'n', name: 's' }],
    [
      'B4: half in each (001:549, 556)',
      { writeConnectionSecretsToRef: { namespace: 'n' }, writeConnectionSecretToRef: { name: 's' } },
      { namespace: 'n', name: 's' },
    ],
    ['B5: a namespace alone means the own uid', { writeConnectionSecretsToNamespace: 'n' }, { namespace: 'n', name: 'u' }],
    ['B32: a namespace without a name', { writeConnectionSecretToRef: { namespace: 'n' } }, { namespace: 'n' }],
    [
      'C17: under infrastructure',
      { infrastructure: { writeConnectionSecretToRef: { namespace: 'n', name: 's' } } },
      { namespace: 'n', name: 's' },
    ],
    ['X6: none', {}, undefined],
    ['null', { writeConnectionSecretToRef: null }, undefined],
  ])('%s', (_reason, spec, expected) => {
    expect(connectionSecretRef(managed(spec))).toEqual(expected)
  })

  it('B4: written in the spelling of the kind, and nowhere else', () => {
    const ref = { namespace: 'n', name: 's' }
    expect(
      withConnectionSecretRef(
        managed({ writeConnectionSecretsToRef: { namespace: 'o' }, writeConnectionSecretsToNamespace: 'p', a: 1 }),
        ref,
      )['spec'],
    ).toEqual({
      a: 1,
      writeConnectionSecretToRef: ref,
    })
    const aggregate: KubeObject = {
      apiVersion: 'aggregation.crossplane.io/v1alpha1',
      kind: 'AggregateResource',
      metadata: {},
      spec: { writeConnectionSecretToRef: { name: 'o' } },
    }
    expect(withConnectionSecretRef(aggregate, ref)['spec']).toEqual({ writeConnectionSecretsToRef: ref })
    const composite = managed({ size: 1, infrastructure: { writeConnectionSecretToRef: { name: 'o' } } })
    expect(withConnectionSecretRef(composite, ref)['spec']).toEqual({ size: 1, infrastructure: { writeConnectionSecretToRef: ref } })
  })

  it('nothing to change: the same object', () => {
    const object = managed({ writeConnectionSecretToRef: { namespace: 'n', name: 's' } })
    expect(withConnectionSecretRef(object, { namespace: 'n', name: 's' })).toBe(object)
    expect(withConnectionSecretRef(object, undefined)['spec']).toEqual({})
  })
})

describe('B18: references that are lists', () => {
  it('002:700 compositionRef, 002:815 resourceRef', () => {
    expect(machineryRef(documents.mysqlInstance, 'spec.infrastructure', 'compositionRef')).toEqual({
      ok: true,
      value: { name: 'private-mysql-server' },
    })
    expect(machineryRef(documents.requirement, 'spec.infrastructure', 'resourceRef')).toMatchObject({
      ok: true,
      value: { kind: 'MySQLInstance', name: 'default-sql-dd02m' },
    })
  })

  it.each<[unknown, unknown]>([
    [{ name: 'a' }, { ok: true, value: { name: 'a' } }],
    [[{ name: 'a' }], { ok: true, value: { name: 'a' } }],
    [[], { ok: true, value: undefined }],
    [null, { ok: true, value: undefined }],
    [undefined, { ok: true, value: undefined }],
    [[{ name: 'a' }, { name: 'b' }], { ok: false, error: { code: 'FieldInvalid' } }],
    ['a', { ok: false, error: { code: 'FieldInvalid' } }],
    [[5], { ok: false, error: { code: 'FieldInvalid' } }],
    [[[{ name: 'a' }]], { ok: false, error: { code: 'FieldInvalid' } }],
    [{ name: 5 }, { ok: false, error: { code: 'FieldInvalid', path: 'spec.x.name' } }],
  ])('%j', (value, expected) => {
    expect(singleReference(value, 'spec.x')).toMatchObject(expected as object)
  })

  it('C10: machinery is where the kind keeps it', () => {
    expect(machineryOf(documents.mysqlInstance, 'spec.infrastructure')).toMatchObject({ reclaimPolicy: 'Retain' })
    expect(machineryOf(documents.mysqlInstance, 'spec.application')).toEqual({})
    expect(machineryRef(documents.claimSql, 'spec', 'classRef')).toMatchObject({ ok: true, value: { name: 'simple-mysql-server' } })
  })
})

describe('X4: sameReference', () => {
  const a = { apiVersion: 'g/v1', kind: 'K', name: 'n' }
  it.each<[string, object | undefined, object | undefined, boolean]>([
    ['another version is the same object', a, { ...a, apiVersion: 'g/v2' }, true],
    ['another group is not', a, { ...a, apiVersion: 'h/v1' }, false],
    ['uids decide', { ...a, uid: '1' }, { ...a, uid: '2' }, false],
    ['one uid alone does not', { ...a, uid: '1' }, a, true],
    ['namespaces count', { ...a, namespace: 'x' }, a, false],
    ['nothing is the same as nothing', undefined, undefined, false],
    ['references without a name are not the same', {}, {}, false],
  ])('%s', (_reason, one, two, expected) => {
    expect(sameReference(one, two)).toBe(expected)
  })
})

it('B8, B12: specTemplate or spec; patches or patch', () => {
  expect(specTemplateOf({ ...managed({ a: 1 }), specTemplate: { b: 2 } })).toEqual({ b: 2 })
  expect(specTemplateOf(managed({ a: 1 }))).toEqual({ a: 1 })
  expect(patchesOf({ patch: [] }).name).toBe('patch')
  expect(patchesOf({ patches: [] }).name).toBe('patches')
})

describe('schemas', () => {
  it('B16: int, float and bool at every depth', () => {
    const schema = {
      type: 'object',
      properties: {
        type: { type: 'int' },
        list: { type: 'array', items: { type: 'float' } },
        any: { anyOf: [{ type: 'bool' }] },
        map: { additionalProperties: { type: 'int' } },
      },
      default: { type: 'int' },
    }
    expect(normaliseSchema(schema)).toEqual({
      type: 'object',
      properties: {
        type: { type: 'integer' },
        list: { type: 'array', items: { type: 'number' } },
        any: { anyOf: [{ type: 'boolean' }] },
        map: { additionalProperties: { type: 'integer' } },
      },
      default: { type: 'int' },
    })
    const fine = { type: 'object', properties: { a: { type: 'integer' } } }
    expect(normaliseSchema(fine)).toBe(fine)
  })

  it('B17 002:628: a schema without `spec` is the schema of the spec', () => {
    const root = { type: 'object', properties: { storageGB: { type: 'int' } } }
    expect(definitionSchema(root)).toEqual({ spec: { type: 'object', properties: { storageGB: { type: 'integer' } } } })
    expect(
      definitionSchema({ properties: { spec: { type: 'object' }, status: { type: 'object', properties: { ok: { type: 'bool' } } } } }),
    ).toEqual({
      spec: { type: 'object' },
      status: { type: 'object', properties: { ok: { type: 'boolean' } } },
    })
  })

  it('B22 004:57: a map of versions, and a null schema', () => {
    expect(definitionVersions({ name: 'v1alpha1', schema: { openAPIV3Schema: null }, served: true, storage: true })).toEqual([
      { name: 'v1alpha1', schema: { openAPIV3Schema: ANY_OBJECT }, served: true, storage: true },
    ])
    const list = [{ name: 'v1', schema: { openAPIV3Schema: { type: 'object' } } }]
    expect(definitionVersions(list)[0]).toBe(list[0])
    expect(definitionVersions(null)).toEqual([])
  })
})

import type { Schema } from '@weft/api'
import { describe, expect, it } from 'vitest'
import { compileSchema } from './compile.ts'
import { defaultCrd } from './crd/defaults.ts'
import type { CustomResourceDefinition } from './crd/types.ts'
import { validateCrdSpec } from './crd/validate.ts'

const spec = (more: Schema): Schema => ({
  type: 'object',
  properties: { spec: { type: 'object', properties: { a: { type: 'integer' }, b: { type: 'integer' } }, ...more } },
})

describe('CEL rules', () => {
  const ordered = compileSchema(spec({ 'x-kubernetes-validations': [{ rule: 'self.a <= self.b' }, { rule: 'self.a >= oldSelf.a' }] }))
  const paths = (value: object, old?: object): string[] => ordered.validate(value, old && { old }).map(({ path }) => path)

  it.each([
    { reason: 'hold', value: { a: 1, b: 2 }, errors: 0 },
    { reason: 'fail at the schema they belong to', value: { a: 3, b: 2 }, errors: 1 },
    { reason: 'compare with the old value', value: { a: 1, b: 2 }, old: { a: 2, b: 2 }, errors: 1 },
    { reason: 'are forgiven where nothing changed', value: { a: 3, b: 2 }, old: { a: 3, b: 2 }, errors: 0 },
  ])('$reason', ({ value, old, errors }) => {
    expect(paths({ spec: value }, old && { spec: old })).toEqual(Array.from({ length: errors }, () => 'spec'))
  })
})

describe('CEL rules of a definition', () => {
  const paths = (schema: Schema): string[] => {
    const crd: CustomResourceDefinition = {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'widgets.example.org' },
      spec: {
        group: 'example.org',
        scope: 'Namespaced',
        names: { plural: 'widgets', kind: 'Widget' },
        versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }],
      },
    }
    return validateCrdSpec(defaultCrd(crd)).map(({ path }) => path)
  }
  const at = 'spec.validation.openAPIV3Schema.properties[spec]'

  it.each([
    { reason: 'may be right', schema: spec({ 'x-kubernetes-validations': [{ rule: 'self.a < 3' }] }), expected: [] },
    {
      reason: 'must compile',
      schema: spec({ 'x-kubernetes-validations': [{ rule: 'self.zzz' }] }),
      expected: [`${at}.x-kubernetes-validations[0].rule`],
    },
    {
      reason: 'judge defaults',
      schema: spec({ default: { a: 5 }, 'x-kubernetes-validations': [{ rule: 'self.a < 3' }] }),
      expected: [`${at}.default`],
    },
    {
      reason: 'must be affordable',
      schema: spec({
        properties: { l: { type: 'array', items: { type: 'array', items: { type: 'string' } } } },
        'x-kubernetes-validations': [{ rule: 'self.l.all(x, self.l.all(y, x == y))' }],
      }),
      expected: [`${at}.x-kubernetes-validations[0].rule`, `${at}.x-kubernetes-validations[0].rule`, 'spec.validation.openAPIV3Schema'],
    },
  ])('$reason', ({ schema, expected }) => {
    expect(paths(schema)).toEqual(expected)
  })
})

import type { FieldError, Schema } from '@weft/api'
import { describe, expect, it } from 'vitest'
import { decodeCrd } from './crd/decode.ts'
import { defaultCrd } from './crd/defaults.ts'
import { validateCrdSpec } from './crd/validate.ts'
import { compileSchema } from './compile.ts'
import { nonStructuralReasons } from './structure/structural.ts'
import recorded from './testdata/kubernetes-1.36.json' with { type: 'json' }

// Random schemas and values, with what the validators of kube-apiserver 1.36 answered to them. Objects have no order
// there, so lists of errors are compared as sets.
const schemaOf = (schema: unknown): Schema => schema as Schema
const numbered = <T>(examples: readonly T[]): { index: number; example: T }[] => examples.map((example, index) => ({ index, example }))
const asSet = (errors: readonly FieldError[]): string[] =>
  [...new Set(errors.map(({ type, path, message }) => `${type} ${path}: ${message}`))].sort()
const expected = (errors: readonly { type: string; path: string; message: string }[]): string[] => asSet(errors as readonly FieldError[])

describe('answers what kube-apiserver 1.36 answered', () => {
  it('has recordings of every kind', () => {
    for (const list of Object.values(recorded)) expect(list.length).toBeGreaterThan(10)
  })

  it.each(numbered(recorded.validate))('validate #$index', ({ example: { schema, value, errors } }) => {
    expect(asSet(compileSchema(schemaOf(schema)).validate(value))).toEqual(expected(errors))
  })

  it.each(numbered(recorded.update))('validate an update #$index', ({ example: { schema, value, old, errors } }) => {
    expect(asSet(compileSchema(schemaOf(schema)).validate(value, { old }))).toEqual(expected(errors))
  })

  it.each(numbered(recorded.prune))('prune #$index', ({ example: { schema, value, root, pruned, dropped } }) => {
    const paths: string[] = []
    expect(compileSchema(schemaOf(schema)).prune(value, { root, collect: (path) => void paths.push(path) })).toEqual(pruned)
    expect(paths).toEqual(dropped)
  })

  it.each(numbered(recorded.defaults))('default #$index', ({ example: { schema, value, defaulted } }) => {
    expect(compileSchema(schemaOf(schema)).applyDefaults(value)).toEqual(defaulted)
  })

  it.each(numbered(recorded.dropNulls))('drop nulls #$index', ({ example: { schema, value, kept } }) => {
    expect(compileSchema(schemaOf(schema)).dropNulls(value)).toEqual(kept)
  })

  it.each(numbered(recorded.structural))('structural rules #$index', ({ example: { schema, errors } }) => {
    expect(asSet(nonStructuralReasons(schemaOf(schema), 'openAPIV3Schema'))).toEqual(expected(errors))
  })

  it.each(numbered(recorded.definitions))('definitions #$index', ({ example: { definition, errors } }) => {
    const { crd, mismatches } = decodeCrd(definition)
    expect(mismatches).toEqual([])
    expect(asSet(validateCrdSpec(defaultCrd(crd)))).toEqual(expected(errors))
  })
})

import { GONE } from '@weft/api'
import { describe, expect, it } from 'vitest'
import { schemaType } from './schema-type.ts'
import { typeSource } from './type-source.ts'

describe('types of schemas', () => {
  it.each([
    { reason: 'nothing said', schema: {}, type: 'unknown' },
    { reason: 'whole numbers', schema: { type: 'integer' }, type: 'number' },
    { reason: 'int or string', schema: { 'x-kubernetes-int-or-string': true }, type: 'number | string' },
    { reason: 'an enumeration', schema: { type: 'string', enum: ['a', "it's"] }, type: "'a' | 'it\\'s'" },
    { reason: 'null allowed', schema: { type: 'string', nullable: true }, type: 'string | null' },
    { reason: 'a list of an enumeration', schema: { type: 'array', items: { enum: ['a', 'b'] } }, type: "readonly ('a' | 'b')[]" },
    { reason: 'a map', schema: { type: 'object', additionalProperties: { type: 'string' } }, type: '{ readonly [key: string]: string }' },
    {
      reason: 'a description that says nothing',
      schema: {
        type: 'object',
        properties: { a: { type: 'string', description: ' \n' }, b: { type: 'string', description: ' In\n  two lines. ' } },
      },
      type: '{\n  readonly a?: string\n  /** In two lines. */\n  readonly b?: string\n}',
    },
    {
      reason: 'any object',
      schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
      type: '{ readonly [key: string]: unknown }',
    },
    {
      reason: 'without what the provider no longer has',
      schema: { type: 'object', properties: { size: { type: 'string' }, was: { type: 'string', description: GONE } } },
      type: '{\n  readonly size?: string\n}',
    },
    {
      reason: 'required, optional, defaulted, open, odd names',
      schema: {
        type: 'object',
        required: ['a', 'c'],
        properties: { a: { type: 'string', description: 'The */ end.' }, 'b-c': { type: 'boolean' }, c: { type: 'number', default: 1 } },
        'x-kubernetes-preserve-unknown-fields': true,
      },
      type: "{\n  /** The *\\/ end. */\n  readonly a: string\n  readonly 'b-c'?: boolean\n  readonly c?: number\n  readonly [other: string]: unknown\n}",
    },
  ] as const)('$reason', ({ schema, type }) => {
    expect(schemaType(schema)).toBe(type)
  })
})

describe('types of kinds', () => {
  it('C16, M13: have the connection details with them', () => {
    const source = typeSource([
      {
        group: 'example.org',
        version: 'v1',
        kind: 'Thing',
        schema: { type: 'object', required: ['spec'], properties: { spec: { type: 'object', properties: { size: { type: 'integer' } } } } },
        connectionDetails: ['username', 'password'],
      },
    ])
    expect(source).toContain("export const Thing: weft.Kind<Thing, 'password' | 'username'> = {")
    expect(source).toContain("  connectionDetails: ['username', 'password'],")
    expect(source).toContain('  readonly spec: {\n    readonly size?: number\n  }\n}')
  })

  it('keeps kinds of one name apart, whatever the order they come in', () => {
    const kinds = [
      { group: 'b.org', version: 'v1', kind: 'Thing' },
      { group: 'a.org', version: 'v2', kind: 'Thing' },
      { group: 'a.org', version: 'v1', kind: 'Thing' },
      { group: '', version: 'v1', kind: 'Other' },
    ]
    const names = (source: string): (string | undefined)[] => [...source.matchAll(/export interface (\w+)/g)].map(([, name]) => name)
    expect(names(typeSource(kinds))).toEqual(['Other', 'AOrgThingV1', 'AOrgThingV2', 'BOrgThing'])
    expect(typeSource(kinds.toReversed())).toBe(typeSource(kinds))
  })

  it('says the version of a kind as objects have it, with a group or without', () => {
    const source = typeSource([
      { group: '', version: 'v1', kind: 'ConfigMap' },
      { group: 'example.org', version: 'v2', kind: 'Thing', connectionDetails: [] },
    ])
    expect([...source.matchAll(/ {2}readonly apiVersion: (.*)/g)].map(([, version]) => version)).toEqual(["'v1'", "'example.org/v2'"])
    expect([...source.matchAll(/^ {2}apiVersion: (.*),$/gm)].map(([, version]) => version)).toEqual(["'v1'", "'example.org/v2'"])
    expect([...source.matchAll(/weft\.Kind<\w+, (\w+)>/g)].map(([, details]) => details)).toEqual(['string', 'never'])
  })

  it('keeps a kind of the core apart from one of a group', () => {
    const source = typeSource(['', 'example.org'].map((group) => ({ group, version: 'v1', kind: 'Secret' })))
    expect([...source.matchAll(/export interface (\w+)/g)].map(([, name]) => name)).toEqual(['CoreSecret', 'ExampleOrgSecret'])
  })

  it('takes kinds whose names are those of the language or of none', () => {
    const source = typeSource(['Record', 'Kind', 'foo-bar', '3D'].map((kind) => ({ group: 'example.org', version: 'v1', kind })))
    expect([...source.matchAll(/export interface (\w+)/g)].map(([, name]) => name)).toEqual(['_3D', 'Kind', 'Record', 'FooBar'])
    expect(source).not.toMatch(/[^.]\b(Kind|Record|Readonly)</)
  })

  it('cannot be made to hold anything but types by what a schema says', () => {
    const source = typeSource([
      {
        group: 'example.org',
        version: 'v1',
        kind: 'Thing',
        schema: {
          type: 'object',
          description: '*/ evil() /*',
          properties: { spec: { type: 'object', properties: { "'x\n": { type: 'string' } } } },
        },
      },
    ])
    expect(source).toContain('/** *\\/ evil() /* */')
    expect(source).toContain("readonly '\\'x\\n'?: string")
  })
})

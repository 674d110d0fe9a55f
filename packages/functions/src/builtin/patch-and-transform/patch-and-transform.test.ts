import { deepFreeze } from '@weft/testing'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { responseMessage } from '../../protocol/codec.ts'
import type { RunFunctionRequest } from '../../protocol/request.ts'
import type { RunFunctionResponse } from '../../protocol/response.ts'
import type { Struct, StructValue } from '../../protocol/struct.ts'
import { anyRequest } from './request.fixture.ts'
import { patchAndTransform } from './patch-and-transform.ts'

const composite = (spec: Struct): Struct => ({ apiVersion: 'example.org/v1', kind: 'XThing', metadata: { name: 'thing' }, spec })

function run(spec: Struct, template: Struct, more: Partial<RunFunctionRequest> = {}): RunFunctionResponse {
  const base = { apiVersion: 'example.org/v1', kind: 'Part', spec: {} }
  const request: RunFunctionRequest = {
    observed: { composite: { resource: composite(spec) } },
    input: { resources: [{ name: 'part', base, ...template }] },
    ...more,
  }
  return patchAndTransform(deepFreeze(request) as RunFunctionRequest)
}

/** Copies `spec.in` through transforms to `spec.out`. */
function through(value: StructValue, transforms: readonly StructValue[], more: Struct = {}): StructValue | undefined {
  const answer = run({ in: value }, { patches: [{ fromFieldPath: 'spec.in', toFieldPath: 'spec.out', transforms, ...more }] })
  const spec = answer.desired?.resources?.['part']?.resource?.['spec'] as Struct | undefined
  return spec === undefined ? (answer.results?.[0]?.message ?? 'nothing') : spec['out']
}

const string = (fields: Struct): StructValue => ({ type: 'string', string: fields })
const format = (fmt: string): StructValue => string({ type: 'Format', fmt })

describe('K213 numbers of a request are floats', () => {
  test.each<[reason: string, value: StructValue, transforms: readonly StructValue[], out: StructValue]>([
    ['%d wants an integer', 3, [format('%d')], '%!d(float64=3)'],
    ['a million has an exponent', 1_000_000, [format('%v')], '1e+06'],
    ['converted, it is an integer', 3, [{ type: 'convert', convert: { toType: 'int' } }, format('%d')], '3'],
    ['written plainly by a conversion to text', 1_000_000, [{ type: 'convert', convert: { toType: 'string' } }], '1000000'],
    ['a clamp gives an integer', 9, [{ type: 'math', math: { type: 'ClampMax', clampMax: 4 } }, format('%d')], '4'],
    ['and leaves what is within', 3.5, [{ type: 'math', math: { type: 'ClampMax', clampMax: 4 } }, format('%v')], '3.5'],
    [
      'a large one of an input has the digits that it is written with',
      1,
      [{ type: 'math', math: { type: 'ClampMin', clampMin: 2 ** 60 } }, format('%d')],
      '1152921504606847000',
    ],
  ])('%s', (_, value, transforms, out) => {
    expect(through(value, transforms)).toBe(out)
  })
})

describe('K215–K217 transforms', () => {
  test.each<[reason: string, value: StructValue, transform: StructValue, out: StructValue]>([
    ['K216 join drops one byte of its separator', ['a', 'b'], string({ type: 'Join', join: { separator: ', ' } }), 'a, b,'],
    ['K216 half a rune is left of a longer one', ['a'], string({ type: 'Join', join: { separator: 'é' } }), 'a\uFFFD'],
    ['K216 what is no UTF-8 is replaced', '/w==', string({ type: 'Convert', convert: 'FromBase64' }), '\uFFFD'],
    [
      'K216 hashes are over the JSON of what is no text',
      { b: 1, a: '<' },
      string({ type: 'Convert', convert: 'ToJson' }),
      '{"a":"\\u003c","b":1}',
    ],
    ['K216 case is changed rune by rune', 'straße', string({ type: 'Convert', convert: 'ToUpper' }), 'STRASSE'.replace('SS', 'ß')],
    [
      'K215 no pattern and no fallback is null',
      'x',
      { type: 'match', match: { patterns: [{ type: 'literal', literal: 'y', result: 1 }] } },
      null,
    ],
    ['K217 quantities round as Kubernetes does', '500m', { type: 'convert', convert: { toType: 'float64', format: 'quantity' } }, 0.5],
    ['K217 null is a map without anything in it', 'null', { type: 'convert', convert: { toType: 'object', format: 'json' } }, null],
    ['K217 underscores are digits to Go', '1_000.5', { type: 'convert', convert: { toType: 'float64' } }, 1000.5],
  ])('%s', (_, value, transform, out) => {
    expect(through(value, [transform])).toEqual(out)
  })

  test.each<[given: string, toType: string, said: string]>([
    ['1e400', 'object', 'json: cannot unmarshal number into Go value of type map[string]interface {}'],
    ['[1e400]', 'object', 'json: cannot unmarshal array into Go value of type map[string]interface {}'],
    ['{"1e400":2e400}', 'object', 'json: cannot unmarshal number 2e400 into Go value of type float64'],
    ['["1e400",-1e400]', 'array', 'json: cannot unmarshal number -1e400 into Go value of type float64'],
    ['true', 'array', 'json: cannot unmarshal bool into Go value of type []interface {}'],
  ])('K217 %s is no %s: what it is comes before what is in it', (given, toType, said) => {
    expect(through(given, [{ type: 'convert', convert: { toType, format: 'json' } }])).toContain(said)
  })

  test('K217 null made a map or a list prints as one', () => {
    const made = (toType: string, fmt: string) => through('null', [{ type: 'convert', convert: { toType, format: 'json' } }, format(fmt)])
    expect(made('object', '%c')).toBe('map[]')
    expect(made('object', '%#v')).toBe('map[string]interface {}(nil)')
    expect(made('array', '%v')).toBe('[]')
  })

  test('K217 a number that is written with more digits than an int64 has stays a float', () => {
    const environment = {
      patches: [
        {
          fromFieldPath: 'spec.in',
          toFieldPath: 'n',
          type: 'FromCompositeFieldPath',
          transforms: [{ type: 'convert', convert: { toType: 'float64' } }],
        },
      ],
    }
    const patches = [
      {
        type: 'FromEnvironmentFieldPath',
        fromFieldPath: 'n',
        toFieldPath: 'spec.out',
        transforms: [{ type: 'math', math: { type: 'Multiply', multiply: 2 } }],
      },
    ]
    const base = { apiVersion: 'example.org/v1', kind: 'Part', spec: {} }
    const answer = run({ in: '-9223372036854775808' }, {}, { input: { environment, resources: [{ name: 'part', base, patches }] } })
    expect(answer.desired?.resources?.['part']?.resource?.['spec']).toEqual({ out: -(2 ** 64) })
    const clamp = { type: 'math', math: { type: 'ClampMin', clampMin: -(2 ** 63) } }
    expect(through(1, [clamp])).toContain('cannot parse "-9223372036854776000" as signed integer: value out of range')
  })

  test('K218 the words of a failure are those of Go', () => {
    expect(through('x', [{ type: 'convert', convert: { toType: 'int64' } }])).toBe(
      'cannot render composed resource "part" "FromCompositeFieldPath" patch at index 0: transform at index 0 returned error: ' +
        'convert transform could not resolve: strconv.ParseInt: parsing "x": invalid syntax',
    )
  })
})

describe('K206–K209 paths and merges', () => {
  const merge = (existing: StructValue, value: StructValue, policy: string): StructValue | undefined => {
    const base = { apiVersion: 'example.org/v1', kind: 'Part', spec: { out: existing } }
    const answer = run(
      { in: value },
      { base, patches: [{ fromFieldPath: 'spec.in', toFieldPath: 'spec.out', policy: { toFieldPath: policy } }] },
    )
    const spec = answer.desired?.resources?.['part']?.resource?.['spec'] as Struct | undefined
    return spec === undefined ? (answer.results?.[0]?.message ?? '') : spec['out']
  }

  test.each<[reason: string, existing: StructValue, value: StructValue, policy: string, out: StructValue]>([
    ['empty counts as unset', { a: 0, b: 'x' }, { a: 5, b: 'y' }, 'MergeObjects', { a: 5, b: 'x' }],
    ['nulls are skipped when values are kept', { a: 1 }, { a: 2, b: null }, 'MergeObjects', { a: 1 }],
    ['nulls win when they are not', { a: 1 }, { a: null }, 'ForceMergeObjects', { a: null }],
    ['nested arrays repeat what they have', { l: [1] }, { l: [1, 2] }, 'ForceMergeObjectsAppendArrays', { l: [1, 1, 2] }],
    ['the array itself does not', [1], [1, 2], 'AppendArray', [1, 2]],
    ['nothing and nothing is null', [], [], 'AppendArray', null],
  ])('K209 %s', (_, existing, value, policy, out) => {
    expect(merge(existing, value, policy)).toEqual(out)
  })

  test('K209 appending to what is no array is fatal', () => {
    expect(merge('text', [1], 'AppendArray')).toContain('cannot append two slices with different type ([]interface {}, string)')
  })

  test('K206 a new resource waits for what it requires, an existing one does not', () => {
    const patches = [{ fromFieldPath: 'spec.gone', toFieldPath: 'spec.out', policy: { fromFieldPath: 'Required' } }]
    const waiting = run({}, { patches })
    expect(waiting.desired?.resources).toBeUndefined()
    expect(waiting.desired?.composite?.ready).toBe('READY_FALSE')
    expect(waiting.results?.[0]).toMatchObject({ severity: 'SEVERITY_WARNING' })
    const observed = {
      composite: { resource: composite({}) },
      resources: { part: { resource: { apiVersion: 'example.org/v1', kind: 'Part', metadata: { name: 'p' } } } },
    }
    expect(run({}, { patches }, { observed }).desired?.resources?.['part']?.resource).toMatchObject({ metadata: { name: 'p' } })
  })
})

describe('K218 what is wrong is shown as Go shows it', () => {
  test('one of a few words as JSON, any other text with the quotes of Go', () => {
    expect(through('x', [{ type: '<&>' }])).toContain('transforms[0].type: Invalid value: "\\u003c\\u0026\\u003e": unknown transform type')
    expect(through('x', [string({ type: 'Regexp', regexp: { match: '[<' } })])).toContain('Invalid value: "[<": invalid regexp')
  })

  test('a base without a kind as its message says it', () => {
    const answer = run({}, { base: { apiVersion: 'v1', spec: { a: '<\u2028>' } } })
    expect(answer.results?.[0]?.message).toContain(`Object 'Kind' is missing in '{"apiVersion":"v1","spec":{"a":"<\u2028>"}}'`)
  })

  test('JSON that is broken off within a number or a word', () => {
    const convert = { type: 'convert', convert: { toType: 'object', format: 'json' } }
    expect(through('5.', [convert])).toContain("invalid character ' ' after decimal point in numeric literal")
    expect(through('[tru', [convert])).toContain("invalid character ' ' in literal true (expecting 'e')")
    expect(through('{"a"', [convert])).toContain('unexpected end of JSON input')
  })

  test('what is no UTF-8 is mended', () => {
    const map = { type: 'map', map: { a: 1 } }
    expect(through('/w==', [string({ type: 'Convert', convert: 'FromBase64' }), map])).toContain('key \uFFFD is not found in map')
  })
})

test('K212 what ends the Go program is a fatal result', () => {
  const observed = {
    composite: { resource: composite({ in: 'b' }) },
    resources: { part: { resource: { apiVersion: 'example.org/v1', kind: 'Part' } } },
  }
  const check = run({}, { readinessChecks: [{ type: 'MatchCondition' }] }, { observed })
  expect(check.results).toMatchObject([{ severity: 'SEVERITY_FATAL' }])
  const group = string({ type: 'Regexp', regexp: { match: 'b', group: -1 } })
  expect(through('b', [group])).toContain('groups are counted from 0')
  expect(through('x', [group])).toContain('had no matches for group -1')
})

describe('bounds', () => {
  test('a width that asks for more memory than there should be is refused', () => {
    expect(through('x', [format('%999999[1]v'.repeat(200))])).toContain('the text would be longer than')
  })

  test('texts cannot be doubled without end', () => {
    const double = string({ type: 'Replace', replace: { search: 'a', replace: 'aaaaaaaa' } })
    expect(
      through(
        'a'.repeat(1000),
        Array.from({ length: 12 }, () => double),
      ),
    ).toContain('the text would be longer than')
  })

  test('a pattern that would hang a backtracking engine is matched in no time', () => {
    const evil = string({ type: 'Regexp', regexp: { match: '(a*)*b' } })
    expect(through('a'.repeat(20_000), [evil])).toContain('had no matches')
  })

  test('what is nested too deep is a fatal result', () => {
    let deep: StructValue = 1
    for (let i = 0; i < 50_000; i++) deep = [deep]
    const request = { observed: { composite: { resource: composite({ in: deep }) } } }
    const input = {
      resources: [{ name: 'part', base: { apiVersion: 'v1', kind: 'Part' }, patches: [{ fromFieldPath: 'spec.in', toFieldPath: 'out' }] }],
    }
    expect(patchAndTransform({ ...request, input }).results).toMatchObject([{ severity: 'SEVERITY_FATAL' }])
  })
})

test('any input has an answer, which is one of the protocol', () => {
  fc.assert(
    fc.property(anyRequest, (given) => {
      const answer = patchAndTransform(deepFreeze(given) as RunFunctionRequest)
      expect(answer.meta?.ttl).toBe('60s')
      // Reads as a message, so every type is right.
      responseMessage(answer)
    }),
    { numRuns: 2000 },
  )
})

import { describe, expect, it } from 'vitest'
import { SyntaxFault } from './parsed.ts'
import { parseYamlBody } from './yaml-body.ts'

describe('parseYamlBody', () => {
  it.each([
    ['a: yes\nb: n\nc: On', { a: true, b: false, c: true }, 'the booleans of YAML 1.1'],
    ['a: 010\nb: 0x10\nc: 0b11\nd: 1_000\ne: 0o17', { a: 8, b: 16, c: 3, d: 1000, e: 15 }, 'its integers'],
    ['a: 1.5\nb: .5\nc: 1e3\nd: 12:30', { a: 1.5, b: 0.5, c: 1000, d: '12:30' }, 'no sexagesimal numbers'],
    ['a: 2001-01-01\nb: ~\nc:', { a: '2001-01-01', b: null, c: null }, 'dates are text'],
    ['1: x\ntrue: z', { '1': 'x', true: 'z' }, 'keys become text'],
    ['a: &x {b: 1}\nc: *x\nd: {<<: *x, e: 2}', { a: { b: 1 }, c: { b: 1 }, d: { b: 1, e: 2 } }, 'aliases and merges'],
    ['{"a": 9007199254740993}', { a: 9007199254740993n }, 'JSON is YAML, exactly'],
    ['a: 9007199254740993', { a: 9007199254740993n }, 'large integers survive'],
    ['', null, 'nothing is null'],
  ])('%j', (text, value, reason) => {
    expect(parseYamlBody(text).value, reason).toEqual(value)
  })

  it.each(['a: [', 'a: b: c', '\ta: b', 'a: .nan', '{a: &x [*x]}', 'a: *missing'])('refuses %j', (text) => {
    expect(() => parseYamlBody(text)).toThrow(SyntaxFault)
  })

  it('tells of a repeated key and takes the last', () => {
    expect(parseYamlBody('a: 1\nb: {c: 1, c: 2}')).toEqual({
      value: { a: 1, b: { c: 2 } },
      problems: ['yaml: unmarshal errors:\n  line 2: key "c" already set in map'],
      isSorted: true,
    })
  })

  it.each([
    {
      text: 'a: 1\na: 2\nb:\n  c: 1\n  c: 2\na: 3\n',
      lines: ['line 2: key "a"', 'line 5: key "c"', 'line 6: key "a"'],
      reason: 'each, as it comes',
    },
    {
      text: 'a:\n  b: 1\na:\n  - c: 1\n    c: 2\n',
      lines: ['line 5: key "c"', 'line 4: key "a"'],
      reason: 'the inner first; a value counts where it begins',
    },
    {
      text: '# words\n---\n"a": 1\n1: x\na: 2\n1: y\n',
      lines: ['line 5: key "a"', 'line 6: key 1'],
      reason: 'quotes are no part of a key',
    },
    { text: '{"a":1,\n"b":{"c":1,"c":2},\n"a":2}', lines: ['line 2: key "c"', 'line 3: key "a"'], reason: 'JSON is YAML' },
    { text: 'a: [{b: 1, b: 2}, {b: 3}]\n', lines: ['line 1: key "b"'], reason: 'items have keys of their own' },
  ])('tells of every repeated key: $reason', ({ text, lines }) => {
    expect(parseYamlBody(text).problems).toEqual([
      ['yaml: unmarshal errors:', ...lines.map((line) => `  ${line} already set in map`)].join('\n'),
    ])
  })

  it('refuses what aliases would blow up', () => {
    const lines = ['a0: &a0 [x,x,x,x,x,x,x,x,x,x]']
    for (let i = 1; i < 30; i++) lines.push(`a${i}: &a${i} [${Array.from({ length: 10 }, () => `*a${i - 1}`).join(',')}]`)
    expect(() => parseYamlBody(lines.join('\n'))).toThrow('excessive aliasing')
  })

  it('counts the bytes of aliases of a long text, not their number', () => {
    const text = `a: &a ${'x'.repeat(100_000)}\nl: [${Array.from({ length: 99_000 }, () => '*a').join(',')}]`
    expect(() => parseYamlBody(text)).toThrow('excessive aliasing')
    expect(parseYamlBody(`a: &a ${'x'.repeat(1000)}\nl: [*a, *a]`).problems).toEqual([])
  })

  it('reads an integer of any length in no time, as a number', () => {
    expect(parseYamlBody(`a: ${'9'.repeat(300)}`).value).toEqual({ a: 1e300 })
  })
})

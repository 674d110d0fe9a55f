import { describe, expect, it } from 'vitest'
import { columnCell, compileJsonPath, type JsonPath } from './jsonpath.ts'

const object = {
  spec: {
    replicas: 3,
    ratio: 1.5,
    big: 3000000.5,
    name: 'x',
    on: true,
    none: null,
    list: [1, 2, 3, 4],
    items: [{ a: 1, b: 'x' }, { b: 'z' }],
    o: { z: 1, a: 2 },
  },
  status: {
    conditions: [
      { type: 'Ready', status: 'True', n: 1 },
      { type: 'Synced', status: 'False', n: 2 },
    ],
  },
  metadata: { labels: { a: 'la', 'app.kubernetes.io/name': 'n' } },
}
const parse = (path: string): JsonPath => {
  const parsed = compileJsonPath(path)
  if ('error' in parsed) throw new Error(parsed.error)
  return parsed
}

describe('print', () => {
  it.each([
    ['.spec.replicas', '3'],
    ['{.spec.replicas}', '3'],
    ['.spec.big', '3.0000005e+06'],
    ['.spec.o', '{"a":2,"z":1}'],
    ['.spec.none', 'null'],
    ['.spec.nope.deeper', ''],
    ['.spec.name.x', ''],
    ['.spec.list', '[1,2,3,4]'],
    ['.spec.list[*]', '1 2 3 4'],
    ['.spec.list[-1]', '4'],
    ['.spec.list[1:3]', '2 3'],
    ['.spec.list[::2]', '1 3'],
    ['.spec.list[0,2]', '1 3'],
    [".spec['name','replicas']", 'x 3'],
    [".metadata.labels['a']", 'la'],
    [".metadata.labels['app\\.kubernetes\\.io/name']", 'n'],
    ['.metadata.labels.app\\.kubernetes\\.io/name', 'n'],
    ['.status.conditions[?(@.type=="Ready")].status', 'True'],
    [".status.conditions[?(@.type=='Synced')].status", 'False'],
    ['.status.conditions[?(@.n>1)].type', 'Synced'],
    ['.status.conditions[?(@.n!=1)].type', 'Synced'],
    ['.spec.items[?(@.a)].b', 'x'],
    ['.status.conditions[*].type', 'Ready Synced'],
    ['..type', 'Ready Synced'],
    ['$.spec.on', 'true'],
  ])('%s', (path, text) => {
    expect(parse(path).print(object)).toBe(text)
  })

  it('reads own fields only', () => {
    expect(parse('.constructor').find({}).values).toEqual([])
  })
})

describe('errors', () => {
  it.each([
    ['.spec.list[9]', 'array index out of bounds: index 9, length 4'],
    ['.spec.name[0]', 'string is not array or slice'],
    ['.spec.list[3:1]', 'starting index 3 is greater than ending index 1'],
    ['.status.conditions[?(@.n>"a")].type', 'incompatible types for comparison'],
  ])('evaluating %s', (path, error) => {
    expect(parse(path).find(object)).toEqual({ values: [], error })
    expect(parse(path).first(object)).toBeUndefined()
  })

  it.each([
    ['.spec[', 'unterminated array'],
    ['.spec.list[a]', 'invalid array index a'],
    ['.spec.list[?(@.x', 'unterminated filter'],
    ['spec.name', 'unrecognized identifier spec'],
  ])('parsing %s', (path, error) => {
    expect(compileJsonPath(path)).toEqual({ error })
  })
})

it.each([
  ['integer', 3.7, 3],
  ['integer', 9007199254740993n, 9007199254740993n],
  ['integer', 'x', null],
  ['number', 3, 3],
  ['boolean', true, true],
  ['boolean', 'true', null],
  ['string', { a: 1 }, '{"a":1}'],
  ['string', 3, '3'],
  ['string', undefined, null],
  ['date', '2024-01-01T00:00:00Z', '2024-01-01T00:00:00Z'],
])('a %s column shows %s as %s', (type, value, cell) => {
  expect(columnCell(type, value)).toBe(cell)
})

it.each([
  { path: '.items[?(@.ports[0]>79)].name', reason: 'a list that is too short' },
  { path: '.items[?(@.size>0.5)].name', reason: 'an integer beside a fraction' },
  { path: '.items[?(@.name<1)].name', reason: 'text beside a number', found: [] },
])('fails in columns, as in Go, and leaves the item out for people: $reason', ({ path, found = ['a'] }) => {
  const value = {
    items: [
      { name: 'a', ports: [80], size: 1 },
      { name: 'b', ports: [], size: 0 },
    ],
  }
  const compiled = compileJsonPath(path)
  if ('error' in compiled) throw new Error(compiled.error)
  expect(compiled.find(value).error).toBeDefined()
  expect(compiled.find(value, { lenient: true })).toEqual({ values: found })
})

it('has fields in the order of the document, for people in that of their names', () => {
  const compiled = compileJsonPath('.*')
  if ('error' in compiled) throw new Error(compiled.error)
  expect(compiled.find({ b: 1, a: 2 }).values).toEqual([1, 2])
  expect(compiled.find({ b: 1, a: 2 }, { lenient: true }).values).toEqual([2, 1])
})

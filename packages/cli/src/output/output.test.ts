import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { CommandFailure } from '../report.ts'
import { formatAge, formatDuration, parseDuration } from './age.ts'
import { formatSize } from './size.ts'
import { formatJson } from './format-object.ts'
import { formatYaml } from './format-yaml.ts'
import { formatTable } from './format-table.ts'
import { parseOutputFormat } from './output-format.ts'
import { formatName, formatObjects, objectStream } from './print-objects.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

describe('times', () => {
  it.each([
    [0, '0s'],
    [119 * SECOND, '119s'],
    [2 * MINUTE, '2m'],
    [5 * MINUTE + 30 * SECOND, '5m30s'],
    [10 * MINUTE, '10m'],
    [179 * MINUTE, '179m'],
    [3 * HOUR + 12 * MINUTE, '3h12m'],
    [8 * HOUR, '8h'],
    [47 * HOUR, '47h'],
    [2 * DAY + 4 * HOUR, '2d4h'],
    [8 * DAY, '8d'],
    [729 * DAY, '729d'],
    [3 * 365 * DAY + 5 * DAY, '3y5d'],
    [9 * 365 * DAY, '9y'],
    [-5 * SECOND, '<invalid>'],
  ])('%d ms is %s, as kubectl says it', (millis, text) => {
    expect(formatDuration(millis)).toBe(text)
  })

  it('reads durations', () => {
    expect(['90s', '1h30m', '5', '200ms', '-1s', '2d'].map(parseDuration)).toEqual([90_000, 5_400_000, 5000, 200, -1000, 172_800_000])
    expect(['', 'soon', '5x', '1h30'].map(parseDuration)).toEqual([undefined, undefined, undefined, undefined])
    expect(formatAge(undefined)).toBe('<unknown>')
  })
})

it.each([
  [0, '0 B'],
  [1023, '1023 B'],
  [1536, '1.5 KiB'],
  [120.4 * 1024 ** 2, '120 MiB'],
  [3 * 1024 ** 4, '3072 GiB'],
])('%s bytes are %s', (bytes, text) => {
  expect(formatSize(bytes)).toBe(text)
})

describe('objects as text', () => {
  const object = {
    apiVersion: 'example.org/v1',
    kind: 'Widget',
    metadata: { name: 'a', managedFields: [] },
    spec: { b: 'yes', a: 9_007_199_254_740_993n, on: '2020-01-01', t: 'x\ny\n' },
  }

  it('sorts keys, keeps large integers, quotes what YAML 1.1 would misread, and hides managed fields', async () => {
    const yaml = await formatObjects([object], { type: 'yaml' }, { asList: false })
    expect(yaml).toContain('a: 9007199254740993\n')
    expect(parse(yaml, { version: '1.1', intAsBigInt: true })).toEqual({ ...object, metadata: { name: 'a' } })
    expect(yaml).toMatch(/b: ["']yes["']/)
    expect(yaml).toMatch(/t: \|\n/)
    expect(await formatObjects([object], { type: 'yaml' }, { asList: false, showManagedFields: true })).toContain('managedFields')
    expect(formatJson({ b: [], a: { c: {} }, n: 9_007_199_254_740_993n, u: undefined })).toBe(
      '{\n    "a": {\n        "c": {}\n    },\n    "b": [],\n    "n": 9007199254740993\n}\n',
    )
    expect(formatYaml({ a: [{ b: 1 }] })).toBe('a:\n- b: 1\n')
  })

  it('makes a List of several, and streams one after the other', async () => {
    expect(JSON.parse(await formatObjects([], { type: 'json' }, { asList: true }))).toMatchObject({ kind: 'List', items: [] })
    const plain = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c' } }
    expect(formatName(plain)).toBe('configmap/c')
    const stream = await objectStream({ type: 'yaml' }, {})
    expect(stream(plain) + stream(plain)).toMatch(/^apiVersion[^]*\n---\napiVersion/)
    const format = parseOutputFormat('custom-columns=NAME:.metadata.name,L:metadata.labels')
    if (format.type === 'table') throw new Error('not a table')
    const columns = await objectStream(format, {})
    expect(columns(plain) + columns(plain)).toBe('NAME   L\nc      <none>\nc      <none>\n')
  })

  it('lines columns up as kubectl does', () => {
    expect(
      formatTable([
        ['A', 'BB', 'C'],
        ['a-long-name', '1', 'x y'],
      ]),
    ).toBe('A             BB    C\na-long-name   1     x y\n')
    const layout = { widths: [] as number[] }
    formatTable([['long-enough', 'x']], layout)
    expect(formatTable([['s', 'y']], layout)).toBe('s             y\n')
  })

  it.each([
    'jsonpath',
    'custom-columns',
    'custom-columns=A',
    'custom-columns=A:',
    'xml',
    'jsonpath={.a',
    'custom-columns=A:{.b',
    'jsonpath-file=/no/such',
  ])('refuses -o %s with a way out', (text) => {
    expect(() => parseOutputFormat(text)).toThrow(CommandFailure)
  })
})

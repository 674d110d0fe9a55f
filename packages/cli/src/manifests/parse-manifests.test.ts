import { describe, expect, it } from 'vitest'
import { parseManifests, parseValue } from './parse-manifests.ts'

const parse = (text: string): ReturnType<typeof parseManifests> => parseManifests(text, 'f.yaml')

describe('manifests', () => {
  it('reads several documents, each with its line, and takes lists apart', () => {
    const { manifests, problems } = parse(
      [
        '# a comment',
        'apiVersion: v1',
        'kind: ConfigMap',
        'metadata: {name: a}',
        '---',
        '---',
        'apiVersion: v1',
        'kind: List',
        'items:',
        '- {apiVersion: v1, kind: ConfigMap, metadata: {name: b}}',
        '- {apiVersion: v1, kind: ConfigMap, metadata: {name: c}}',
        '',
      ].join('\n'),
    )
    expect(problems).toEqual([])
    expect(manifests.map(({ object, source }) => [object.metadata.name, source.line])).toEqual([
      ['a', 2],
      ['b', 7],
      ['c', 7],
    ])
  })

  it.each([
    ['yes is a boolean, as everywhere in Kubernetes', 'yes', true],
    ['an octal number', '010', 8],
    ['a date is text', '2020-01-02', '2020-01-02'],
    ['minutes are not a number', '12:30:45', '12:30:45'],
    ['a version is text when quoted', '"1.10"', '1.10'],
    ['large integers stay exact', '9007199254740993', 9_007_199_254_740_993n],
    ['a fraction', '1.5', 1.5],
    ['a fraction without a beginning', '.5', 0.5],
    ['an exponent', '1e3', 1000],
    ['an octal number of YAML 1.2', '0o17', 15],
    ['a hexadecimal number', '0x1F', 31],
    ['a name that looks like the end of a number', 'e1', 'e1'],
    ['a dot', '.', '.'],
    ['y is a boolean, too', 'y', true],
  ])('%s', (_reason, text, value) => {
    const { manifests } = parse(`apiVersion: v1\nkind: X\nmetadata: {name: a}\nspec: {v: ${text}}\n`)
    expect(manifests[0]?.object['spec']).toEqual({ v: value })
  })

  it('reads JSON', () => {
    const { manifests } = parse('{"apiVersion": "v1", "kind": "X", "metadata": {"name": "a"}, "n": 9007199254740993}')
    expect(manifests[0]?.object['n']).toBe(9_007_199_254_740_993n)
  })

  it.each([
    ['apiVersion: v1\nkind: X\nmetadata: {name: [\n', 4],
    ['apiVersion: v1\nkind: X\nkind: Y\nmetadata: {name: a}\n', 3],
    ['a: &a [1,2]\nb: {<<: *nothing}\n', 1],
    ['apiVersion: v1\nkind: X\nmetadata: {name: a}\nx: .nan\n', 1],
    ['- 1\n- 2\n', 1],
    ['kind: X\nmetadata: {name: a}\n', 1],
    ['apiVersion: v1\nmetadata: {name: a}\n', 1],
    ['apiVersion: v1\nkind: X\n', 1],
    ['apiVersion: v1\nkind: X\nmetadata: {}\n', 1],
    ['apiVersion: v1\nkind: X\nmetadata: {name: a, namespace: 7}\n', 1],
    ['apiVersion: v1\nkind: List\nitems: [{kind: X}]\n', 1],
  ])('says where %j is wrong, and goes on', (text, line) => {
    const { manifests, problems } = parse(`${text}---\napiVersion: v1\nkind: X\nmetadata: {name: good}\n`)
    expect(problems.map((problem) => problem.line)).toEqual([line])
    expect(manifests.map(({ object }) => object.metadata.name)).toEqual(['good'])
  })

  it.each<[string, (string | number)[], [number, number]]>([
    ['a field', ['spec', 'size'], [5, 3]],
    ['an item', ['spec', 'list', 1], [8, 5]],
    ['a key that is no word', ['metadata', 'labels', 'a.b/c'], [3, 30]],
    ['what is not there: what is around it', ['spec', 'list', 7, 'x'], [6, 3]],
    ['the object', [], [1, 1]],
  ])('finds %s', (_reason, path, [line, column]) => {
    const { manifests } = parse(
      'apiVersion: v1\nkind: X\nmetadata: {name: a, labels: {a.b/c: d}}\nspec:\n  size: 1\n  list:\n  - a\n  - b\n',
    )
    expect(manifests[0]?.locate(path)).toEqual({ line, column })
  })

  it('finds fields in JSON and in lists, too', () => {
    const json = parse('{"apiVersion": "v1", "kind": "X",\n "metadata": {"name": "a"}}')
    expect(json.manifests[0]?.locate(['metadata', 'name'])).toEqual({ line: 2, column: 15 })
    const list = parse('apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: X\n  metadata: {name: a}\n')
    expect(list.manifests[0]?.locate(['kind'])).toEqual({ line: 5, column: 3 })
  })

  it('refuses aliases that blow up', () => {
    const bomb = ['a: &a [x,x,x,x,x,x,x,x,x,x]']
    for (let i = 0; i < 8; i++)
      bomb.push(
        `${String.fromCharCode(98 + i)}: &${String.fromCharCode(98 + i)} [${Array(10)
          .fill(`*${String.fromCharCode(97 + i)}`)
          .join(',')}]`,
      )
    const { problems } = parse(`${bomb.join('\n')}\n`)
    expect(problems).toHaveLength(1)
  })
})

describe('a single value', () => {
  it.each([
    ['JSON', '{"spec":{"max":7227701560655103599}}'],
    ['YAML', 'spec: {max: 7227701560655103599}'],
  ])('keeps the digits of integers in %s', (_form, text) => expect(parseValue(text)).toEqual({ spec: { max: 7227701560655103599n } }))

  it('may be a list', () => expect(parseValue('- {op: remove, path: /spec/x}')).toEqual([{ op: 'remove', path: '/spec/x' }]))
  it('says what is wrong with it', () => expect(() => parseValue('{a: [')).toThrow('not valid YAML'))
  it('may be nothing', () => expect(parseValue('')).toBeFalsy())
})

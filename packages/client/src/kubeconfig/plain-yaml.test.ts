import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { readPlainYaml } from './plain-yaml.ts'

const BY_KUBECTL = `apiVersion: v1
clusters:
- cluster:
    certificate-authority-data: LS0tLS1CRUdJTg==
    insecure-skip-tls-verify: true
    server: https://127.0.0.1:6443
  name: kind
contexts:
- context:
    cluster: kind
    user: kind
  name: kind
current-context: kind
kind: Config
preferences: {}
users:
- name: kind
  user:
    exec:
      apiVersion: client.authentication.k8s.io/v1
      args:
      - get-token
      - "--cluster=a b"
      command: /usr/bin/aws
`

const parsed = (text: string): unknown => {
  try {
    return parse(text) as unknown
  } catch (error) {
    return error
  }
}

describe('plain YAML', () => {
  it.each([
    ['as kubectl writes it', BY_KUBECTL],
    ['with lists further in', 'users:\n  - name: "a"\n    user:\n      token: abc\n  - name: b\n'],
    ['without a line break at the end', 'a: b'],
  ])('is read: %s', (_, text) => {
    expect(readPlainYaml(text)).toBeDefined()
    expect(readPlainYaml(text)).toEqual(parse(text))
  })

  it.each([
    ['numbers', 'a: 1'],
    ['what looks like one', 'token: 12e3'],
    ['null', 'a:\nb: c'],
    ['words of other versions', 'a: Yes'],
    ['comments', 'a: b # c'],
    ['flow style', 'a: {b: c}'],
    ['escapes', 'a: "\\u0041"'],
    ['single quotes', "a: 'b'"],
    ['text of several lines', 'a: |\n  b'],
    ['a word that goes on', 'a: b\n  c'],
    ['anchors', 'a: &b c'],
    ['keys twice', 'a: b\na: c'],
    ['merge keys', '<<: a'],
    ['tabs', 'a:\tb'],
    ['several documents', 'a: b\n---\na: c'],
    ['nothing', ''],
    ['a list in a list', '- - a'],
    ['a first line further in', '  a: b'],
    ['lines between levels', 'a:\n    b: c\n  d: e'],
    ['a carriage return', 'a: b\r\nc: d'],
  ])('leaves to a real parser: %s', (_, text) => {
    expect(readPlainYaml(text)).toBeUndefined()
  })

  it('means the same to a real parser, whatever is read', () => {
    const odd = fc.constantFrom('true', 'no', '1', '-', 'x:', ': y', '#', '~', '"', '&a', '"q"r')
    const word = fc.oneof({ weight: 6, arbitrary: fc.constantFrom('c', 'https://h:1', '"q r"', '{}', '[]', '/p', 'false') }, odd)
    const key = fc.oneof({ weight: 9, arbitrary: fc.constantFrom('a', 'b', 'd', 'e', 'f', 'g') }, odd)
    const value = fc.oneof({ weight: 9, arbitrary: word.map((text) => `: ${text}`) }, fc.constantFrom(':', '', ' : c', ':c'))
    const line = fc
      .tuple(fc.constantFrom('', '', '', '  ', '    ', ' '), fc.constantFrom('', '', '- ', '-'), key, value)
      .map((parts) => parts.join(''))
    let read = 0
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 6 }), (lines) => {
        const text = lines.join('\n')
        const plain = readPlainYaml(text)
        if (plain === undefined) return
        read++
        expect(parsed(text)).toEqual(plain)
      }),
      { numRuns: 20_000 },
    )
    expect(read).toBeGreaterThan(100)
  })
})

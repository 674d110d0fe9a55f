import { describe, expect, it } from 'vitest'
import { parseAccept } from './accept.ts'

const order = (header: string): string[] => parseAccept(header).map(({ type, subtype }) => `${type}/${subtype}`)

describe('Accept', () => {
  it.each([
    ['a/b, c/d', ['a/b', 'c/d'], 'as written'],
    ['a/b;q=0.1, c/d;q=0.9', ['c/d', 'a/b'], 'by q'],
    ['a/b;q=x, c/d;q=0.1', ['c/d', 'a/b'], 'a q that is no number is none'],
    ['a/b; q= 0.9, c/d;q=0.1', ['c/d', 'a/b'], 'nor is one after a space'],
    ['*/*;q=1, a/b;q=0.1', ['a/b', '*/*'], 'what is named goes before wildcards, whatever its q'],
    ['a/*, a/b;q=0.1', ['a/b', 'a/*'], 'also before half a wildcard'],
    ['*', ['*/*'], 'the short form'],
    ['nonsense, a/b/c, a/, ;, , a/b', ['a/b'], 'what cannot be read is left out'],
  ])('%s is tried as %j: %s', (header, expected) => {
    expect(order(header)).toEqual(expected)
  })

  it('reads parameters, and drops what is none', () => {
    const [clause] = parseAccept('application/json; as=Table ;v=v1;x;y=;z=1=2')
    expect([...(clause?.parameters ?? [])]).toEqual([
      ['as', 'Table'],
      ['v', 'v1'],
    ])
  })
})

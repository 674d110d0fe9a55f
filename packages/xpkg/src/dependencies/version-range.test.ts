import { describe, expect, it } from 'vitest'
import { PackageError } from '../package-error.ts'
import { newestFirst, parseRange } from './version-range.ts'

const DIGEST = `sha256:${'a'.repeat(64)}`

describe('ranges of versions, as Crossplane packages write them', () => {
  it.each([
    { range: '>=v0.1.0', yes: ['v0.1.0', '0.1.0', 'v2.0.0'], no: ['v0.0.9', 'v1.0.0-rc.1', 'main'] },
    { range: '>= v1.8.2', yes: ['v1.8.2', 'v3.0.0'], no: ['v1.8.1'] },
    { range: 'v1.x', yes: ['v1.0.0', 'v1.99.3'], no: ['v2.0.0', 'v0.9.0'] },
    { range: 'v1.2.3', yes: ['v1.2.3', '1.2.3'], no: ['v1.2.4'] },
    { range: '>=1.0.0, <2.0.0', yes: ['1.5.0'], no: ['2.0.0'] },
    { range: '>=1.0.0 <2.0.0', yes: ['1.5.0'], no: ['2.0.0'] },
    { range: '>=1.0.0,<2.0.0 || >=3.0.0', yes: ['1.5.0', '3.1.0'], no: ['2.5.0'] },
    { range: '1.2 - 1.4.5', yes: ['1.2.0', '1.4.5'], no: ['1.4.6', '1.1.9'] },
    { range: '~1.2', yes: ['1.2.9'], no: ['1.3.0'] },
    { range: '~>1.2.3', yes: ['1.2.9'], no: ['1.3.0'] },
    { range: '^0.3', yes: ['0.3.9'], no: ['0.4.0'] },
    { range: '=>1.2.0', yes: ['1.2.0'], no: ['1.1.0'] },
    { range: '=<1.2.0', yes: ['1.2.0'], no: ['1.2.1'] },
    { range: '>=1.0.0, !=1.3.0', yes: ['1.2.0', '1.3.1'], no: ['1.3.0', '0.9.0'] },
    { range: '!=1.3', yes: ['1.4.0'], no: ['1.3.7', '1.4.0-rc.1'] },
    { range: '*', yes: ['0.0.1', 'v9.0.0'], no: ['v9.0.0-beta.1', 'main'] },
    { range: '>=v1.0.0-0', yes: ['v1.0.0-rc.1', 'v1.1.0-rc.1', 'v1.1.0'], no: ['v0.9.0'] },
    { range: DIGEST, yes: [DIGEST], no: ['v1.0.0'] },
    { range: 'main', yes: ['main'], no: ['v1.0.0'] },
  ])('$range', ({ range, yes, no }) => {
    const parsed = parseRange(range)
    expect(yes.filter((version) => !parsed.includes(version))).toEqual([])
    expect(no.filter((version) => parsed.includes(version))).toEqual([])
  })

  it.each(['>=', '1.2.3.4', '>=v1 && <v2', '>>1.0.0', '<script>', 'sha256:abc', '1.0.0 ||| 2.0.0'])('refuses %s', (range) => {
    expect(() => parseRange(range)).toThrow(PackageError)
  })

  it('sorts versions, newest first, and leaves out other tags', () => {
    expect(newestFirst(['v1.2.0', 'main', 'v1.10.0', 'v1.10.0-rc.1', 'latest', '0.9.0'])).toEqual([
      'v1.10.0',
      'v1.10.0-rc.1',
      'v1.2.0',
      '0.9.0',
    ])
  })
})

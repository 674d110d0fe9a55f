import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { PackageType } from '../format/package.ts'
import { type Catalogue, resolveFrom } from './look-up.ts'
import { type PackageVersion, resolveDependencies } from './resolve-dependencies.ts'
import { parseRange } from './version-range.ts'

const R = 'registry.example.org/acme'
const repo = (name: string): string => `${R}/${name}`

type Needs = Readonly<Record<string, string>>

function version(name: string, tag: string, needs: Needs = {}, type: PackageType = 'Configuration'): PackageVersion {
  const dependencies = Object.entries(needs).map(([each, range]) => ({
    package: repo(each),
    type: 'Configuration' as const,
    version: range,
  }))
  return { repository: repo(name), type, version: tag, dependencies }
}

/** A registry in memory. */
function catalogueOf(all: readonly PackageVersion[]): Catalogue {
  return {
    versions: async (repository) => all.filter((each) => each.repository === repository).map((each) => each.version),
    package: async (repository, tag) => {
      const found = all.find((each) => each.repository === repository && each.version === tag)
      if (found === undefined) throw new Error(`no ${repository}:${tag}`)
      return found
    },
  }
}

const resolve = (published: PackageVersion[], roots: PackageVersion[], installed: PackageVersion[] = []) =>
  resolveFrom(catalogueOf(published), { roots, installed })

const names = (result: Awaited<ReturnType<typeof resolve>>): unknown =>
  result.kind === 'resolved' ? result.install.map((each) => `${each.repository.slice(R.length + 1)} ${each.version}`) : result.problems

describe('dependencies', () => {
  it('installs what is needed first, the newest version that suits', async () => {
    const published = [
      version('b', 'v1.0.0', { c: '>=v1.0.0' }),
      version('b', 'v2.0.0'),
      version('c', 'v1.0.0'),
      version('c', 'v1.5.0'),
      version('c', 'v2.0.0-rc.1'),
    ]
    expect(names(await resolve(published, [version('a', 'v1.0.0', { b: 'v1.x' })]))).toEqual(['c v1.5.0', 'b v1.0.0', 'a v1.0.0'])
  })

  it('takes the version that suits everybody who needs it', async () => {
    const published = [
      version('b', 'v1.0.0', { d: '<v2.0.0' }),
      version('c', 'v1.0.0', { d: '>=v1.1.0' }),
      ...['v1.0.0', 'v1.2.0', 'v2.1.0'].map((tag) => version('d', tag)),
    ]
    expect(names(await resolve(published, [version('a', 'v1.0.0', { b: '*', c: '*' })]))).toEqual([
      'd v1.2.0',
      'b v1.0.0',
      'c v1.0.0',
      'a v1.0.0',
    ])
  })

  it('goes back to an older version of one package when its newest rules out another', async () => {
    const published = [
      version('b', 'v1.0.0', { c: 'v1.x' }),
      version('b', 'v2.0.0', { c: 'v2.x' }),
      version('c', 'v1.0.0'),
      version('c', 'v2.0.0'),
    ]
    expect(names(await resolve(published, [version('a', 'v1.0.0', { b: '*', c: 'v1.x' })]))).toEqual(['c v1.0.0', 'b v1.0.0', 'a v1.0.0'])
  })

  it('keeps what is installed when it suits, and installs it no second time', async () => {
    const published = [version('b', 'v1.0.0'), version('b', 'v1.9.0')]
    expect(names(await resolve(published, [version('a', 'v1.0.0', { b: 'v1.x' })], [version('b', 'v1.0.0')]))).toEqual(['a v1.0.0'])
  })

  it.each([
    {
      reason: 'what is installed does not suit',
      roots: [version('a', 'v1.0.0', { b: '>=v2.0.0' })],
      installed: [version('b', 'v1.0.0')],
      code: 'Conflict',
      says: [repo('a'), '>=v2.0.0', 'v1.0.0'],
    },
    {
      reason: 'an upgrade would break who depends on it',
      roots: [version('b', 'v2.0.0')],
      installed: [version('a', 'v1.0.0', { b: 'v1.x' }), version('b', 'v1.0.0')],
      code: 'Conflict',
      says: [repo('a'), 'v1.x', 'v2.0.0'],
    },
    {
      reason: 'two want different versions',
      roots: [version('a', 'v1.0.0', { d: 'v1.x', e: '*' })],
      published: [version('d', 'v1.0.0'), version('d', 'v2.0.0'), version('e', 'v1.0.0', { d: 'v2.x' })],
      code: 'Conflict',
      says: [repo('e'), 'v2.x'],
    },
    {
      reason: 'no such version',
      roots: [version('a', 'v1.0.0', { b: '>=v9.0.0' })],
      published: [version('b', 'v1.0.0')],
      code: 'Missing',
      says: [repo('b'), '>=v9.0.0', 'v1.0.0'],
    },
    { reason: 'nothing published', roots: [version('a', 'v1.0.0', { b: '*' })], code: 'Missing', says: ['none'] },
    {
      reason: 'a circle',
      roots: [version('a', 'v1.0.0', { b: '*' })],
      published: [version('b', 'v1.0.0', { c: '*' }), version('c', 'v1.0.0', { a: '*' })],
      code: 'Cycle',
      says: [`${repo('a')} → ${repo('b')} → ${repo('c')} → ${repo('a')}`],
    },
    { reason: 'itself', roots: [version('a', 'v1.0.0', { a: '*' })], code: 'Cycle', says: [`${repo('a')} → ${repo('a')}`] },
    {
      reason: 'another type',
      roots: [version('a', 'v1.0.0', { b: '*' })],
      published: [version('b', 'v1.0.0', {}, 'Provider')],
      code: 'WrongType',
      says: ['Provider'],
    },
    { reason: 'not a range', roots: [version('a', 'v1.0.0', { b: '>>1' })], code: 'Malformed', says: ['>>1'] },
    { reason: 'not a package', roots: [version('a', 'v1.0.0', { 'B!': '*' })], code: 'Malformed', says: ['B!'] },
    {
      reason: 'a function that is a provider',
      roots: [{ ...version('a', 'v1.0.0'), dependencies: [{ package: repo('function-x'), type: 'Function' as const, version: '*' }] }],
      published: [version('function-x', 'v1.0.0', {}, 'Provider')],
      code: 'WrongType',
      says: ['function-x', 'Function'],
    },
  ])('refuses, and says why: $reason', async ({ roots, installed = [], published = [], code, says }) => {
    const result = await resolve(published, roots, installed)
    expect(result.kind).toBe('refused')
    if (result.kind !== 'refused') return
    expect(result.problems).toHaveLength(1)
    expect(result.problems[0]).toMatchObject({ code })
    for (const part of says) expect(result.problems[0]?.message).toContain(part)
  })

  it('does not mind what was wrong between others before', async () => {
    const installed = [version('x', 'v1.0.0', { y: 'v2.x' }), version('y', 'v1.0.0')]
    expect(names(await resolve([], [version('a', 'v1.0.0')], installed))).toEqual(['a v1.0.0'])
  })

  it('a digest is satisfied by what was installed by tag', async () => {
    const digest = `sha256:${'b'.repeat(64)}`
    const root = { ...version('a', 'v1.0.0'), dependencies: [{ package: repo('b'), type: 'Configuration' as const, version: digest }] }
    expect(names(await resolve([], [root], [{ ...version('b', 'v3.0.0'), digest }]))).toEqual(['a v1.0.0'])
  })

  it('asks for everything that it can ask for at once', () => {
    const root = version('a', 'v1.0.0', { b: '*', c: '*' })
    const asked = resolveDependencies({ roots: [root], installed: [], versions: () => undefined, package: () => undefined })
    expect(asked).toEqual({ kind: 'unknown', versions: [repo('b'), repo('c')], packages: [] })
  })

  it('whatever is published, the answer satisfies every range, has each package once and in order', async () => {
    const name = fc.constantFrom('a', 'b', 'c', 'd', 'e')
    const tag = fc.constantFrom('v1.0.0', 'v1.1.0', 'v2.0.0', 'v3.0.0')
    const range = fc.constantFrom('*', '>=v1.1.0', 'v1.x', '<v2.0.0', 'v2.x', '>=v2.0.0')
    const one = fc.tuple(name, tag, fc.dictionary(name, range, { maxKeys: 2 })).map(([each, at, needs]) => version(each, at, needs))
    const all = fc.uniqueArray(one, { selector: (each) => `${each.repository}${each.version}`, maxLength: 12 })
    await fc.assert(
      fc.asyncProperty(all, fc.dictionary(name, range, { minKeys: 1, maxKeys: 3 }), async (published, needs) => {
        const result = await resolve(published, [version('root', 'v1.0.0', needs)])
        if (result.kind === 'refused') {
          expect(result.problems).toHaveLength(1)
          return
        }
        const at = new Map(result.install.map((each, index) => [each.repository, index]))
        expect(at.size).toBe(result.install.length)
        result.install.forEach((each, index) => {
          for (const dependency of each.dependencies) {
            const position = at.get(dependency.package) ?? -1
            expect(position).toBeGreaterThanOrEqual(0)
            expect(position).toBeLessThan(index)
            expect(parseRange(dependency.version).includes(result.install[position]?.version ?? '')).toBe(true)
          }
        })
      }),
    )
  })
})

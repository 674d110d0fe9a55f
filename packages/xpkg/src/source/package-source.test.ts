import { describe, expect, it } from 'vitest'
import { PackageError } from '../package-error.ts'
import { formatSource, parseSource, repositoryOf } from './package-source.ts'

const DIGEST = `sha256:${'0123456789abcdef'.repeat(4)}` as const

describe('where a package is', () => {
  it.each([
    ['registry.example.org/team/network:v1.2.3', { registry: 'registry.example.org', repository: 'team/network', tag: 'v1.2.3' }],
    ['registry.example.org:5000/network', { registry: 'registry.example.org:5000', repository: 'network', tag: 'latest' }],
    ['localhost/network:a', { registry: 'localhost', repository: 'network', tag: 'a' }],
    ['localhost:5000/a/b/c:a', { registry: 'localhost:5000', repository: 'a/b/c', tag: 'a' }],
    ['[::1]:5000/a:b', { registry: '[::1]:5000', repository: 'a', tag: 'b' }],
    [
      'crossplane-contrib/provider-nop:v0.4.0',
      { registry: 'xpkg.crossplane.io', repository: 'crossplane-contrib/provider-nop', tag: 'v0.4.0' },
    ],
    [`example.org/a@${DIGEST}`, { registry: 'example.org', repository: 'a', digest: DIGEST }],
    [`example.org/a:v1@${DIGEST}`, { registry: 'example.org', repository: 'a', tag: 'v1', digest: DIGEST }],
  ])('%s is an image', (text, image) => {
    expect(parseSource(text)).toEqual({ kind: 'image', image })
    expect(parseSource(formatSource(parseSource(text)))).toEqual(parseSource(text))
  })

  it.each([
    ['./package', './package'],
    ['../package', '../package'],
    ['/srv/package', '/srv/package'],
    ['.', '.'],
    ['network.xpkg', 'network.xpkg'],
    ['file:///srv/package', '/srv/package'],
    ['./a@b', './a@b'],
  ])('%s is a path', (text, path) => {
    expect(parseSource(text)).toEqual({ kind: 'path', path })
  })

  it('a path may be pinned', () => {
    expect(parseSource(`./a.xpkg@${DIGEST}`)).toEqual({ kind: 'path', path: './a.xpkg', digest: DIGEST })
  })

  it.each([
    '',
    ' ',
    'a b',
    'example.org/Upper:v1',
    'example.org/a:',
    'example.org/a:bad tag',
    'example.org//a',
    'example.org/../a',
    'example.org/a@sha256:12',
    './a@sha256:12',
    'exa mple.org/a',
    'example.org:port/a',
    'a'.repeat(5000),
    'https://example.org/a:v1',
    'user:secret@example.org/a',
  ])('%j is refused', (text) => {
    expect(() => parseSource(text)).toThrow(PackageError)
  })

  it('knows a repository without its version', () => {
    expect(repositoryOf(parseSource(`example.org/a/b:v1@${DIGEST}`))).toBe('example.org/a/b')
    expect(repositoryOf(parseSource('./x'))).toBe('./x')
  })
})

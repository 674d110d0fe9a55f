import { pack } from 'tar-stream'
import { describe, expect, it } from 'vitest'
import { PackageError, type PackageErrorCode } from '../package-error.ts'
import { gunzip, gzip } from './gzip.ts'
import { readTar } from './read-tar.ts'
import { writeTar } from './write-tar.ts'

type Entry = Parameters<ReturnType<typeof pack>['entry']>[0]

async function tarOf(...entries: readonly (Entry & { readonly text?: string })[]): Promise<Uint8Array> {
  const archive = pack()
  for (const { text, ...entry } of entries) archive.entry(entry, text ?? '')
  archive.finalize()
  const chunks: Uint8Array[] = []
  for await (const chunk of archive) chunks.push(chunk as Uint8Array)
  return Buffer.concat(chunks)
}

const LIMITS = { unpackedBytes: 10_000, files: 10 }
const read = (bytes: Uint8Array): Promise<Map<string, Uint8Array>> => readTar(bytes, { limits: LIMITS, what: 'the archive' })

async function codeOf(promise: Promise<unknown>): Promise<PackageErrorCode> {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (error instanceof PackageError) return error.code
  throw new Error('it was accepted', { cause: error })
}

describe('archives', () => {
  it('are written with the same bytes whenever', async () => {
    const files = [
      ['a.yaml', Buffer.from('a')],
      [`${'deep/'.repeat(40)}b`, Buffer.from('b')],
    ] as const
    const [first, second] = [await writeTar(files), await writeTar(files)]
    expect(Buffer.compare(first, second)).toBe(0)
    expect(Buffer.compare(await gzip(first), await gzip(second))).toBe(0)
    expect([...(await read(first)).keys()]).toEqual(files.map(([name]) => name))
  })

  it.each(['./package.yaml', 'package.yaml', './/package.yaml'])('%s is package.yaml', async (name) => {
    expect([...(await read(await tarOf({ name: './', type: 'directory' }, { name, text: 'x' }))).keys()]).toEqual(['package.yaml'])
  })

  it.each<[string, Entry]>([
    ['an absolute path', { name: '/etc/passwd' }],
    ['a way out', { name: '../outside' }],
    ['a way out, further down', { name: 'a/b/../../../outside' }],
    ['a way out by backslash', { name: 'a\\..\\..\\outside' }],
    ['a drive', { name: 'C:/outside' }],
    ['a symbolic link', { name: 'a', type: 'symlink', linkname: '/etc/passwd' }],
    ['a hard link', { name: 'a', type: 'link', linkname: 'b' }],
    ['a device', { name: 'a', type: 'character-device' }],
    ['a pipe', { name: 'a', type: 'fifo' }],
    ['a directory that leads out', { name: '../', type: 'directory' }],
    ['no name', { name: './.' }],
  ])('refuses %s', async (_reason, entry) => {
    expect(await codeOf(read(await tarOf({ name: 'ok', text: 'ok' }, entry)))).toBe('Malformed')
  })

  it('refuses a name that occurs twice', async () => {
    expect(await codeOf(read(await tarOf({ name: 'a', text: '1' }, { name: './a', text: '2' })))).toBe('Malformed')
  })

  it('refuses too many files and too many bytes', async () => {
    expect(await codeOf(read(await tarOf(...Array.from({ length: 11 }, (_, i) => ({ name: `f${i}` })))))).toBe('TooLarge')
    expect(await codeOf(read(await tarOf({ name: 'a', text: 'x'.repeat(6000) }, { name: 'b', text: 'x'.repeat(6000) })))).toBe('TooLarge')
  })

  it('refuses what is cut off or is no archive', async () => {
    const whole = await tarOf({ name: 'a', text: 'x'.repeat(5000) })
    expect(await codeOf(read(whole.subarray(0, 3000)))).toBe('Malformed')
    expect(await codeOf(read(Buffer.from('hello '.repeat(200))))).toBe('Malformed')
  })

  it('of a whole file system, looks only at what it is asked for', async () => {
    const bytes = await tarOf(
      { name: 'bin/sh', type: 'symlink', linkname: '/bin/busybox' },
      { name: 'package.yaml', text: 'x' },
      { name: '../odd', text: 'y' },
    )
    const files = await readTar(bytes, { limits: LIMITS, what: 'the layer', only: (name) => name === 'package.yaml' })
    expect([...files.keys()]).toEqual(['package.yaml'])
  })

  it('refuses a bomb before it goes off', async () => {
    const bomb = await gzip(Buffer.alloc(20_000_000))
    expect(bomb.length).toBeLessThan(50_000)
    expect(await codeOf(gunzip(bomb, { maxBytes: 1_000_000, what: 'the layer' }))).toBe('TooLarge')
  })

  it('refuses a gzip stream that is cut off or damaged', async () => {
    const whole = await gzip(Buffer.from('hello '.repeat(1000)))
    expect(await codeOf(gunzip(whole.subarray(0, whole.length - 10), { maxBytes: 1_000_000, what: 'the layer' }))).toBe('Malformed')
    const damaged = Buffer.from(whole)
    damaged[20] = (damaged[20] ?? 0) ^ 0xff
    expect(await codeOf(gunzip(damaged, { maxBytes: 1_000_000, what: 'the layer' }))).toBe('Malformed')
  })
})

import { lstat, mkdir, mkdtemp, readdir, readFile, readlink, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Image } from '../image/build-image.ts'
import type { ImageStore } from '../image/image-store.ts'
import { chooseImage } from '../image/manifest.ts'
import { memoryStore } from '../image/memory-store.ts'
import { PackageError } from '../package-error.ts'
import { type Entry, layerTar, programImage } from './program.fixture.ts'
import { type Program, programOf } from './program.ts'
import { type ProgramStore, programStore } from './program-store.ts'

const PROGRAM: Entry = { name: 'bin/run', mode: 0o755, text: '#!/bin/sh\n' }
const CONFIG = { Entrypoint: ['/bin/run'], Cmd: ['--flag'], Env: ['PATH=/bin', 'A=b=c', 'odd'], WorkingDir: '/work' }

let base: string
let store: ProgramStore
beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'weft-programs-'))
  store = programStore({ directory: join(base, 'store'), keepMs: 0, limits: { layerBytes: 1e7, bytes: 1e6, files: 50 } })
})
afterEach(() => rm(base, { recursive: true, force: true }))

async function openProgram(image: Image): Promise<{ readonly program: Program; readonly images: ImageStore }> {
  const images = memoryStore(image, 'the image')
  const program = programOf(await images.blob(image.config), image, 'the image')
  if (program === undefined) throw new Error('it runs nothing')
  return { program, images }
}

async function keep(...layers: readonly (readonly Entry[])[]): Promise<string> {
  const { program, images } = await openProgram(await programImage({ layers, config: CONFIG }))
  return store.keep(program, images)
}

async function refusal(promise: Promise<unknown>): Promise<PackageError> {
  const error: unknown = await promise.then(
    () => new Error('it was taken'),
    (reason: unknown) => reason,
  )
  if (error instanceof PackageError) return error
  throw error
}

/** Everything below the folder of the test, which holds nothing but the store. */
const everything = async (): Promise<readonly string[]> => (await readdir(base, { recursive: true })).toSorted()

describe('K196, K197 what an image runs', () => {
  it('is read from its configuration', async () => {
    const { program } = await openProgram(await programImage({ layers: [[PROGRAM]], config: CONFIG }))
    expect(program).toMatchObject({ command: ['/bin/run', '--flag'], env: { PATH: '/bin', A: 'b=c' }, workingDirectory: '/work' })
  })

  it('is nothing without an entry point', async () => {
    const image = await programImage({ layers: [[PROGRAM]] })
    expect(programOf(await memoryStore(image, 'x').blob(image.config), image, 'x')).toBeUndefined()
  })

  it('layers lie over one another, with what they take away', async () => {
    const root = await keep(
      [PROGRAM, { name: 'a/one', text: '1' }, { name: 'a/two', text: '2' }, { name: 'b/old', text: '3' }, { name: 'c', text: 'file' }],
      [
        { name: 'a/.wh.one' },
        { name: 'b/.wh..wh..opq' },
        { name: 'b/new', text: '4' },
        { name: 'c/', type: 'directory' },
        { name: 'c/in', text: '5' },
      ],
    )
    expect((await readdir(root, { recursive: true })).toSorted()).toEqual(['a', 'a/two', 'b', 'b/new', 'bin', 'bin/run', 'c', 'c/in'])
    expect((await stat(join(root, 'bin/run'))).mode & 0o7777).toBe(0o555)
    expect((await stat(join(root, 'a/two'))).mode & 0o7777).toBe(0o444)
  })

  it('links are followed as a program in its root would follow them', async () => {
    const root = await keep(
      [
        { name: 'usr/bin', type: 'directory' },
        { name: 'bin', type: 'symlink', linkname: '/usr/bin' },
        { name: 'etc/mtab', type: 'symlink', linkname: '/proc/mounts' },
        PROGRAM,
      ],
      [
        { name: 'bin/tool', text: 'tool' },
        { name: 'bin/again', type: 'link', linkname: 'usr/bin/tool' },
      ],
    )
    expect(await readFile(join(root, 'usr/bin/tool'), 'utf8')).toBe('tool')
    expect(await readFile(join(root, 'usr/bin/again'), 'utf8')).toBe('tool')
    expect(await readlink(join(root, 'etc/mtab'))).toBe('/proc/mounts')
    expect((await lstat(join(root, 'bin'))).isSymbolicLink()).toBe(true)
  })

  it('is kept once, for all packages that have it', async () => {
    const first = await keep([PROGRAM])
    const { program, images } = await openProgram(await programImage({ layers: [[PROGRAM]], config: { Entrypoint: ['/bin/run'] } }))
    expect(await store.find(program)).toBe(first)
    expect(await store.keep(program, { ...images, blob: () => Promise.reject(new Error('it was downloaded again')) })).toBe(first)
    expect(await readdir(join(base, 'store'))).toHaveLength(1)
  })

  it('goes when nobody names it, and parts of what was never finished with it', async () => {
    const root = await keep([PROGRAM])
    const { program } = await openProgram(await programImage({ layers: [[PROGRAM]], config: CONFIG }))
    await mkdir(join(base, 'store', 'abc.part-1', 'root'), { recursive: true })
    const before = new Date(Date.now() - 60_000)
    for (const name of await readdir(join(base, 'store'))) await utimes(join(base, 'store', name), before, before)
    await store.prune([program])
    expect((await stat(root)).isDirectory()).toBe(true)
    expect(await readdir(join(base, 'store'))).toHaveLength(1)
    for (const name of await readdir(join(base, 'store'))) await utimes(join(base, 'store', name), before, before)
    await store.prune([])
    expect(await readdir(join(base, 'store'))).toEqual([])
  })

  it('of an index, the image of this machine is taken, and one that is for another is refused in words', async () => {
    const of = (architecture: string, digit: string) =>
      ({ mediaType: '', size: 1, digest: `sha256:${digit.repeat(64)}`, platform: { os: 'linux', architecture } }) as const
    const arm = { os: 'linux', architecture: 'arm64' }
    expect(chooseImage([of('amd64', 'a'), of('arm64', 'b')], 'x', arm).digest).toContain('bbb')
    expect(chooseImage([of('amd64', 'a'), of('s390x', 'b')], 'x', arm).digest).toContain('aaa')
    expect(() => chooseImage([of('ppc64le', 'a'), of('s390x', 'b')], 'x', arm)).toThrow(/without linux\/arm64 .*it has linux\/ppc64le/)
    const { program } = await openProgram(await programImage({ layers: [[PROGRAM]], config: CONFIG, platform: arm }))
    expect(programStore({ directory: base, platform: { os: 'linux', architecture: 'amd64' } }).unfit(program)).toMatch(/for linux\/arm64/)
    expect(programStore({ directory: base, platform: { os: 'darwin', architecture: 'arm64' } }).unfit(program)).toMatch(/on Linux/)
    expect(programStore({ directory: base, platform: arm }).unfit(program)).toBeUndefined()
  })
})

describe('hostile images are refused, and leave nothing anywhere', () => {
  const many = Array.from({ length: 60 }, (_, at): Entry => ({ name: `f${at}`, text: '' }))
  it.each<[string, readonly Entry[], RegExp]>([
    ['a path that climbs', [{ name: '../outside', text: 'x' }], /outside.*leads out of the image/],
    ['a path that climbs further down', [{ name: 'a/../../outside', text: 'x' }], /leads out of the image/],
    ['a link that climbs', [{ name: 'a', type: 'symlink', linkname: '../../etc/passwd' }], /link "a" .* leads out of the image/],
    [
      'a link that climbs by way of another',
      [
        { name: 'deep/er', type: 'directory' },
        { name: 'short', type: 'symlink', linkname: 'deep/er' },
        { name: 'short/up', type: 'symlink', linkname: '../../../outside' },
      ],
      /leads out of the image/,
    ],
    [
      'a file through a link that turns in a circle',
      [
        { name: 'a', type: 'symlink', linkname: 'b' },
        { name: 'b', type: 'symlink', linkname: 'a' },
        { name: 'a/file', text: 'x' },
      ],
      /too many links/,
    ],
    ['a second name of a file outside', [{ name: 'a', type: 'link', linkname: '../../../etc/passwd' }], /leads out of the image/],
    ['a second name of a file of the machine', [{ name: 'a', type: 'link', linkname: '/etc/passwd' }], /no file of the image/],
    ['a device', [{ name: 'dev/mem', type: 'character-device', devmajor: 1, devminor: 1 }], /is a character-device/],
    ['a disk', [{ name: 'dev/sda', type: 'block-device', devmajor: 8, devminor: 0 }], /is a block-device/],
    ['a pipe', [{ name: 'pipe', type: 'fifo' }], /is a fifo/],
    ['a setuid file', [{ name: 'su', mode: 0o4755, text: 'x' }], /setuid/],
    ['a setgid file', [{ name: 'sg', mode: 0o2755, text: 'x' }], /setgid/],
    ['a bomb of count', many, /too many files/],
    ['a bomb of count, in folders that one file names', [{ name: `${'d/'.repeat(60)}file`, text: 'x' }], /too many files/],
    ['a bomb of size', [{ name: 'big', text: 'x'.repeat(2_000_000) }], /too many bytes|more than 1000000 bytes/],
    ['a removal of the folder above', [{ name: 'a/.wh...', text: '' }], /removes what is not in the image/],
  ])('%s', async (_reason, entries, words) => {
    await writeFile(join(base, 'neighbour'), 'mine')
    const error = await refusal(keep([PROGRAM, ...entries]))
    expect(error.message).toMatch(words)
    expect(await everything()).toEqual(['neighbour', 'store'])
    expect(await readFile(join(base, 'neighbour'), 'utf8')).toBe('mine')
  })

  it('a file through a link to a folder of the machine lands in the image', async () => {
    const outside = join(base, 'outside')
    await mkdir(outside)
    const root = await keep([PROGRAM, { name: 'way', type: 'symlink', linkname: outside }, { name: 'way/file', text: 'x' }])
    expect(await readdir(outside)).toEqual([])
    expect(await readFile(join(root, outside, 'file'), 'utf8')).toBe('x')
  })

  it.each<[string, readonly string[], RegExp]>([
    ['that is not there', ['/bin/other'], /no such program/],
    ['that climbs', ['/bin/../../../bin/sh'], /leads out of the image/],
    ['that is the machine’s', ['/usr/bin/env'], /no such program/],
    ['that is no program', ['/data'], /no such program/],
    ['by name, nowhere in the path', ['sh'], /no such program/],
  ])('an entry point %s', async (_reason, Entrypoint, words) => {
    const layers = [[PROGRAM, { name: 'data', text: 'x' }]]
    const { program, images } = await openProgram(await programImage({ layers, config: { ...CONFIG, Entrypoint } }))
    expect((await refusal(store.keep(program, images))).message).toMatch(words)
    expect(await everything()).toEqual(['store'])
  })

  it('layers that do not unpack to what the image says', async () => {
    const image = await programImage({ layers: [[PROGRAM]], config: CONFIG })
    const { program, images } = await openProgram(image)
    const other = await layerTar([{ ...PROGRAM, text: 'another' }])
    expect((await refusal(store.keep(program, { ...images, blob: async () => other }))).code).toBe('DigestMismatch')
    expect(await everything()).toEqual(['store'])
  })

  it('layers that are cut off, or are no archive', async () => {
    const { program, images } = await openProgram(await programImage({ layers: [[PROGRAM]], config: CONFIG }))
    for (const bytes of [Buffer.from([0x1f, 0x8b, 1, 2, 3, 4]), Buffer.from('nothing '.repeat(100))])
      expect((await refusal(store.keep(program, { ...images, blob: async () => bytes }))).code).toMatch(/Malformed|DigestMismatch/)
    expect(await everything()).toEqual(['store'])
  })

  it('a configuration that does not speak of every layer', async () => {
    const image = await programImage({ layers: [[PROGRAM]], config: CONFIG })
    const config = await memoryStore(image, 'x').blob(image.config)
    expect(() => programOf(config, { ...image, layers: [...image.layers, ...image.layers] }, 'x')).toThrow(/2 layers.*speaks of 1/)
  })
})

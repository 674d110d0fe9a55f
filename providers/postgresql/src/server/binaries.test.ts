import { mkdir, mkdtemp, readlink, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { findBinaries } from './binaries.ts'

/** Runs only where its library can be found by the name that it asks for, as the real one does. */
const PROGRAM = `#!/bin/sh
[ -e "\${0%/*}/../lib/libpq.so" ] || { echo 'libpq.so: cannot open shared object file' >&2; exit 127; }
echo 'postgres (PostgreSQL) 18.4'
`
const LINKS = [{ source: 'native/lib/libpq.so.5.18', target: 'native/lib/libpq.so' }]

describe.skipIf(process.platform === 'win32')('the programs of a PostgreSQL server', () => {
  let folder: string
  let native: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'weft-binaries-'))
    native = join(folder, 'native')
    for (const each of ['bin', 'lib']) await mkdir(join(native, each), { recursive: true })
    await writeFile(join(native, 'bin', 'postgres'), PROGRAM, { mode: 0o755 })
    await writeFile(join(native, 'lib', 'libpq.so.5.18'), '')
    vi.stubEnv('WEFT_POSTGRESQL', native)
  })
  afterEach(async () => {
    vi.unstubAllEnvs()
    await rm(folder, { recursive: true, force: true })
  })

  it('run from a copy with its links where a package manager ran no script that makes them', async () => {
    await writeFile(join(native, 'pg-symlinks.json'), JSON.stringify(LINKS))
    const directory = join(folder, 'copies')
    const { postgres, version } = await findBinaries(directory, undefined)
    expect({ postgres, version }).toEqual({ postgres: join(directory, 'native', 'bin', 'postgres'), version: '18.4' })
    expect(await readlink(join(directory, 'native', 'lib', 'libpq.so'))).toBe('libpq.so.5.18')
    // A copy that works is found again, and one that does not is replaced.
    await rm(join(directory, 'native', 'lib', 'libpq.so'))
    expect((await findBinaries(directory, undefined)).version).toBe('18.4')
  })

  it('say what keeps them from running where no copy helps', async () => {
    await expect(findBinaries(join(folder, 'copies'), undefined)).rejects.toThrow(/copies\/native cannot be run: libpq\.so: cannot open/)
  })
})

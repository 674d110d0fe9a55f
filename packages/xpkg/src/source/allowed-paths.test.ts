import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, rm, symlink, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { fetchPackage } from '../fetch-package.ts'
import { PackageError } from '../package-error.ts'
import { parseSource } from './package-source.ts'
import { readPlainFile } from './read-file.ts'

const META = 'apiVersion: meta.pkg.crossplane.io/v1\nkind: Configuration\nmetadata: {name: p}\n'

describe('packages on disk', () => {
  let home: string
  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'weft-paths-'))
    for (const folder of ['allowed/p', 'allowed/data/p', 'private/p']) {
      await mkdir(join(home, folder), { recursive: true })
      await writeFile(join(home, folder, 'crossplane.yaml'), META)
    }
  })
  afterEach(() => rm(home, { recursive: true, force: true }))

  const outcome = (path: string): Promise<string> =>
    fetchPackage(parseSource(path), {
      paths: { within: [join(home, 'allowed')], except: [join(home, 'allowed/data')] },
      timeoutMs: 20_000,
    }).then(
      () => 'accepted',
      (error: unknown) => (error instanceof PackageError ? error.code : String(error)),
    )

  it.each<[string, string, string]>([
    ['a directory within what is allowed', 'allowed/p', 'accepted'],
    ['by a detour', 'allowed/q/../p', 'accepted'],
    ['one beside it', 'private/p', 'NotAllowed'],
    ['one that only begins alike', 'allowed-not', 'NotAllowed'],
    ['out of it by dots', 'allowed/../private/p', 'NotAllowed'],
    ['what the control plane itself keeps', 'allowed/data/p', 'NotAllowed'],
    ['a link that leads out', 'allowed/link', 'NotAllowed'],
    ['a link that leads to what is kept', 'allowed/kept', 'NotAllowed'],
    ['nothing', 'allowed/missing', 'NotFound'],
    ['a pipe that nobody writes to', 'allowed/pipe', 'Malformed'],
    ['a file of 200 GB', 'allowed/huge.xpkg', 'TooLarge'],
  ])('%s', async (_reason, path, expected) => {
    await symlink(join(home, 'private/p'), join(home, 'allowed/link'))
    await symlink('data/p', join(home, 'allowed/kept'))
    execFileSync('/usr/bin/mkfifo', [join(home, 'allowed/pipe')])
    await writeFile(join(home, 'allowed/huge.xpkg'), '')
    await truncate(join(home, 'allowed/huge.xpkg'), 200 * 2 ** 30)
    expect(await outcome(`${home}/${path}`)).toBe(expected)
  })

  it.each(['/dev/zero', '/dev/stdin', '/proc/self/environ', '/etc/passwd', 'file:///dev/zero', 'file:///etc/%70asswd', '/', '.', '..'])(
    'of a machine are not read: %s',
    async (path) => expect(await outcome(path)).toBe('NotAllowed'),
  )

  it.each(['/dev/zero', '/dev/urandom', '/dev/tty'])('a device is no package, even for whoever may read it: %s', async (path) => {
    const read = fetchPackage(parseSource(path), { timeoutMs: 20_000 })
    await expect(read).rejects.toMatchObject({ code: expect.stringMatching(/Malformed|NotFound/) as string })
  })

  it('a file that says it is empty is read within bounds', async () => {
    await expect(readPlainFile('/proc/self/status', 64)).rejects.toMatchObject({ code: 'TooLarge' })
    expect((await readPlainFile('/proc/self/status', 1 << 20))?.length).toBeGreaterThan(64)
  })
})

import { chmod, mkdir, mkdtemp, readFile, readlink, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { writeTar } from '../archive/write-tar.ts'
import { buildPackage, writeOciLayout, writeXpkg } from '../build-package.ts'
import { digestOf } from '../digest.ts'
import type { Runtime } from '../image/build-image.ts'
import { openPackage } from '../open-package.ts'
import { DEFAULT_LIMITS } from '../limits.ts'
import { imageStore } from '../source/open-path.ts'
import { folderRuntime } from './folder-runtime.ts'
import { imageRuntime } from './image-runtime.ts'
import { hostPlatform } from './platform.ts'
import { layerTar } from './program.fixture.ts'
import { programStore } from './program-store.ts'

const platform = { os: 'linux', architecture: hostPlatform().architecture }
let home: string
let root: string
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'weft-runtime-'))
  root = join(home, 'root')
  await mkdir(join(home, 'function'))
  await writeFile(
    join(home, 'function/crossplane.yaml'),
    'apiVersion: meta.pkg.crossplane.io/v1\nkind: Function\nmetadata: {name: function-x}\n',
  )
  await mkdir(join(root, 'usr/bin'), { recursive: true })
  await writeFile(join(root, 'usr/bin/run1.0'), '#!/usr/bin/sh\n', { mode: 0o755 })
  await writeFile(join(root, 'usr/bin/sh'), 'a shell', { mode: 0o755 })
  await symlink('run1.0', join(root, 'usr/bin/run'))
})
afterEach(() => rm(home, { recursive: true, force: true }))

/** The package of it from disk, and its program unpacked as where it is installed. */
async function installed(
  runtime: Runtime,
): Promise<{ files: string; program: NonNullable<Awaited<ReturnType<typeof openPackage>>['contents']['program']> }> {
  const path = join(home, 'function.xpkg')
  await writeXpkg(await buildPackage(join(home, 'function'), runtime), path)
  const { program } = (await openPackage(path)).contents
  if (program === undefined) throw new Error('it runs nothing')
  const store = programStore({ directory: join(home, 'programs'), platform })
  return { program, files: await store.keep(program, await imageStore({ kind: 'path', path }, { limits: DEFAULT_LIMITS })) }
}

describe('K133, K197 a package with what it runs', () => {
  it('is made of a folder, which becomes the root of its program', async () => {
    const options = { entrypoint: ['run', '--loud'], env: { PATH: '/usr/bin' }, workingDirectory: '/usr', platform }
    const { files, program } = await installed(await folderRuntime(root, options))
    expect(program).toMatchObject({ command: ['run', '--loud'], env: { PATH: '/usr/bin' }, workingDirectory: '/usr', platform })
    expect(await readFile(join(files, 'usr/bin/run1.0'), 'utf8')).toBe('#!/usr/bin/sh\n')
    expect((await stat(join(files, 'usr/bin/run1.0'))).mode & 0o111).not.toBe(0)
    expect(await readlink(join(files, 'usr/bin/run'))).toBe('run1.0')
  })

  it('is the same whenever and by whomever it is made, and has no setuid bits', async () => {
    const made = async (): Promise<string> =>
      (await buildPackage(join(home, 'function'), await folderRuntime(root, { entrypoint: ['/usr/bin/run'], platform }))).digest
    const first = await made()
    await chmod(join(root, 'usr/bin/run1.0'), 0o4755)
    await writeFile(join(root, 'usr/bin/run1.0'), '#!/usr/bin/sh\n')
    await chmod(join(root, 'usr/bin/run1.0'), 0o4755)
    expect(await made()).toBe(first)
    await installed(await folderRuntime(root, { entrypoint: ['/usr/bin/run'], platform }))
  })

  it.each([
    ['a program that is not there', ['/usr/bin/missing'], /there is no such program/],
    ['a program that may not be run', ['/note'], /there is no such program/],
    ['one outside', ['/usr/bin/out'], /leads out|no such program/],
    ['one whose interpreter was left out', ['/script'], /\/script needs \/opt\/bin\/python3, which is not in the image/],
  ])('is refused with %s', async (_reason, entrypoint, says) => {
    await writeFile(join(root, 'note'), 'x', { mode: 0o644 })
    await writeFile(join(root, 'script'), '#!/opt/bin/python3\n', { mode: 0o755 })
    await symlink('../../../outside', join(root, 'usr/bin/out'))
    await expect(folderRuntime(root, { entrypoint, platform })).rejects.toThrow(says)
  })

  it('is made of an image as `docker save` writes it, and of an OCI layout', async () => {
    const archive = await layerTar([{ name: 'app/run', mode: 0o755, text: 'hello' }])
    const config = Buffer.from(
      JSON.stringify({
        ...platform,
        config: { Cmd: ['/app/run'], Env: ['A=b'] },
        rootfs: { type: 'layers', diff_ids: [digestOf(archive)] },
      }),
    )
    const manifest = Buffer.from(JSON.stringify([{ Config: 'config.json', RepoTags: null, Layers: ['layer.tar'] }]))
    const saved = await writeTar([
      ['config.json', config],
      ['layer.tar', archive],
      ['manifest.json', manifest],
    ])
    await writeFile(join(home, 'saved.tar'), saved)
    const runtime = await imageRuntime(join(home, 'saved.tar'))
    const { files, program } = await installed(runtime)
    expect(program).toMatchObject({ command: ['/app/run'], env: { A: 'b' } })
    expect(await readFile(join(files, 'app/run'), 'utf8')).toBe('hello')
    await writeOciLayout(await buildPackage(join(home, 'function'), runtime), join(home, 'layout'))
    expect((await imageRuntime(join(home, 'layout'))).layers[0]?.diffId).toBe(digestOf(archive))
  })

  it('is no Configuration, which runs nothing', async () => {
    await writeFile(
      join(home, 'function/crossplane.yaml'),
      'apiVersion: meta.pkg.crossplane.io/v1\nkind: Configuration\nmetadata: {name: x}\n',
    )
    await expect(
      buildPackage(join(home, 'function'), await folderRuntime(root, { entrypoint: ['/usr/bin/run'], platform })),
    ).rejects.toThrow('which runs nothing')
  })
})

import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { eventually } from '@weft/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startWeft, type WeftProcess } from '../../weft-process.ts'
import { type FollowedCommand, followWeft, weftWith } from '../weft-command.ts'

const run = promisify(execFile)
const root = dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url)))))

/** With these words the pages on providers begin; they are typed below. */
const BEGINNING = ['weft package init provider my-provider', 'weft package dev my-provider']

describe('a provider of one’s own, with nothing but Weft', () => {
  let folder: string
  let weft: WeftProcess
  let dev: FollowedCommand | undefined
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'weft-dev-'))
    weft = await startWeft({ args: ['--provider', 'nop', '--package-path', folder] })
  })
  afterAll(async () => {
    dev?.child.kill('SIGKILL')
    await weft?.stop()
    await rm(folder, { recursive: true, force: true })
  })

  const typed = async (...words: readonly string[]): Promise<string> => {
    const { code, output } = await weftWith({ cwd: folder, env: { KUBECONFIG: weft.kubeconfig } }, ...words)
    expect(code, `weft ${words.join(' ')}\n${output}`).toBe(0)
    return output
  }
  const change = async (file: string, from: string, to: string): Promise<void> => {
    const path = join(folder, 'my-provider', file)
    const text = await readFile(path, 'utf8')
    expect(text).toContain(from)
    await writeFile(path, text.replace(from, to))
  }

  it.each(['writing-a-provider.md', 'guides/provider-author.md'])('begins as docs/%s says', async (page) => {
    const text = await readFile(join(root, 'docs', page), 'utf8')
    expect(text.match(/^ *weft package (?:init|dev) .*$/gm)?.map((line) => line.trim())).toEqual(BEGINNING)
  })

  it('works as it was made, and is replaced when a file of it changes', async () => {
    const [init = [], follow = []] = BEGINNING.map((line) => line.split(' ').slice(1))
    expect(await typed(...init)).toContain('Next: weft package dev my-provider')
    dev = followWeft({ cwd: folder, env: { KUBECONFIG: weft.kubeconfig } }, ...follow, '--timeout', '2m')
    await eventually(() => expect(dev?.output()).toMatch(/my-provider is healthy\nwatching my-provider/))
    await typed('apply', '-f', 'my-provider/examples/widget.yaml')
    await typed('wait', '--for=condition=Ready', 'widget/example', '--timeout=2m')

    // Of its code: nothing is uninstalled, and the widget is the same.
    await change('src/widget-client.ts', 'atProvider: { color }', "atProvider: { color, by: 'the second' }")
    await eventually(async () =>
      expect(await typed('get', 'widget', 'example', '-o', 'jsonpath={.status.atProvider.by}')).toBe('the second'),
    )

    // What is wrong is told with its place; what ran before goes on.
    const before = dev.output().length
    await change('src/widget-provider.ts', "kind: 'Widget',", "kind 'Widget',")
    await eventually(() => expect(dev?.output().slice(before)).toMatch(/src\/widget-provider\.ts:\d+:\d+: Expected/))
    await typed('patch', 'widget', 'example', '--type', 'merge', '-p', '{"spec":{"forProvider":{"color":"blue"}}}')
    await eventually(async () => expect(await typed('get', 'widget', 'example', '-o', 'jsonpath={.status.atProvider.color}')).toBe('blue'))

    await change('src/widget-provider.ts', "kind 'Widget',", "kind: 'Widget',")
    const mended = dev.output().length
    await eventually(() => expect(dev?.output().slice(mended)).toMatch(/is healthy\nwatching/))
    dev.child.kill('SIGINT')
    await eventually(() => expect(dev?.child.exitCode).toBe(0))
    await typed('delete', 'widget', 'example')
  })

  it('builds into one file, and installs from there', async () => {
    expect(await typed('package', 'build', 'my-provider')).toMatch(
      /Provider my-provider sha256:\w+\n {2}1 ManagedResourceDefinition\n {2}file provider\.mjs\nwrote my-provider\.xpkg/,
    )
    expect(await typed('package', 'install', 'my-provider.xpkg', '--wait')).toContain('is healthy')
  })

  it('passes its own check and test', async () => {
    const project = join(folder, 'my-provider')
    // What `npm install` would bring: the SDK as it is published is tried in the tier of real clients.
    await mkdir(join(project, 'node_modules/@weft'), { recursive: true })
    for (const name of ['provider-sdk', 'testing']) await symlink(join(root, 'packages', name), join(project, 'node_modules/@weft', name))
    await mkdir(join(project, 'node_modules/@types'))
    await symlink(join(root, 'node_modules/@types/node'), join(project, 'node_modules/@types/node'))
    // These are sources, and not what is published: they take one rule more than an author has to.
    await run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '--exactOptionalPropertyTypes'], { cwd: project })
    const test = ['--import', join(root, 'node_modules/tsx/dist/loader.mjs'), '--test', 'src/widget-client.test.ts']
    const { stdout } = await run(process.execPath, test, { cwd: project })
    expect(stdout).toMatch(/# pass 1\n/)
  })
})

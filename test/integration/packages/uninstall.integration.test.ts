import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startWeft, type WeftProcess } from '../../weft-process.ts'
import { type CommandResult, weftWith } from '../weft-command.ts'

let home: string
let plane: WeftProcess
const weft = (...args: readonly string[]): Promise<CommandResult> => weftWith({ cwd: home }, ...args, '--data-dir', plane.dataDir)

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'weft-uninstall-'))
  plane = await startWeft({ args: ['--no-console', '--package-path', home] })
  expect(await weftWith({ cwd: home }, 'package', 'init', 'configuration', 'my-platform')).toMatchObject({ code: 0 })
  expect(await weft('package', 'install', './my-platform', '--wait', '--timeout', '120s')).toMatchObject({ code: 0 })
})
afterAll(async () => {
  await plane.stop()
  await rm(home, { recursive: true, force: true })
})

test('weft package uninstall: refused while anything of its kinds exists, done when as many are confirmed', async () => {
  const definition = 'databases.my-platform.example.org'
  const example = 'my-platform/examples/database.yaml'
  expect(await weft('apply', '-f', example)).toMatchObject({ code: 0 })

  const refused = await weft('package', 'uninstall', 'my-platform')
  expect(refused.code).toBe(1)
  expect(refused.stderr).toMatch(/`?weft package uninstall my-platform --confirm \d+/)
  const count = /--confirm (\d+)/.exec(refused.stderr)?.[1] ?? ''
  expect((await weft('get', 'infrastructuredefinition', definition)).code).toBe(0)

  const done = await weft('package', 'uninstall', 'my-platform', '--confirm', count)
  expect(done.output).toContain('configuration.pkg.crossplane.io/my-platform uninstalled')
  expect((await weft('package', 'list')).output).not.toContain('my-platform')
  expect((await weft('get', 'infrastructuredefinition', definition)).code).toBe(1)

  const gone = await weft('package', 'uninstall', 'my-platform')
  expect(gone).toMatchObject({ code: 1 })
  expect(gone.stderr).toMatch(/no package my-platform is installed; `weft package list` shows/)
})

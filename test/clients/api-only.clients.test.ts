import { execFile } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startWeft, type WeftProcess } from '../weft-process.ts'
import { clientLibraries } from './libraries.mjs'
import { clientTier } from './tier.mjs'

const here = dirname(fileURLToPath(import.meta.url))
const clients = await clientTier()
const program = 'skipped' in clients ? undefined : clients.controllerRuntime
const { python, node } = await clientLibraries()

/** docs/api-only.md says how to develop against it: from Go, Python and TypeScript. */
describe('the API alone', () => {
  let weft: WeftProcess
  beforeAll(async () => {
    weft = await startWeft({ args: ['--api-only'] })
  })
  afterAll(() => weft?.stop())

  const run = (file: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<string> =>
    new Promise((resolve) => {
      const all = { env: { ...process.env, KUBECONFIG: weft.kubeconfig, ...env } }
      execFile(file, [...args], all, (error, stdout, stderr) => resolve(`${stdout}${stderr}${error === null ? '' : `\n${error.message}`}`))
    })

  test.runIf(program !== undefined)('carries a manager of controller-runtime', async () => {
    expect(await run(program ?? '', ['--kubeconfig', weft.kubeconfig])).toMatch(/22 passed, 0 failed/)
  })

  test.runIf('path' in python)("carries a watch and writes of Python's client", async () => {
    const output = await run('python3', [join(here, 'api-only.py')], { PYTHONPATH: 'path' in python ? python.path : '' })
    expect(output.trim()).toBe('ADDED a\nMODIFIED a\nDELETED a')
  })

  test.runIf('path' in node)("carries an informer of TypeScript's client", async () => {
    const output = await run(process.execPath, [join(here, 'api-only.mjs')], { CLIENT: 'path' in node ? node.path : '' })
    expect(output.trim()).toBe('add a\nupdate a\ndelete a')
  })
})

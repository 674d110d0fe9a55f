import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startWeft } from '../weft-process.ts'
import { weftWith } from './weft-command.ts'

const WEFT = fileURLToPath(new URL('../../packages/cli/bin/weft.mjs', import.meta.url))

describe('weft docs', () => {
  let folder: string
  let env: NodeJS.ProcessEnv
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'weft-docs-'))
    env = { ...process.env, HOME: folder, KUBECONFIG: '' }
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  it('serves the manual until it is stopped, before there is any server', async () => {
    const child = spawn(process.execPath, [WEFT, 'docs', 'install', '--print'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'ignore'] })
    const address = await new Promise<string>((resolve, reject) => {
      let printed = ''
      child.stdout.on('data', (data: Buffer) => {
        printed += data.toString()
        if (printed.includes('\n')) resolve(printed.trim())
      })
      child.once('exit', (code) => reject(new Error(`weft docs ended with ${String(code)}: ${printed}`)))
    })
    expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/docs\/install\.html$/)
    const page = await fetch(address)
    expect(page.status).toBe(200)
    expect(await page.text()).toContain('<h1 id="installing-weft">Installing Weft</h1>')
    const exited = once(child, 'exit')
    child.kill('SIGTERM')
    expect(await exited).toEqual([0, null])
  })

  it('leads to the console that is running', async () => {
    const control = await startWeft({ console: true, args: ['--provider', 'nop'] })
    try {
      await expect.poll(() => control.output()).toContain('Console:')
      const { code, stdout } = await weftWith({ cwd: folder, env: { ...env, KUBECONFIG: control.kubeconfig } }, 'docs', '--print')
      expect(code).toBe(0)
      const console = /^Console: +(\S+)$/m.exec(control.output())?.[1]
      expect(stdout).toBe(`${console}/docs/\n`)
      expect((await fetch(stdout.trim())).status).toBe(200)
    } finally {
      await control.stop()
    }
  })

  it.each(['nothing/like/that', '../../package'])('says that there is no page %s', async (page) => {
    const { code, stderr } = await weftWith({ cwd: folder, env }, 'docs', page, '--print')
    expect(code).toBe(1)
    expect(stderr).toContain(`the manual has no page "${page}"`)
  })
})

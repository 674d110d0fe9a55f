import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Client, createClient, httpTransport, loadKubeconfig } from '@weft/client'
import { eventually } from '@weft/testing'
import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { startWeft, type WeftProcess } from '../weft-process.ts'
import { launchChromium, openWindow } from './chromium.ts'

const WEFT = fileURLToPath(new URL('../../packages/cli/bin/weft.mjs', import.meta.url))
const CLAIM = '/objects/database.crossplane.io/postgresqlinstances/default/survivor'
const SLOW = { timeout: 90_000 }

let browser: Browser
let dataDir = ''
const running = new Set<() => Promise<unknown>>()
beforeAll(async () => {
  browser = await launchChromium()
  dataDir = await mkdtemp(join(tmpdir(), 'weft-reconnect-'))
})
afterEach(async () => {
  for (const stop of running) await stop()
  running.clear()
})
afterAll(async () => {
  await browser?.close()
  await rm(dataDir, { recursive: true, force: true })
})

async function up(folder: string, port: number, consolePort?: number): Promise<WeftProcess> {
  const args = consolePort === undefined ? [] : ['--console-port', String(consolePort)]
  const weft = await startWeft({ dataDir: join(dataDir, folder), port, args, console: consolePort !== undefined })
  running.add(() => (weft.child.exitCode === null ? weft.stop() : Promise.resolve()))
  return weft
}

async function clientOf({ kubeconfig }: WeftProcess): Promise<Client> {
  const transport = httpTransport(await loadKubeconfig({ paths: [kubeconfig] }))
  running.add(() => transport.close())
  return createClient({ transport })
}

const claim = (paused: boolean) => ({
  apiVersion: 'database.crossplane.io/v1alpha1',
  kind: 'PostgreSQLInstance',
  metadata: { namespace: 'default', name: 'survivor', annotations: { 'crossplane.io/paused': String(paused) } },
  spec: {},
})

const linkIn = (output: () => string): Promise<URL> =>
  eventually(() => new URL(/(http:\S+#code=\S+)/.exec(output())?.[1] ?? ''), { timeoutMs: 60_000, intervalMs: 100 })

it('says that the connection was lost, and asks to sign in when the control plane has begun anew', async () => {
  const first = await up('one', 0, 0)
  await (await clientOf(first)).apply(claim(true))
  const link = await linkIn(() => first.output())
  const { page, context } = await openWindow(browser, link.origin)
  await page.goto(link.href)
  await page.getByRole('navigation', { name: 'Main' }).waitFor()
  await page.goto(CLAIM)
  await page
    .locator('.headline')
    .getByText(/Paused$/)
    .waitFor()
  // Parts of the page may be loading still: they say so, and the rest stays.
  await first.stop()
  await page.getByText(/The connection was lost/).waitFor(SLOW)
  // What was seen stays readable.
  await page
    .locator('.headline')
    .getByText(/Paused$/)
    .waitFor()
  await up('one', Number(new URL(first.address).port), Number(link.port))
  await page.getByLabel('Token').waitFor(SLOW)
  await context.close()
})

it('goes on by itself when the API server behind it was restarted', async () => {
  const first = await up('two', 0)
  await (await clientOf(first)).apply(claim(true))
  const child = spawn(process.execPath, [WEFT, 'console', '--kubeconfig', first.kubeconfig, '--port', '0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.on('data', (data: Buffer) => void (output += data.toString()))
  running.add(async () => {
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    await ended
  })
  const link = await linkIn(() => output)
  const { page, context, problems } = await openWindow(browser, link.origin)
  await page.goto(link.href)
  await page.getByRole('navigation', { name: 'Main' }).waitFor()
  await page.goto(CLAIM)
  await page
    .locator('.headline')
    .getByText(/Paused$/)
    .waitFor()
  await first.stop()
  const second = await up('two', Number(new URL(first.address).port))
  await (await clientOf(second)).apply(claim(false), { force: true })
  await page
    .locator('.headline')
    .getByText(/(Waiting|Failing)$/)
    .waitFor(SLOW)
  expect(problems).toEqual([])
  await context.close()
})

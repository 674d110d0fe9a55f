import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { browserTier } from './tier.mjs'

/** Chromium without a screen and without talking to anybody but the console. */
export async function launchChromium(): Promise<Browser> {
  const tier = browserTier()
  if ('skipped' in tier) throw new Error(tier.skipped)
  return chromium.launch({
    executablePath: tier.path,
    args: [
      // The tests run as root in containers, where Chromium's own sandbox cannot start.
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--disable-dev-shm-usage',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
}

/** A window of the console, and what went wrong in it. */
export interface Window {
  readonly context: BrowserContext
  readonly page: Page
  /** Errors of scripts, violations of the security policy, requests to other hosts. Empty in a test that passes. */
  readonly problems: readonly string[]
}

/** A fresh profile: no cookies, no storage. */
export async function openWindow(browser: Browser, baseURL: string, options: BrowserContextOptions = {}): Promise<Window> {
  const context = await browser.newContext({ baseURL, reducedMotion: 'reduce', viewport: { width: 1280, height: 800 }, ...options })
  // Generous: a busy machine must not fail a test that is merely slow.
  context.setDefaultTimeout(45_000)
  const page = await context.newPage()
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(`script: ${error.message}`))
  page.on('console', (message) => {
    // A refused request is the server's answer, not a fault of the page; the page says it in words.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) problems.push(`console: ${message.text()}`)
  })
  page.on('request', (request) => {
    const url = new URL(request.url())
    if (url.protocol.startsWith('http') && url.origin !== new URL(baseURL).origin) problems.push(`request to ${url.origin}`)
    if (/token|code=/i.test(url.pathname + url.search)) problems.push(`a secret in the address ${url.pathname}`)
  })
  return { context, page, problems }
}

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface AxeResult {
  readonly violations: readonly {
    readonly id: string
    readonly impact: string | null
    readonly help: string
    readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[]
  }[]
}

/** What axe finds that keeps people from using the page, in a line each. */
export async function seriousAxeFindings(page: Page): Promise<readonly string[]> {
  await page.evaluate(axeSource)
  const { violations } = await page.evaluate<AxeResult>(() => (globalThis as unknown as { axe: { run(): Promise<AxeResult> } }).axe.run())
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, help, nodes }) =>
      nodes.map(({ html, failureSummary = '' }) => `${id}: ${help}: ${html.slice(0, 200)} ${failureSummary.split('\n')[1] ?? ''}`),
    )
}

import { fileURLToPath } from 'node:url'
import { startManual, type ManualServer } from '@weft/console'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchChromium, openWindow, seriousAxeFindings, type Window } from './chromium.ts'

let manual: ManualServer
let browser: Browser
let window: Window
beforeAll(async () => {
  // As it is built; the console serves it with the same code (console-server and manual.integration.test.ts).
  manual = await startManual(fileURLToPath(new URL('../../packages/cli/dist/manual', import.meta.url)))
  browser = await launchChromium()
  window = await openWindow(browser, manual.address)
})
afterAll(async () => {
  await browser?.close()
  await manual?.close()
})

describe.each([
  { colours: 'light', viewport: { width: 1280, height: 800 } },
  { colours: 'dark', viewport: { width: 390, height: 844 } },
] as const)('the manual in $colours colours, $viewport.width pixels wide', ({ colours, viewport }) => {
  it.each(['/docs/', '/docs/install.html', '/docs/security.html', '/docs/performance.html', '/docs/no/such/page'])(
    'axe finds nothing serious on %s, and nothing is cut off',
    async (path) => {
      const { page } = window
      await page.emulateMedia({ colorScheme: colours, reducedMotion: 'reduce' })
      await page.setViewportSize(viewport)
      await page.goto(path)
      await page.getByRole('button', { name: /^Colours/ }).waitFor()
      expect(await seriousAxeFindings(page)).toEqual([])
      expect(await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')).toBeLessThanOrEqual(0)
    },
  )
})

it('is found by searching, with the keyboard alone, and opens at the heading', async () => {
  const { page } = window
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.goto('/docs/guides/terraform.html')
  await page.getByRole('button', { name: /^Search/ }).waitFor()
  await page.keyboard.press('/')
  await page.keyboard.type('belongs to another project')
  await page.getByRole('option', { name: 'Installing Weft › npm' }).waitFor()
  expect(await seriousAxeFindings(page)).toEqual([])
  await page.keyboard.press('Enter')
  await page.waitForURL('**/docs/install.html#npm')
  await page.getByRole('heading', { level: 2, name: 'npm' }).waitFor()
  await page.keyboard.press('/')
  await page.keyboard.type('zzzzz')
  await page.getByText('No pages match.').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
})

it('opens by a deep link, and leads on through its contents', async () => {
  const { page } = window
  await page.goto('/docs/guides/platform-engineer')
  const contents = page.getByRole('navigation', { name: 'Contents' })
  expect(await contents.getByRole('link', { name: 'For platform engineers' }).getAttribute('aria-current')).toBe('page')
  await contents.getByRole('link', { name: 'Concepts' }).click()
  await page.getByRole('heading', { level: 1, name: 'Concepts' }).waitFor()
})

it('says that it has no such page, and where to look instead', async () => {
  const { page } = window
  const answer = await page.goto('/docs/no/such/page')
  expect(answer?.status()).toBe(404)
  await page.getByRole('heading', { level: 1, name: 'No such page' }).waitFor()
  await page.getByRole('navigation', { name: 'Contents' }).getByRole('link', { name: 'Installing' }).click()
  await page.getByRole('heading', { level: 1, name: 'Installing Weft' }).waitFor()
})

it('keeps the colours that were chosen', async () => {
  const { page } = window
  const theme = (): Promise<unknown> => page.evaluate('document.documentElement.dataset.theme')
  await page.getByRole('button', { name: 'Colours: system' }).click()
  expect(await theme()).toBe('light')
  await page.getByRole('button', { name: 'Colours: light' }).click()
  await page.goto('/docs/concepts.html')
  await page.getByRole('button', { name: 'Colours: dark' }).waitFor()
  expect(await theme()).toBe('dark')
})

it('met no error, no violation of the policy and no other host on the way', () => {
  expect(window.problems).toEqual([])
})

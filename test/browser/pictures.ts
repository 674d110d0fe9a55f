import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'

const FOLDER = join(dirname(fileURLToPath(import.meta.url)), '..', '..', 'docs', 'screenshots')

/** A picture for the documentation. No two are the same, so they are made only when somebody wants new ones: WEFT_SCREENSHOTS=1. */
export async function picture(page: Page, name: string): Promise<void> {
  if (process.env['WEFT_SCREENSHOTS'] !== '1') return
  await mkdir(FOLDER, { recursive: true })
  await page.screenshot({ path: join(FOLDER, `${name}.png`) })
}

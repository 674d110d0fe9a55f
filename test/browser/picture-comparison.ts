import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'

const FOLDER = join(dirname(fileURLToPath(import.meta.url)), 'pictures')
/** Of each side: what matters is where things are and which colour they have, not each pixel. */
const SCALE = 4
/** How far a colour may be from what it was, of 255. */
const SAME_COLOUR = 24

/**
 * What makes two machines draw the same: no text is seen, and all of it is as wide (letters of every monospaced font are 0.6 of its size), nothing moves, and what depends
 * on the moment takes the same place whatever it says. See docs/adr.
 */
const STILL = `
*, *::before, *::after {
  font-family: monospace !important;
  color: transparent !important;
  caret-color: transparent !important;
  transition: none !important;
  animation: none !important;
  text-decoration-color: transparent !important;
}
::placeholder { color: transparent !important; }
time, .event-about, .cause, .why { display: inline-block !important; width: 80px !important; height: 1.4em !important; overflow: hidden !important; }
.events, .stacked-plot, .plot { height: 180px !important; overflow: hidden !important; }
.plot-layer, .plot svg, .react-flow__edges, .react-flow__minimap, .legend, .events > * { visibility: hidden !important; }
.log, .cm-editor { height: 200px !important; }
`

/** Compares pages with the pictures that are committed; WEFT_PICTURES=1 takes new ones. */
export interface PictureComparison {
  /** The share of the page that differs from its picture, from 0 to 1. A picture that is not there is a failure. */
  difference(page: Page, name: string): Promise<number>
  /** Where pictures of pages that differed are. */
  readonly kept: string
  close(): Promise<void>
}

export async function pictureComparison(browser: Browser): Promise<PictureComparison> {
  // Pictures are read, made smaller and compared where that is easiest: in a browser.
  const context = await browser.newContext()
  const canvas = await context.newPage()
  const kept = await mkdtemp(join(tmpdir(), 'weft-pictures-'))
  return {
    kept,
    async difference(page, name) {
      const style = await page.addStyleTag({ content: STILL })
      await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
      const seen = await smaller(canvas, await page.screenshot({ animations: 'disabled' }))
      await style.evaluate('(element) => element.remove()')
      const path = join(FOLDER, `${name}.png`)
      if (process.env['WEFT_PICTURES'] === '1') {
        await mkdir(FOLDER, { recursive: true })
        await writeFile(path, Buffer.from(seen, 'base64'))
        return 0
      }
      await writeFile(join(kept, `${name}.png`), Buffer.from(seen, 'base64'))
      if (!existsSync(path))
        throw new Error(`there is no picture ${path}: look at ${join(kept, `${name}.png`)}, and take it with WEFT_PICTURES=1`)
      return differing(canvas, (await readFile(path)).toString('base64'), seen)
    },
    close: () => context.close(),
  }
}

const LOAD = `const load = async (data) => {
  const image = new Image()
  image.src = 'data:image/png;base64,' + data
  await image.decode()
  return image
}
const draw = (image, scale) => {
  const canvas = document.createElement('canvas')
  canvas.width = Math.round(image.width / scale)
  canvas.height = Math.round(image.height / scale)
  const context = canvas.getContext('2d')
  context.imageSmoothingQuality = 'high'
  context.drawImage(image, 0, 0, canvas.width, canvas.height)
  return { canvas, context }
}`

const smaller = async (page: Page, png: Buffer): Promise<string> =>
  String(
    await page.evaluate(`(async () => {
      ${LOAD}
      return draw(await load('${png.toString('base64')}'), ${SCALE}).canvas.toDataURL('image/png').split(',')[1]
    })()`),
  )

const differing = async (page: Page, before: string, after: string): Promise<number> =>
  Number(
    await page.evaluate(`(async () => {
      ${LOAD}
      const [a, b] = [await load('${before}'), await load('${after}')]
      if (a.width !== b.width || a.height !== b.height) return 1
      const pixels = [a, b].map((image) => draw(image, 1).context.getImageData(0, 0, image.width, image.height).data)
      let different = 0
      for (let i = 0; i < pixels[0].length; i += 4)
        if ([0, 1, 2].some((channel) => Math.abs(pixels[0][i + channel] - pixels[1][i + channel]) > ${SAME_COLOUR})) different++
      return different / (a.width * a.height)
    })()`),
  )

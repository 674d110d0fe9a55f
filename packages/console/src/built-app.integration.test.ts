import { gzipSync } from 'node:zlib'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CSP_NONCE_PLACEHOLDER } from './contract.ts'

interface Chunk {
  readonly file: string
  readonly isEntry?: boolean
  readonly imports?: readonly string[]
  readonly css?: readonly string[]
}

const FIRST_LOAD_LIMIT = 250_000

/** The app as the server serves it. */
describe('the built app', () => {
  let folder: string
  let html: string
  let manifest: Readonly<Record<string, Chunk>>

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'weft-console-'))
    await build({ configFile: fileURLToPath(new URL('../vite.config.ts', import.meta.url)), logLevel: 'error', build: { outDir: folder } })
    html = await readFile(join(folder, 'index.html'), 'utf8')
    manifest = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')) as typeof manifest
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  /** The entry and all that it imports before it can run. */
  const firstLoad = (): readonly string[] => {
    const files = new Set<string>(['index.html'])
    const take = (key: string): void => {
      const chunk = manifest[key]
      if (chunk === undefined || files.has(chunk.file)) return
      for (const file of [chunk.file, ...(chunk.css ?? [])]) files.add(file)
      for (const imported of chunk.imports ?? []) take(imported)
    }
    for (const [key, chunk] of Object.entries(manifest)) if (chunk.isEntry === true) take(key)
    return [...files]
  }

  it('loads at most 250 kB, compressed, before it shows something', async () => {
    const files = firstLoad()
    expect(files.length).toBeGreaterThan(2)
    const sizes = await Promise.all(files.map(async (file) => gzipSync(await readFile(join(folder, file))).length))
    expect(sizes.reduce((a, b) => a + b)).toBeLessThanOrEqual(FIRST_LOAD_LIMIT)
  })

  it('loads the graph and the editor only when they are needed', async () => {
    const scripts = firstLoad().filter((file) => file.endsWith('.js'))
    const texts = await Promise.all(scripts.map((file) => readFile(join(folder, file), 'utf8')))
    for (const part of ['react-flow__viewport', 'cm-scroller']) expect(texts.some((text) => text.includes(part))).toBe(false)
  })

  it('keeps to its security policy: no inline script, no inline style, nothing from elsewhere, a nonce for styles', () => {
    expect(html).toContain(`nonce="${CSP_NONCE_PLACEHOLDER}"`)
    for (const [tag] of html.matchAll(/<script[^>]*>[^<]/g)) expect(tag).toBe('')
    expect(html).not.toMatch(/style=|<style|https?:|data:/)
  })

  it('gives everything but index.html a name that changes with it', async () => {
    const assets = await readdir(join(folder, 'assets'))
    expect(assets.length).toBeGreaterThan(5)
    for (const name of assets) expect(name).toMatch(/-[\w-]{8}\.\w+$/)
  })
})

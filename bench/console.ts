// `npm run bench -- console`: a graph of a thousand nodes in a real browser: how soon it is there, and whether it stays smooth while it changes.
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { createClient, httpTransport, loadKubeconfig } from '@weft/client'
import type { Page } from 'playwright-core'
import { launchChromium, openWindow } from '../test/browser/chromium.ts'
import { startWeft } from '../test/weft-process.ts'
import { GRAPH_PAGE, makeGraph, MEMBER, pause } from './console/graph-world.ts'
import { type Figure, Figures } from './plane/figures.ts'

const { values: options } = parseArgs({ options: { quick: { type: 'boolean', default: false } } })

/** Each brings its external resource: with the composite that is a node more than a thousand. */
const MEMBERS = options.quick ? 100 : 500
const CHANGES_PER_SECOND = 100
const WATCHED_MS = options.quick ? 5_000 : 15_000
const LOADED_MS = 120_000

const figures = new Figures('console')
const weft = await startWeft({ console: true, args: ['--provider', 'nop'] })
const { namespace: _, ...connection } = await loadKubeconfig({ paths: [weft.kubeconfig] })
const transport = httpTransport(connection)
const client = createClient({ transport, fieldManager: 'bench' })
const browser = await launchChromium()
try {
  const names = await makeGraph(client, MEMBERS)
  const link = /(http:\S+#code=\S+)/.exec(weft.output())?.[1]
  if (link === undefined) throw new Error(`weft up printed no link:\n${weft.output()}`)
  const { page, problems } = await openWindow(browser, new URL(link).origin)
  await page.goto(link)
  await page.getByRole('navigation', { name: 'Main' }).waitFor()
  // Twice: the second time the browser has the files.
  for (const label of ['first visit', 'again']) {
    const shown = await openGraph(page)
    figures.add({
      label: `${shown.nodes} nodes, folded, ${label}`,
      values: { 'first paint ms': shown.paint, 'graph ms': shown.graph },
      goal: { text: 'first paint within 1 s, graph within 4 s', met: shown.paint <= 1000 && shown.graph <= 4000 },
    })
  }
  for (const path of ['/', '/catalogue', '/packages', GRAPH_PAGE]) figures.add(await visit(page, path))
  await openGraph(page)
  figures.add(await frames(page, 'folded, at rest'))
  figures.add(await whileChanging(names, () => frames(page, `folded, ${CHANGES_PER_SECOND} objects change a second`, 100)))
  const unfolding = performance.now()
  await page.getByLabel('Fold alike').uncheck()
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
  figures.add({ label: 'unfolded', values: { ms: performance.now() - unfolding } })
  figures.add(await frames(page, 'every node, at rest'))
  figures.add(await whileChanging(names, () => frames(page, `every node, ${CHANGES_PER_SECOND} objects change a second`, 100)))
  if (problems.length > 0) throw new Error(problems.join('\n'))
} finally {
  await browser.close()
  await transport.close()
  await weft.stop()
}
process.exitCode = figures.end() ? 0 : 1

interface Shown {
  readonly paint: number
  readonly graph: number
  readonly nodes: number
}

/** Milliseconds since the navigation began, by the browser's own clock. */
async function openGraph(page: Page): Promise<Shown> {
  await page.goto(GRAPH_PAGE)
  await page.locator('.react-flow__node').first().waitFor({ timeout: LOADED_MS })
  const graph = Number(await page.evaluate('performance.now()'))
  const paint = Number(await page.evaluate(`performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN`))
  // All members are known when the count says so.
  const nodes = 2 * MEMBERS + 1
  await page.getByText(new RegExp(`\\b(${nodes}|${nodes.toLocaleString('en')}) nodes`)).waitFor({ timeout: LOADED_MS })
  return { paint, graph, nodes }
}

/** How many requests a page takes that is opened by its address, files included, and when something is there to read. */
async function visit(page: Page, path: string): Promise<Figure> {
  let requests = 0
  const count = (): void => void requests++
  page.on('request', count)
  await page.goto(path)
  await page.getByRole('heading', { level: 1 }).waitFor({ timeout: LOADED_MS })
  // Asked from outside: a function that waits in the page is evaluated there, which its policy forbids.
  for (const end = performance.now() + LOADED_MS; (await page.getByText(/^Loading/).count()) > 0; await sleep(20))
    if (performance.now() > end) throw new Error(`${path} is still loading`)
  page.off('request', count)
  const paint = Number(await page.evaluate(`performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN`))
  return {
    label: `${path === GRAPH_PAGE ? 'the graph' : path}, by its address`,
    values: { requests, 'first paint ms': paint },
    goal: { text: 'at most 15 requests, first paint within 1 s', met: requests <= 15 && paint <= 1000 },
  }
}

/** Runs in the page. */
function frameTimes(forMs: number): string {
  return `new Promise((done) => {
  const times = []
  const begun = performance.now()
  let last = begun
  const next = (now) => {
    times.push(now - last)
    last = now
    if (now - begun < ${forMs}) requestAnimationFrame(next)
    else done(times.slice(1))
  }
  requestAnimationFrame(next)
})`
}

/** How long frames take. A goal is for the 95th percentile. */
async function frames(page: Page, label: string, goalMs?: number): Promise<Figure> {
  const times = ((await page.evaluate(frameTimes(WATCHED_MS))) as number[]).sort((a, b) => a - b)
  const at = (part: number): number => times[Math.min(times.length - 1, Math.floor(times.length * part))] ?? Number.NaN
  const values = { 'frames per s': (times.length / WATCHED_MS) * 1000, 'p50 ms': at(0.5), 'p95 ms': at(0.95), 'max ms': at(1) }
  return {
    label,
    values,
    ...(goalMs !== undefined && { goal: { text: `95% of frames within ${goalMs} ms`, met: values['p95 ms'] <= goalMs } }),
  }
}

/** Changes members, evenly over time, for as long as `measure` takes. */
async function whileChanging(names: readonly string[], measure: () => Promise<Figure>): Promise<Figure> {
  const state = { done: false, changes: 0 }
  const changing = (async (): Promise<void> => {
    const begun = performance.now()
    const open = new Set<Promise<unknown>>()
    for (let i = 0; !state.done; i++) {
      const due = begun + (i * 1000) / CHANGES_PER_SECOND - performance.now()
      if (due > 0) await sleep(due)
      const change = pause(client, MEMBER, names[i % names.length] ?? '', Math.floor(i / names.length) % 2 === 0)
      open.add(change)
      void change.finally(() => (open.delete(change), state.changes++)).catch(() => undefined)
    }
    await Promise.all(open)
  })()
  const begun = performance.now()
  const measured = await measure().finally(() => (state.done = true))
  const values = { ...measured.values, 'changes per s': (state.changes / (performance.now() - begun)) * 1000 }
  await changing
  return { ...measured, values }
}

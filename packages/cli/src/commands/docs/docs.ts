import { existsSync } from 'node:fs'
import { get as getPlain } from 'node:http'
import { get as getSecurely } from 'node:https'
import { join } from 'node:path'
import { loadKubeconfig } from '@weft/client'
import { startManual } from '@weft/console'
import { findKubeconfig } from '../../cluster/index.ts'
import { manualDirectory } from '../../console/built-folders.ts'
import { readConsoleFile } from '../../console/console-file.ts'
import { CommandFailure } from '../../report.ts'
import { untilSignal } from '../../until-signal.ts'
import { openBrowser } from '../open/open-browser.ts'

export interface DocsOptions {
  readonly dataDir?: string
  readonly port?: number
  readonly print?: boolean
}

const PATIENCE_MS = 2000

export async function docs(page: string | undefined, { dataDir, port, print = false }: DocsOptions): Promise<number> {
  const path = pathOf(page)
  const served = port === undefined ? await servedByConsole(dataDir) : undefined
  if (served !== undefined) {
    await show(served + path, print)
    return 0
  }
  const manual = await startManual(manualDirectory(), port)
  await show(manual.address + path, print)
  process.stderr.write('The manual is served until you press Ctrl-C.\n')
  await untilSignal()
  await manual.close()
  return 0
}

/** Below the manual's address. Refuses what it does not have, before a browser shows it. */
function pathOf(page: string | undefined): string {
  const manual = manualDirectory()
  if (!existsSync(join(manual, 'index.html')))
    throw new CommandFailure('this Weft was built without its manual: `npm run build` in a clone makes it')
  if (page === undefined) return ''
  const path = `${page.replace(/^\/?(docs\/)?/, '').replace(/\.(md|html)$/, '')}.html`
  if (path.includes('..') || !existsSync(join(manual, path)))
    throw new CommandFailure(`the manual has no page ${JSON.stringify(page)}: \`weft docs\` opens its contents`)
  return path
}

async function show(address: string, print: boolean): Promise<void> {
  const opened = !print && (await openBrowser(address))
  process.stdout.write(opened ? `opened ${address} in the browser\n` : `${address}\n`)
}

/** Where the console of a `weft up` on this machine serves it; undefined where none does. */
async function servedByConsole(named: string | undefined): Promise<string | undefined> {
  const location = locationOf(named)
  const running = location?.dataDir === undefined ? undefined : await readConsoleFile(location.dataDir)
  if (location === undefined || running === undefined) return undefined
  const { ca } = await loadKubeconfig({ paths: location.paths }).catch(() => ({ ca: undefined }))
  const address = `${running.address}/docs/`
  return (await answers(address, ca)) ? address : undefined
}

/** The manual can be read before there is any server, unless one was named. */
function locationOf(dataDir: string | undefined): ReturnType<typeof findKubeconfig> | undefined {
  if (dataDir !== undefined) return findKubeconfig({ dataDir })
  try {
    return findKubeconfig({})
  } catch {
    return undefined
  }
}

/** A console that was killed leaves its address behind. */
function answers(address: string, ca: string | undefined): Promise<boolean> {
  const url = new URL(address)
  const options = { timeout: PATIENCE_MS }
  return new Promise((resolve) => {
    const asked = url.protocol === 'https:' ? getSecurely(url, { ...options, ca }) : getPlain(url, options)
    asked.on('response', (answer) => {
      answer.resume()
      resolve(answer.statusCode === 200)
    })
    asked.on('error', () => resolve(false))
    asked.on('timeout', () => asked.destroy())
  })
}

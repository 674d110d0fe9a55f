import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Where the console of a data directory is, and what gets a link from it. */
export interface RunningConsole {
  readonly address: string
  readonly key: string
}

const pathIn = (dataDir: string): string => join(dataDir, 'console.json')

/** For `weft open` and `weft status`. Whoever may read it may read the administrator's kubeconfig beside it, and nobody else can. */
export async function writeConsoleFile(dataDir: string, { address, key }: RunningConsole): Promise<void> {
  // A file that is there keeps its mode.
  await removeConsoleFile(dataDir)
  await writeFile(pathIn(dataDir), `${JSON.stringify({ address, key })}\n`, { mode: 0o600, flag: 'wx' })
}

/** undefined: no console was started there, or it has ended. A process that was killed leaves its file. */
export async function readConsoleFile(dataDir: string): Promise<RunningConsole | undefined> {
  try {
    const { address, key } = JSON.parse(await readFile(pathIn(dataDir), 'utf8')) as Partial<RunningConsole>
    return typeof address === 'string' && typeof key === 'string' ? { address, key } : undefined
  } catch {
    return undefined
  }
}

export const removeConsoleFile = (dataDir: string): Promise<void> => rm(pathIn(dataDir), { force: true })

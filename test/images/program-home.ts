import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Where the programs of a control plane live: elsewhere when they may not enter its data directory. */
export async function programHome(dataDir: string): Promise<string> {
  const note = await readFile(join(dataDir, 'providers/README'), 'utf8').catch(() => '')
  return /is in ([^:]+):/.exec(note)?.[1] ?? dataDir
}

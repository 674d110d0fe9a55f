import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isSameProcess, type ProcessIdentity, processIdentity } from './process-identity.ts'

/** In the folder that a program runs in, for whoever comes after us: who started which. */
interface Note {
  readonly owner: ProcessIdentity
  readonly program: ProcessIdentity
}

const NAME = 'process.json'

export async function noteProcess(folder: string, pid: number): Promise<void> {
  const note: Note = { owner: await processIdentity(process.pid), program: await processIdentity(pid) }
  const path = join(folder, NAME)
  await writeFile(`${path}.part`, JSON.stringify(note), { mode: 0o600 })
  await rename(`${path}.part`, path)
}

/**
 * Ends what a control plane that is gone left running in a folder: its keeper may have been ended by somebody. Answers whether the folder is free:
 * not so while the one that started it lives.
 */
export async function endAbandoned(folder: string): Promise<boolean> {
  const note = await readFile(join(folder, NAME), 'utf8')
    .then((text) => JSON.parse(text) as Note)
    .catch(() => undefined)
  if (note === undefined) return true
  if (note.owner.pid !== process.pid && (await isSameProcess(note.owner))) return false
  if (await isSameProcess(note.program)) {
    for (const pid of [-note.program.pid, note.program.pid])
      try {
        process.kill(pid, 'SIGKILL')
      } catch {
        // It is no group, or has just ended.
      }
  }
  return true
}

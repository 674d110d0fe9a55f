import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isSameProcess, type ProcessIdentity, processIdentity } from './process-identity.ts'

/** Beside what a program runs in, for whoever comes after us: who started which. */
export interface RunNote {
  readonly owner: ProcessIdentity
  readonly program: ProcessIdentity
}

const NAME = 'process.json'

/** Notes that we started a program. Whole or not at all: nobody reads half of it. */
export async function writeRunNote(path: string, pid: number): Promise<void> {
  const note: RunNote = { owner: await processIdentity(process.pid), program: await processIdentity(pid) }
  await writeFile(`${path}.part`, JSON.stringify(note), { mode: 0o600 })
  await rename(`${path}.part`, path)
}

/** Undefined: there is none, or it is no such note. Where others may write, ask first whose it is: what it names is ended. */
export async function readRunNote(path: string): Promise<RunNote | undefined> {
  const found: unknown = await readFile(path, 'utf8')
    .then((text): unknown => JSON.parse(text))
    .catch(() => undefined)
  if (!isRecord(found)) return undefined
  const { owner, program } = found
  return isIdentity(owner) && isIdentity(program) ? { owner, program } : undefined
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null

const isIdentity = (value: unknown): value is ProcessIdentity =>
  isRecord(value) && Number.isInteger(value['pid']) && Number(value['pid']) > 0 && typeof value['startedAt'] === 'string'

export const noteProcess = (folder: string, pid: number): Promise<void> => writeRunNote(join(folder, NAME), pid)

/**
 * Ends what a control plane that is gone left running in a folder: its keeper may have been ended by somebody. Answers whether the folder is free:
 * not so while the one that started it lives.
 */
export async function endAbandoned(folder: string): Promise<boolean> {
  const note = await readRunNote(join(folder, NAME))
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

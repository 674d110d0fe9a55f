import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { readRecord, type ResourceRecord, recordParts } from './resource-record.ts'

/** What a change came to, as long as the API server does not have it. */
export interface JournalEntry {
  /** The operation that the stored record still takes to be under way: with another one there, the entry is out of date. */
  readonly operation: string
  readonly record: ResourceRecord
}

/**
 * Keeps what providers answered until the API server has it: an answer is the only handle of what was made, and is known nowhere else. One
 * entry for each resource, found by its uid.
 */
export interface Journal {
  read(uid: string): Promise<JournalEntry | undefined>
  /** Resolves when it would survive the loss of power. */
  write(uid: string, entry: JournalEntry): Promise<void>
  remove(uid: string): Promise<void>
}

/** Nothing outlives the process: where there is no disk. */
export function memoryJournal(): Journal {
  const entries = new Map<string, JournalEntry>()
  return {
    read: (uid) => Promise.resolve(entries.get(uid)),
    write: (uid, entry) => Promise.resolve(void entries.set(uid, entry)),
    remove: (uid) => Promise.resolve(void entries.delete(uid)),
  }
}

/** A file for each entry; states hold secrets, so only its owner can read it. Asking for what is not there costs no system call. */
export function fileJournal(directory: string): Journal {
  const pathOf = (uid: string): string => join(directory, `${encodeURIComponent(uid)}.json`)
  let listed: Promise<Set<string>> | undefined
  const known = (): Promise<Set<string>> =>
    (listed ??= list(directory).catch((error: unknown) => {
      listed = undefined
      throw error
    }))
  return {
    async read(uid) {
      if (!(await known()).has(uid)) return undefined
      const { operation, data } = JSON.parse(await readFile(pathOf(uid), 'utf8')) as { operation: string; data: Record<string, string> }
      return { operation, record: readRecord(data) }
    },
    async write(uid, { operation, record }) {
      const names = await known()
      const text = JSON.stringify({ operation, data: recordParts(record) })
      await mkdir(directory, { recursive: true, mode: 0o700 })
      const half = `${pathOf(uid)}.half`
      const file = await open(half, 'w', 0o600)
      try {
        await file.writeFile(text)
        await file.sync()
      } finally {
        await file.close()
      }
      await rename(half, pathOf(uid))
      await syncDirectory(directory)
      names.add(uid)
    },
    async remove(uid) {
      const names = await known()
      if (!names.has(uid)) return
      await rm(pathOf(uid), { force: true })
      names.delete(uid)
    },
  }
}

const ENTRY = /^(.+)\.json$/

async function list(directory: string): Promise<Set<string>> {
  const files = await readdir(directory).catch((error: NodeJS.ErrnoException): string[] => {
    if (error.code === 'ENOENT') return []
    // What cannot be read may be the only handle of what was made.
    throw error
  })
  // Of writes that were cut off: what they would have kept was never acknowledged.
  for (const file of files) if (file.endsWith('.half')) await rm(join(directory, file), { force: true })
  return new Set(files.flatMap((file) => ENTRY.exec(file)?.slice(1) ?? []).map(decodeURIComponent))
}

async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

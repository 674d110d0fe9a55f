import { createHash, randomBytes } from 'node:crypto'
import { chmod, chown, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Account } from './account.ts'

const RECORD = 'server.json'
const REMOVE = { recursive: true, force: true, maxRetries: 5, retryDelay: 100 } as const

/** What is known about one server besides its data. Written before anything else, and removed last. Nobody but the provider reads it. */
export interface ServerRecord {
  readonly name: string
  readonly port: number
  /** Of the role that is handed out. */
  readonly password: string
  /** A password that is being set: it may or may not be the role's by now. */
  readonly nextPassword?: string
  /** Of the superuser, which nobody gets. Missing in records of versions that handed out the superuser itself. */
  readonly superuserPassword?: string
  /** Passwords of the superuser that were handed out once. There until the server has been confined. */
  readonly exposed?: readonly string[]
  /** The uid of the PostgreSQLServer that it was made for. */
  readonly owner?: string
  /** The id of the user and the group that run it; missing where servers run as we do. */
  readonly account?: number
  /** Its data was complete once: when there is none now, it is lost. */
  readonly complete?: boolean
  /** It is being removed: whoever finds it goes on. */
  readonly removing?: boolean
}

/** The files of one server. Every write is complete or not there. */
export class ServerFiles {
  readonly directory: string

  constructor(root: string, name: string) {
    this.directory = join(root, 'servers', directoryName(name))
  }

  get data(): string {
    return join(this.directory, 'data')
  }

  get log(): string {
    return join(this.directory, 'log')
  }

  /** Undefined: there is no such server. */
  record(): Promise<ServerRecord | undefined> {
    return readRecord(this.directory)
  }

  async writeRecord(record: ServerRecord): Promise<void> {
    await mkdir(this.directory, { recursive: true, mode: 0o711 })
    await writeWhole(join(this.directory, RECORD), JSON.stringify(record), 0o600)
  }

  /** Lets nobody in but us and the group of the account; what belongs to whom inside is up to each file. */
  async admit(account: Account | undefined): Promise<void> {
    if (account === undefined) return chmod(this.directory, 0o700)
    await chmod(dirname(this.directory), 0o711)
    await chown(this.directory, 0, account.ids.gid)
    await chmod(this.directory, 0o710)
  }

  /** Has `data` been made completely? It is renamed to its place only then. */
  async hasData(): Promise<boolean> {
    try {
      await readFile(join(this.data, 'PG_VERSION'))
      return true
    } catch (error) {
      if (isMissing(error)) return false
      throw error
    }
  }

  /** A new folder beside `data`; those of attempts that died are removed. */
  async newData(): Promise<string> {
    for (const entry of await readdir(this.directory)) if (entry.startsWith('data.')) await rm(join(this.directory, entry), REMOVE)
    const directory = join(this.directory, `data.${randomBytes(4).toString('hex')}`)
    await mkdir(directory, { mode: 0o700 })
    return directory
  }

  /** Puts a complete cluster in its place. */
  async adopt(data: string): Promise<void> {
    await rename(data, this.data)
  }

  /** Removes everything, the record last: whoever finds one after a crash goes on removing. */
  async remove(): Promise<void> {
    for (const entry of await entriesOf(this.directory)) if (entry !== RECORD) await rm(join(this.directory, entry), REMOVE)
    await rm(this.directory, REMOVE)
  }
}

/** The folders of all servers under `root`. */
export async function listServers(root: string): Promise<string[]> {
  const servers = join(root, 'servers')
  return (await entriesOf(servers)).map((name) => join(servers, name))
}

/** Undefined: there is no record in that folder. */
export async function readRecord(directory: string): Promise<ServerRecord | undefined> {
  try {
    return JSON.parse(await readFile(join(directory, RECORD), 'utf8')) as ServerRecord
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

export async function writeWhole(path: string, text: string, mode: number): Promise<void> {
  const partial = `${path}.${randomBytes(4).toString('hex')}`
  await writeFile(partial, text, { mode, flush: true })
  await rename(partial, path)
}

export async function textOf(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

/** External names may be anything; folders may not. */
function directoryName(name: string): string {
  return /^[A-Za-z0-9][A-Za-z0-9_.-]{0,62}$/.test(name) ? name : `x-${createHash('sha256').update(name).digest('hex').slice(0, 32)}`
}

async function entriesOf(directory: string): Promise<string[]> {
  try {
    return await readdir(directory)
  } catch (error) {
    if (isMissing(error)) return []
    throw error
  }
}

export const isMissing = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOENT'

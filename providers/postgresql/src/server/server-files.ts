import { createHash, randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const RECORD = 'server.json'
const REMOVE = { recursive: true, force: true, maxRetries: 5, retryDelay: 100 } as const

/** What is known about one server besides its data. Written before anything else, and removed last. */
export interface ServerRecord {
  readonly name: string
  readonly port: number
  readonly password: string
  /** A password that is being set: it may or may not be the server's by now. */
  readonly nextPassword?: string
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
  async record(): Promise<ServerRecord | undefined> {
    try {
      return JSON.parse(await readFile(this.#recordPath, 'utf8')) as ServerRecord
    } catch (error) {
      if (isMissing(error)) return undefined
      throw error
    }
  }

  async writeRecord(record: ServerRecord): Promise<void> {
    await mkdir(this.directory, { recursive: true, mode: 0o755 })
    await writeWhole(this.#recordPath, JSON.stringify(record), 0o600)
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
    for (const entry of await readdir(this.directory))
      if (entry.startsWith('data.')) await rm(join(this.directory, entry), { recursive: true, force: true, maxRetries: 3 })
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

  get #recordPath(): string {
    return join(this.directory, RECORD)
  }
}

/** The data folders of all servers under `root`. */
export async function listServers(root: string): Promise<string[]> {
  const servers = join(root, 'servers')
  return (await entriesOf(servers)).map((name) => join(servers, name, 'data'))
}

export async function writeWhole(path: string, text: string, mode: number): Promise<void> {
  const partial = `${path}.${randomBytes(4).toString('hex')}`
  await writeFile(partial, text, { mode, flush: true })
  await rename(partial, path)
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

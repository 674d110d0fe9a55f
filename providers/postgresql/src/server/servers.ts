import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { ExternalError } from '@weft/provider-sdk'
import { generatePassword } from '../password.ts'
import type { Endpoint } from '../sql/endpoint.ts'
import { literal } from '../sql/identifier.ts'
import { scramVerifier } from '../sql/scram.ts'
import type { Sessions } from '../sql/sessions.ts'
import { type Account, giveTo, serverAccount, serverRoot } from './account.ts'
import { type Binaries, findBinaries } from './binaries.ts'
import { ACCESS_RULES, formatConfiguration } from './configuration.ts'
import { type ServerControl, serverControl } from './control.ts'
import { freePort } from './free-port.ts'
import { isMissing, listServers, ServerFiles, type ServerRecord, writeWhole } from './server-files.ts'

export const SUPERUSER = 'postgres'
const ADDRESS = '127.0.0.1'

/** What a server should be like. */
export interface WantedServer {
  readonly port?: number | undefined
  readonly parameters: Readonly<Record<string, string>>
}

export type ServerState =
  /** There is no such server. */
  | { readonly kind: 'absent' }
  /** Its record is there, its data not yet: it has to be finished. */
  | { readonly kind: 'unfinished'; readonly record: ServerRecord }
  | { readonly kind: 'stopped'; readonly record: ServerRecord }
  /** It runs, but does not let us in with the password that we know. */
  | { readonly kind: 'locked'; readonly record: ServerRecord }
  | { readonly kind: 'running'; readonly record: ServerRecord; readonly endpoint: Endpoint; readonly configured: boolean }

/**
 * The PostgreSQL servers of this machine that are ours. All state is in files, so that whoever takes over after a crash finds everything;
 * a server itself goes on without us.
 */
export class Servers {
  readonly #root: string
  readonly #account: Account | undefined
  readonly #control: ServerControl
  readonly #sessions: Sessions
  readonly version: string

  private constructor(root: string, account: Account | undefined, binaries: Binaries, sessions: Sessions) {
    this.#root = root
    this.#account = account
    this.#control = serverControl(binaries, account)
    this.#sessions = sessions
    this.version = binaries.version
  }

  static async open(dataDir: string, sessions: Sessions): Promise<Servers> {
    const account = await serverAccount()
    const root = await serverRoot(dataDir, account)
    return new Servers(root, account, await findBinaries(root, account), sessions)
  }

  async state(name: string, wanted: WantedServer): Promise<ServerState> {
    const files = this.#files(name)
    const record = await files.record()
    if (record === undefined) return { kind: 'absent' }
    if (!(await files.hasData())) return { kind: 'unfinished', record }
    if (!(await this.#control.isRunning(files.data))) return { kind: 'stopped', record }
    const endpoint = await this.#letIn(record)
    if (endpoint === undefined) return { kind: 'locked', record }
    return { kind: 'running', record, endpoint, configured: await this.#isConfigured(files, record, wanted) }
  }

  /** Notes that there is to be a server. Once this resolves it exists, even if it is not there yet. */
  async create(name: string, wanted: WantedServer): Promise<void> {
    const files = this.#files(name)
    if ((await files.record()) !== undefined) throw new ExternalError('AlreadyExists', `there is a server ${name} already`)
    await files.writeRecord({ name, port: wanted.port ?? (await freePort(ADDRESS)), password: generatePassword() })
  }

  /** Makes the server what is wanted, from whatever state it is in. Idempotent. */
  async ensure(name: string, wanted: WantedServer): Promise<void> {
    const files = this.#files(name)
    let record = await files.record()
    if (record === undefined) throw new ExternalError('Unavailable', `there is no server ${name}`)
    if (wanted.port !== undefined && wanted.port !== record.port) {
      record = { ...record, port: wanted.port }
      await files.writeRecord(record)
    }
    if (!(await files.hasData())) await this.#makeData(files, record)
    const changed = await this.#configure(files, record, wanted)
    const running = await this.#control.isRunning(files.data)
    if (!running) await this.#start(files, record, wanted)
    else if (changed) await this.#control.reload(files.data)
    await this.#settle(files, record)
  }

  /** Gives the superuser a new password. */
  async rotate(name: string): Promise<void> {
    const files = this.#files(name)
    const record = await files.record()
    if (record === undefined) return
    const nextPassword = generatePassword()
    // Both are on disk before the server knows: whichever it has afterwards, we have it too.
    await files.writeRecord({ ...record, nextPassword })
    await this.#settle(files, { ...record, nextPassword })
  }

  /** Stops the server and removes all that is left of it. Idempotent. */
  async remove(name: string): Promise<void> {
    const files = this.#files(name)
    if (await files.hasData()) await this.#control.stop(files.data)
    await files.remove()
  }

  /** Stops all servers that run, and keeps their data: they start again with the next look at them. */
  async stopAll(): Promise<void> {
    const directories = await listServers(this.#root)
    await Promise.all(directories.map((data) => this.#control.stop(data)))
  }

  endpointOf({ port, password }: ServerRecord): Endpoint {
    return { host: ADDRESS, port, user: SUPERUSER, password, database: 'postgres', ssl: false }
  }

  #files(name: string): ServerFiles {
    return new ServerFiles(this.#root, name)
  }

  /** Finishes an interrupted change of the password, restarts where a setting asks for it, and opens what is locked. */
  async #settle(files: ServerFiles, record: ServerRecord): Promise<void> {
    const endpoint = (await this.#letIn(record)) ?? (await this.#unlock(files, record))
    const session = this.#sessions.open(endpoint)
    if (record.nextPassword !== undefined) {
      await session.query(`alter role ${SUPERUSER} password ${literal(await scramVerifier(record.nextPassword))}`)
      await files.writeRecord({ name: record.name, port: record.port, password: record.nextPassword })
    }
    const pending = await session.query('select name from pg_catalog.pg_settings where pending_restart')
    if (pending.length === 0) return
    await this.#control.stop(files.data)
    await this.#control.start(files.data, files.log)
  }

  /** Where the server lets us in: with its password, or with the one that was about to be set. */
  async #letIn(record: ServerRecord): Promise<Endpoint | undefined> {
    const passwords = [record.password, ...(record.nextPassword === undefined ? [] : [record.nextPassword])]
    for (const password of passwords) {
      const endpoint = { ...this.endpointOf(record), password }
      try {
        await this.#sessions.logIn(endpoint)
        return endpoint
      } catch (error) {
        if (!(error instanceof ExternalError && error.code === 'Denied')) throw error
      }
    }
    return undefined
  }

  /** Somebody changed the superuser's password, or took its right to log in. It is our server: we set them again from inside. */
  async #unlock(files: ServerFiles, record: ServerRecord): Promise<Endpoint> {
    await this.#control.stop(files.data)
    await this.#control.singleUser(
      files.data,
      `alter role ${SUPERUSER} with superuser login password ${literal(await scramVerifier(record.password))};`,
    )
    await this.#control.start(files.data, files.log)
    return this.endpointOf(record)
  }

  async #makeData(files: ServerFiles, record: ServerRecord): Promise<void> {
    const partial = await files.newData()
    const passwordFile = `${partial}.password`
    await giveTo(this.#account, partial)
    await writeWhole(passwordFile, record.password, 0o600)
    await giveTo(this.#account, passwordFile)
    try {
      await this.#control.initialise(partial, passwordFile)
    } finally {
      await rm(passwordFile, { force: true })
    }
    await files.adopt(partial)
  }

  /** Writes the configuration where it differs; answers whether it did. */
  async #configure(files: ServerFiles, record: ServerRecord, wanted: WantedServer): Promise<boolean> {
    let changed = false
    for (const [name, text] of this.#configuration(record, wanted)) {
      const path = join(files.data, name)
      if ((await textOf(path)) === text) continue
      await writeWhole(path, text, 0o600)
      await giveTo(this.#account, path)
      changed = true
    }
    // Settings made by ALTER SYSTEM win over the file; they are drift.
    if (/^[^#\s]/m.test((await textOf(join(files.data, 'postgresql.auto.conf'))) ?? '')) {
      await rm(join(files.data, 'postgresql.auto.conf'))
      changed = true
    }
    return changed
  }

  async #isConfigured(files: ServerFiles, record: ServerRecord, wanted: WantedServer): Promise<boolean> {
    if (record.nextPassword !== undefined || (wanted.port !== undefined && wanted.port !== record.port)) return false
    for (const [name, text] of this.#configuration(record, wanted)) if ((await textOf(join(files.data, name))) !== text) return false
    return !/^[^#\s]/m.test((await textOf(join(files.data, 'postgresql.auto.conf'))) ?? '')
  }

  #configuration({ port }: ServerRecord, { parameters }: WantedServer): readonly (readonly [string, string])[] {
    return [
      ['postgresql.conf', formatConfiguration({ port, address: ADDRESS, parameters })],
      ['pg_hba.conf', ACCESS_RULES],
    ]
  }

  async #start(files: ServerFiles, record: ServerRecord, wanted: WantedServer): Promise<void> {
    await writeWhole(files.log, (await textOf(files.log))?.slice(-MAX_LOG) ?? '', 0o600)
    await giveTo(this.#account, files.log)
    try {
      await this.#control.start(files.data, files.log)
    } catch (error) {
      const log = (await textOf(files.log)) ?? ''
      // A port that we chose and somebody else took meanwhile: choose another for the next attempt.
      if (wanted.port === undefined && /could not bind|Address already in use/.test(log.slice(-2_000)))
        await files.writeRecord({ ...record, port: await freePort(ADDRESS) })
      throw error
    }
  }
}

const MAX_LOG = 1_000_000

async function textOf(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

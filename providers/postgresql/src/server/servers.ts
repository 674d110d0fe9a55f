import { lstat, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { ExternalError } from '@weft/provider-sdk'
import { generatePassword } from '../password.ts'
import type { Endpoint } from '../sql/endpoint.ts'
import { literal } from '../sql/identifier.ts'
import { scramVerifier } from '../sql/scram.ts'
import type { Sessions } from '../sql/sessions.ts'
import { type Account, accountOf, accountRange, chooseAccount, giveTo, giveTree, makerAccount } from './account.ts'
import { type Binaries, findBinaries } from './binaries.ts'
import { ACCESS_RULES, formatConfiguration } from './configuration.ts'
import { type ServerControl, serverControl } from './control.ts'
import { giveBelongings, takeBackSuperuser } from './exposed.ts'
import { freePort } from './free-port.ts'
import { listServers, readRecord, ServerFiles, type ServerRecord, textOf, writeWhole } from './server-files.ts'
import { leaveRoot, serverRoot } from './server-root.ts'
import { ADDRESS, confine, isConfined, letIn, OWNER, superuserEndpoint } from './superuser.ts'

/** What a server should be like. */
export interface WantedServer {
  readonly port?: number | undefined
  readonly parameters: Readonly<Record<string, string>>
  /** The uid of the object that it is made for. */
  readonly owner?: string | undefined
}

export type ServerState =
  /** There is no such server. */
  | { readonly kind: 'absent' }
  /** Its record is there, its data not yet: it has to be finished. */
  | { readonly kind: 'unfinished' }
  /** Its data was there once. Making it again would hide the loss. */
  | { readonly kind: 'lost'; readonly data: string }
  | { readonly kind: 'stopped' }
  /** Its superuser was handed out, by a version that did that, and has not been taken back yet. */
  | { readonly kind: 'exposed' }
  /** It runs, but does not let us in with the password that we know. */
  | { readonly kind: 'locked' }
  /** `endpoint` is that of the role that is handed out. */
  | { readonly kind: 'running'; readonly endpoint: Endpoint; readonly configured: boolean; readonly account: number | undefined }

/** How the programs of PostgreSQL are run here. */
interface Machine {
  readonly root: string
  readonly binaries: Binaries
  /** Makes data directories, and runs servers where they cannot have an account each. Undefined: they run as we do. */
  readonly maker: Account | undefined
  readonly accounts: Awaited<ReturnType<typeof accountRange>>
}

/**
 * The PostgreSQL servers of this machine that are ours. All state is in files, so that whoever takes over after a crash finds everything;
 * a server itself goes on without us.
 */
export class Servers {
  readonly #machine: Machine
  readonly #sessions: Sessions
  readonly version: string

  private constructor(machine: Machine, sessions: Sessions) {
    this.#machine = machine
    this.#sessions = sessions
    this.version = machine.binaries.version
  }

  static async open(dataDir: string, sessions: Sessions): Promise<Servers> {
    const maker = await makerAccount()
    const root = await serverRoot(dataDir, maker)
    return new Servers({ root, maker, accounts: await accountRange(), binaries: await findBinaries(root, maker) }, sessions)
  }

  async state(name: string, wanted: WantedServer): Promise<ServerState> {
    const files = this.#files(name)
    const record = await files.record()
    if (record === undefined || record.removing === true) return { kind: 'absent' }
    if (!(await files.hasData())) return record.complete === true ? { kind: 'lost', data: files.data } : { kind: 'unfinished' }
    if (!(await this.#control(record).isRunning(files.data))) return { kind: 'stopped' }
    if (record.superuserPassword === undefined || record.exposed !== undefined) return { kind: 'exposed' }
    const superuser = await letIn(this.#sessions, record)
    if (superuser === undefined) return { kind: 'locked' }
    const configured =
      (await this.#isConfigured(files, record, wanted)) && (await isConfined(this.#sessions.open(superuser), record.password))
    return { kind: 'running', endpoint: endpointOfOwner(record), configured, account: record.account }
  }

  /** Notes that there is to be a server. Once this resolves it exists, even if it is not there yet. */
  async create(name: string, wanted: WantedServer): Promise<void> {
    const files = this.#files(name)
    const before = await files.record()
    if (before?.removing === true) await this.remove(name)
    else if (before !== undefined) throw new ExternalError('AlreadyExists', `there is a server ${name} already`)
    await files.writeRecord({
      ...{ name, port: wanted.port ?? (await freePort(ADDRESS)), password: generatePassword(), superuserPassword: generatePassword() },
      ...(wanted.owner !== undefined && { owner: wanted.owner }),
    })
  }

  /** Makes the server what is wanted, from whatever state it is in. Idempotent. */
  async ensure(name: string, wanted: WantedServer): Promise<void> {
    const files = this.#files(name)
    const record = await this.#brought(files, wanted)
    if (record === undefined) throw new ExternalError('Unavailable', `there is no server ${name}`)
    const control = this.#control(record)
    if (!(await files.hasData())) await this.#makeData(files, record)
    await this.#settleAccount(files, record)
    const changed = await this.#configure(files, record, wanted)
    if (!(await control.isRunning(files.data))) await this.#start(files, record, wanted)
    else if (changed) await control.reload(files.data)
    await this.#settle(files, record)
  }

  /** Gives the role that is handed out a new password. */
  async rotate(name: string): Promise<void> {
    const files = this.#files(name)
    const record = await files.record()
    if (record === undefined) return
    // Both are on disk before the server knows: whichever it has afterwards, we have it too.
    const rotated = { ...record, nextPassword: generatePassword() }
    await files.writeRecord(rotated)
    await this.#settle(files, rotated)
  }

  /** Stops the server and removes all that is left of it. Idempotent. */
  async remove(name: string): Promise<void> {
    const files = this.#files(name)
    const record = await files.record()
    if (record !== undefined && record.removing !== true) await files.writeRecord({ ...record, removing: true })
    if (record !== undefined && (await files.hasData())) await this.#control(record).stop(files.data)
    await files.remove()
  }

  /** Stops a server and keeps its data. */
  async stop(name: string): Promise<void> {
    const files = this.#files(name)
    const record = await files.record()
    if (record !== undefined) await this.#control(record).stop(files.data)
  }

  /** All servers whose record is there, ours to keep or not. */
  async all(): Promise<readonly { readonly record: ServerRecord; readonly data: string; readonly hasData: boolean }[]> {
    const found = []
    for (const directory of await listServers(this.#machine.root)) {
      const record = await readRecord(directory)
      if (record === undefined) continue
      const files = this.#files(record.name)
      found.push({ record, data: files.data, hasData: await files.hasData() })
    }
    return found
  }

  /** Stops all servers that run, and keeps their data: they start again with the next look at them. */
  async stopAll(): Promise<void> {
    await Promise.all((await this.all()).map(({ record }) => this.stop(record.name)))
    await leaveRoot(this.#machine.root)
  }

  #files(name: string): ServerFiles {
    return new ServerFiles(this.#machine.root, name)
  }

  #account({ account }: ServerRecord): Account | undefined {
    return account === undefined ? this.#machine.maker : accountOf(account)
  }

  #control(record: ServerRecord): ServerControl {
    return serverControl(this.#machine.binaries, this.#account(record))
  }

  /** The record with all that this version keeps in it, on disk before it is used. */
  async #brought(files: ServerFiles, { port, owner }: WantedServer): Promise<ServerRecord | undefined> {
    const record = await files.record()
    if (record === undefined) return undefined
    if (record.complete === true && !(await files.hasData())) throw lostData(files.data)
    let next: ServerRecord = record
    if (port !== undefined && port !== record.port) next = { ...next, port }
    if (owner !== undefined && owner !== record.owner) next = { ...next, owner }
    if (record.superuserPassword === undefined) {
      const { nextPassword, ...rest } = next
      const exposed = [record.password, ...(nextPassword === undefined ? [] : [nextPassword])]
      next = { ...rest, password: generatePassword(), superuserPassword: generatePassword(), exposed }
    }
    if (record.account === undefined && this.#machine.accounts !== undefined) {
      // Whoever ran it until now is not who runs it from now on.
      await this.#control(record).stop(files.data)
      const taken = new Set((await this.all()).flatMap((each) => each.record.account ?? []))
      next = { ...next, account: chooseAccount(this.#machine.accounts, taken) }
    }
    if (next !== record) await files.writeRecord(next)
    return next
  }

  /** Its files are its account's, and nobody else gets to them. */
  async #settleAccount(files: ServerFiles, record: ServerRecord): Promise<void> {
    const account = this.#account(record)
    if (account !== undefined && (await lstat(files.data)).uid !== account.ids.uid) await giveTree(account, files.data)
    await files.admit(account)
    if (record.complete !== true) await files.writeRecord({ ...record, complete: true })
  }

  /** Takes back what was handed out, gives every role its rights, and restarts where a setting asks for it. */
  async #settle(files: ServerFiles, record: ServerRecord): Promise<void> {
    const { nextPassword, exposed, ...kept } = { ...record, complete: true }
    const { port, superuserPassword = '' } = record
    const password = nextPassword ?? record.password
    const found = (await letIn(this.#sessions, record)) ?? (await this.#unlock(files, record))
    if (exposed !== undefined) await takeBackSuperuser(this.#sessions.open(found), { superuser: superuserPassword, owner: password })
    const session = this.#sessions.open(superuserEndpoint(port, superuserPassword))
    if (!(await isConfined(session, password))) await confine(session, password, this.#sessions)
    if (exposed !== undefined) await giveBelongings(session, this.#sessions)
    if (nextPassword !== undefined || exposed !== undefined) await files.writeRecord({ ...kept, password })
    const pending = await session.query('select name from pg_settings where pending_restart')
    if (pending.length === 0) return
    await this.#control(record).stop(files.data)
    await this.#control(record).start(files.data, files.log)
  }

  /** Somebody changed the superuser's password, or took its right to log in. It is our server: we set them again from inside. */
  async #unlock(files: ServerFiles, record: ServerRecord): Promise<Endpoint> {
    const { superuserPassword = '', port } = record
    const { maker, binaries } = this.#machine
    const control = this.#control(record)
    const verifier = literal(await scramVerifier(superuserPassword))
    await control.stop(files.data)
    // A server without others wants a user that the machine knows by name.
    if (maker !== undefined) await this.#lend(files, maker)
    await serverControl(binaries, maker).singleUser(
      files.data,
      `do $$ begin execute format('alter role %I with superuser login password %L', (select rolname from pg_catalog.pg_authid where oid = 10), ${verifier}); end $$;`,
    )
    await this.#settleAccount(files, record)
    await control.start(files.data, files.log)
    return (await letIn(this.#sessions, record)) ?? superuserEndpoint(port, superuserPassword)
  }

  async #lend(files: ServerFiles, account: Account): Promise<void> {
    await files.admit(account)
    await giveTree(account, files.data, { topFirst: true })
  }

  async #makeData(files: ServerFiles, record: ServerRecord): Promise<void> {
    const { maker, binaries } = this.#machine
    await files.admit(maker)
    const partial = await files.newData()
    const passwordFile = `${partial}.password`
    await giveTo(maker, partial)
    await writeWhole(passwordFile, record.superuserPassword ?? record.password, 0o600)
    await giveTo(maker, passwordFile)
    try {
      await serverControl(binaries, maker).initialise(partial, passwordFile)
    } finally {
      await rm(passwordFile, { force: true })
    }
    const account = this.#account(record)
    if (account !== undefined) await giveTree(account, partial)
    await files.adopt(partial)
  }

  /** Writes the configuration where it differs; answers whether it did. */
  async #configure(files: ServerFiles, record: ServerRecord, wanted: WantedServer): Promise<boolean> {
    let changed = false
    for (const [name, text] of configuration(record, wanted)) {
      const path = join(files.data, name)
      if ((await textOf(path)) === text) continue
      await writeWhole(path, text, 0o600)
      await giveTo(this.#account(record), path)
      changed = true
    }
    // Settings made by ALTER SYSTEM win over the file; they are drift.
    if (await hasOverrides(files)) {
      await rm(join(files.data, 'postgresql.auto.conf'))
      changed = true
    }
    return changed
  }

  async #isConfigured(files: ServerFiles, record: ServerRecord, wanted: WantedServer): Promise<boolean> {
    if (record.nextPassword !== undefined || (wanted.port !== undefined && wanted.port !== record.port)) return false
    if (wanted.owner !== undefined && wanted.owner !== record.owner) return false
    if (record.account === undefined && this.#machine.accounts !== undefined) return false
    for (const [name, text] of configuration(record, wanted)) if ((await textOf(join(files.data, name))) !== text) return false
    return !(await hasOverrides(files))
  }

  async #start(files: ServerFiles, record: ServerRecord, wanted: WantedServer): Promise<void> {
    await writeWhole(files.log, (await textOf(files.log))?.slice(-MAX_LOG) ?? '', 0o600)
    await giveTo(this.#account(record), files.log)
    try {
      await this.#control(record).start(files.data, files.log)
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

export const lostData = (data: string): ExternalError =>
  new ExternalError(
    'Invalid',
    `the data of this server was in ${data} and is gone: put it back there, or delete this object and create another`,
  )

const endpointOfOwner = ({ port, password }: ServerRecord): Endpoint => ({
  ...{ host: ADDRESS, port, user: OWNER, password, database: 'postgres', ssl: false },
})

const configuration = ({ port }: ServerRecord, { parameters }: WantedServer): readonly (readonly [string, string])[] => [
  ['postgresql.conf', formatConfiguration({ port, address: ADDRESS, parameters })],
  ['pg_hba.conf', ACCESS_RULES],
]

const hasOverrides = async (files: ServerFiles): Promise<boolean> =>
  /^[^#\s]/m.test((await textOf(join(files.data, 'postgresql.auto.conf'))) ?? '')

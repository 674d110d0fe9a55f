import type { ChildProcess } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { GrpcClient } from '@weft/grpc'
import { spawnAlone } from '@weft/spawn'
import { GRPCController, GRPCStdio, StdioData_Channel } from '../generated/plugin_pb.ts'
import { grpcProviderClient } from '../protocol/grpc-provider-client.ts'
import type { ProviderClient } from '../protocol/provider-client.ts'
import { environmentOf } from './environment.ts'
import { type Handshake, HandshakeError, parseHandshake } from './handshake.ts'
import { lineSplitter } from './lines.ts'
import { logReader } from './log-line.ts'
import { makeProcessDirectory, type ProcessDirectory } from './process-directory.ts'

const MIB = 1024 * 1024
const HANDSHAKE_MS = 60_000
/** Between asking a process to end and killing it. */
const GRACE_MS = 2_000

/** Takes what a provider logs. It may hold secrets: for the operator's eyes only, never for objects. */
export interface ProviderLog {
  write(bytes: Uint8Array): void
}

export interface StartOptions {
  /** Absolute. */
  readonly executable: string
  /** What its configuration wants in its environment; everything else that it sees is decided here. */
  readonly env?: Readonly<Record<string, string>> | undefined
  readonly log: ProviderLog
  /** Takes out of what is logged what must not be read there. */
  readonly hide?: ((text: string) => string) | undefined
  /** Undefined: as this process. */
  readonly user?: { readonly uid: number; readonly gid: number } | undefined
  /** Where process directories are made; a short path. Undefined: the system's place for them. */
  readonly root?: string | undefined
  /** How long it may take to say where it listens. */
  readonly handshakeMs?: number | undefined
}

/** A provider that runs. */
export interface ProviderProcess {
  readonly pid: number
  readonly client: ProviderClient
  /** Resolves when it has ended, whoever ended it, and its directory is gone. */
  readonly ended: Promise<ProcessEnd>
  /** Ends it: asked first, then killed. Calls under way are cut off, so wait for them before. */
  shutdown(): Promise<void>
  /** At once. */
  kill(): void
}

export interface ProcessEnd {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  /** The first line of a crash, if it said one. */
  readonly panic: string | undefined
}

/** Starts a provider and resolves when it answers. Rejects with HandshakeError, saying why it did not. */
export async function startProvider(options: StartOptions): Promise<ProviderProcess> {
  const directory = await makeProcessDirectory(options.root, options.user)
  try {
    return await startIn(directory, options)
  } catch (error) {
    await directory.remove()
    throw error
  }
}

async function startIn(directory: ProcessDirectory, options: StartOptions): Promise<ProviderProcess> {
  const { executable, env = {}, user, log, hide = (text) => text, handshakeMs = HANDSHAKE_MS } = options
  const [file, args] = withDeathSignal(executable)
  const child = spawnAlone(file, args, {
    cwd: directory.home,
    env: environmentOf(directory, env, process.env),
    stdio: ['ignore', 'pipe', 'pipe'],
    ...user,
  })
  const record = recordOf(child, log, hide)
  if (child.pid !== undefined) await directory.own(child.pid)
  let handshake: Handshake
  try {
    handshake = await handshakeOf(child, record, handshakeMs)
  } catch (error) {
    child.kill('SIGKILL')
    throw error
  }
  const grpc = new GrpcClient({ type: 'unix', path: handshake.path }, { maxMessageBytes: 256 * MIB })
  void drainStdio(grpc, record)
  const ended = record.ended.then(async (end) => {
    grpc.close()
    await directory.remove().catch(() => undefined)
    return end
  })
  return {
    pid: child.pid ?? 0,
    client: grpcProviderClient(grpc, handshake.protocol),
    ended,
    async shutdown() {
      // Its answer never arrives: the program ends at once.
      await grpc.unary(GRPCController.method.shutdown, {}, { timeoutMs: GRACE_MS }).catch(() => undefined)
      const timer = setTimeout(() => child.kill('SIGKILL'), GRACE_MS)
      await ended
      clearTimeout(timer)
    },
    kill: () => void child.kill('SIGKILL'),
  }
}

interface ProcessRecord {
  readonly ended: Promise<ProcessEnd>
  readonly firstLine: Promise<string>
  /** The last things it said, for a process that ends before it says where it listens. */
  lastWords(): string
  /** What it printed after the first line. */
  printed(bytes: Uint8Array): void
}

const KEPT_LINES = 5

/** Reads everything that the process writes, as long as it lives: a pipe that nobody reads stops the writer. */
function recordOf(child: ChildProcess, log: ProviderLog, hide: (text: string) => string): ProcessRecord {
  const read = logReader()
  let panic: string | undefined
  const last: string[] = []
  const write = (line: { readonly level: string; readonly message: string; readonly fields?: object }): void => {
    const told = { message: line.message, ...line.fields }
    const { message, ...fields } = JSON.parse(JSON.stringify(told), (_, value: unknown) =>
      typeof value === 'string' ? hide(value) : value,
    ) as { readonly message: string }
    last.push(message)
    if (last.length > KEPT_LINES) last.shift()
    log.write(Buffer.from(`${JSON.stringify({ time: new Date().toISOString(), level: line.level, message, ...fields })}\n`))
  }
  const errors = lineSplitter((text) => {
    const line = read(text)
    if (panic === undefined && /^(panic|fatal error): /.test(line.message)) panic = line.message
    write(line)
  })
  const prints = lineSplitter((message) => write({ level: 'info', message }))
  let first: ((line: string) => void) | undefined
  const firstLine = new Promise<string>((resolve) => (first = resolve))
  const output = lineSplitter((line) => {
    if (first === undefined) return write({ level: 'info', message: line })
    first(line)
    first = undefined
  })
  child.stdout?.on('data', (bytes: Buffer) => output.write(bytes))
  child.stderr?.on('data', (bytes: Buffer) => errors.write(bytes))
  const ended = new Promise<ProcessEnd>((resolve) => {
    const end = (code: number | null, signal: NodeJS.Signals | null): void => {
      for (const stream of [output, errors, prints]) stream.end()
      resolve({ code, signal, panic })
    }
    child.once('close', end)
    // A file that cannot be run never closes.
    child.once('error', (error) => {
      last.push(error.message)
      if (child.pid === undefined) end(null, null)
    })
  })
  return { ended, firstLine, lastWords: () => last.join('; '), printed: (bytes) => prints.write(bytes) }
}

async function handshakeOf(child: ChildProcess, { firstLine, ended, lastWords }: ProcessRecord, timeoutMs: number): Promise<Handshake> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new HandshakeError(`the provider did not say where it listens within ${timeoutMs / 1000} s`)),
      timeoutMs,
    )
  })
  const gone = ended.then(({ code, signal }) => {
    const how = child.pid === undefined ? 'cannot be run' : signal === null ? `ended with code ${code}` : `was ended by ${signal}`
    throw new HandshakeError(`the provider ${how} before it said where it listens: ${lastWords() || 'it printed nothing'}`)
  })
  try {
    return parseHandshake(await Promise.race([firstLine, late, gone]))
  } finally {
    clearTimeout(timer)
  }
}

/** What the provider prints goes through this stream after its first line, and the provider stops at its next print if nobody reads (T12). */
async function drainStdio(grpc: GrpcClient, record: ProcessRecord): Promise<void> {
  try {
    for await (const { channel, data } of grpc.serverStream(GRPCStdio.method.streamStdio, {}))
      if (channel === StdioData_Channel.STDOUT || channel === StdioData_Channel.STDERR) record.printed(data)
  } catch {
    // The process ended, or is too old to have it.
  }
}

/** Where the system can, the program ends with us, even when we are killed. */
function withDeathSignal(executable: string): [string, string[]] {
  return SETPRIV === undefined ? [executable, []] : [SETPRIV, ['--pdeathsig', 'KILL', '--', executable]]
}

const SETPRIV = process.platform === 'linux' ? ['/usr/bin/setpriv', '/bin/setpriv'].find(isExecutable) : undefined

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

import { ExternalError } from '@weft/provider-sdk'
import { spawnAlone } from '@weft/spawn'
import type { Account } from './account.ts'
import type { Binaries } from './binaries.ts'
import { SUPERUSER } from './superuser.ts'

/** Runs the programs of a PostgreSQL server, as the account that may. */
export interface ServerControl {
  /** Makes a database cluster in an empty folder. */
  initialise(data: string, passwordFile: string): Promise<void>
  /** Starts the server, detached: it outlives us. Resolves when it accepts connections. Fine when it runs already. */
  start(data: string, log: string): Promise<void>
  isRunning(data: string): Promise<boolean>
  /** Reads its configuration again. */
  reload(data: string): Promise<void>
  /** Resolves when it is gone. Fine when it does not run. */
  stop(data: string): Promise<void>
  /** Runs a statement on a server that is stopped, without asking for a password. */
  singleUser(data: string, sql: string): Promise<void>
}

const START_TIMEOUT_S = 30
const STOP_TIMEOUT_S = 20
/** `pg_ctl status`: there is no server running. */
const NOT_RUNNING = 3

export function serverControl(binaries: Binaries, account: Account | undefined): ServerControl {
  const run = (program: string, args: readonly string[], input?: string): Promise<Ended> => execute(program, args, { account, input })
  const expectSuccess = async (what: string, program: string, args: readonly string[], input?: string): Promise<void> => {
    const { code, output } = await run(program, args, input)
    if (code !== 0) throw new ExternalError('Unavailable', `${what} failed: ${output.trim().split('\n').slice(-3).join(' ')}`)
  }
  const isRunning = async (data: string): Promise<boolean> => {
    const { code, output } = await run(binaries.pgCtl, ['status', '-D', data])
    if (code === 0) return true
    // 4: no such folder, or not a cluster; nothing can be running there.
    if (code === NOT_RUNNING || code === 4) return false
    throw new ExternalError('Unavailable', `pg_ctl status failed: ${output.trim()}`)
  }
  return {
    isRunning,
    initialise: (data, passwordFile) =>
      expectSuccess('initdb', binaries.initdb, [
        ...['-D', data, '-U', SUPERUSER, '-E', 'UTF8', '--locale-provider=builtin', '--locale=C.UTF-8'],
        ...['--auth=scram-sha-256', `--pwfile=${passwordFile}`, '--no-instructions'],
      ]),
    async start(data, log) {
      if (await isRunning(data)) return
      await expectSuccess('starting PostgreSQL', binaries.pgCtl, [
        'start',
        '-D',
        data,
        '-l',
        log,
        '-w',
        '-t',
        String(START_TIMEOUT_S),
        '-s',
      ])
    },
    reload: (data) => expectSuccess('pg_ctl reload', binaries.pgCtl, ['reload', '-D', data, '-s']),
    async stop(data) {
      if (!(await isRunning(data))) return
      const fast = await run(binaries.pgCtl, ['stop', '-D', data, '-m', 'fast', '-w', '-t', String(STOP_TIMEOUT_S), '-s'])
      if (fast.code === 0 || !(await isRunning(data))) return
      await expectSuccess('stopping PostgreSQL', binaries.pgCtl, [
        'stop',
        '-D',
        data,
        '-m',
        'immediate',
        '-w',
        '-t',
        String(STOP_TIMEOUT_S),
        '-s',
      ])
    },
    singleUser: (data, sql) => expectSuccess('single-user PostgreSQL', binaries.postgres, ['--single', '-D', data, 'postgres'], `${sql}\n`),
  }
}

interface Ended {
  readonly code: number | null
  readonly output: string
}

const MAX_OUTPUT = 16_384

/** The environment of the server: nothing of ours that could change what it does. */
const environment = (): NodeJS.ProcessEnv => ({ PATH: process.env['PATH'] ?? '/usr/bin:/bin', LANG: 'C.UTF-8', LC_ALL: 'C', TZ: 'UTC' })

function execute(
  program: string,
  args: readonly string[],
  { account, input }: { readonly account: Account | undefined; readonly input: string | undefined },
): Promise<Ended> {
  return new Promise((resolve, reject) => {
    // Files as output would be inherited by the server that pg_ctl starts; it gets its own log instead.
    const child = spawnAlone(program, args, {
      ...account?.ids,
      cwd: '/',
      env: environment(),
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: true,
    })
    let output = ''
    const collect = (chunk: Buffer): void => {
      if (output.length < MAX_OUTPUT) output += chunk.toString('utf8')
    }
    child.stdout?.on('data', collect)
    child.stderr?.on('data', collect)
    child.on('error', (cause) =>
      reject(new ExternalError('Unavailable', `${program} cannot be run: ${cause.message}`, { cause, mayHaveTakenEffect: false })),
    )
    // `exit`, not `close`: what it started may hold on to the pipes.
    child.on('exit', (code) => {
      child.stdout?.destroy()
      child.stderr?.destroy()
      resolve({ code, output })
    })
    child.stdin?.on('error', () => undefined)
    child.stdin?.end(input ?? '')
  })
}

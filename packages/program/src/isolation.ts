import { execFile, spawnSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { promisify } from 'node:util'
import { anyPortFilter } from './any-port.ts'

/**
 * What keeps the programs of packages apart from the machine, best first:
 *
 * - `user`: we are root, so each is a user of its own and has a root folder of its own.
 * - `bubblewrap`, `namespaces`: we are not, but the system lets everybody have namespaces: each has a root folder and processes of its own.
 * - `none`: nothing but what the operator allowed.
 */
export type Isolation = 'user' | 'bubblewrap' | 'namespaces' | 'none'

const DESCRIPTIONS: Readonly<Record<Isolation, string>> = {
  user: 'each program runs as a user of its own, in a root folder of its own',
  bubblewrap: 'each program runs in namespaces of its own (bubblewrap), as the user that Weft runs as',
  namespaces: 'each program runs in namespaces of its own, as the user that Weft runs as',
  none: 'programs could not be kept from the files of the user that Weft runs as: install bubblewrap, or run Weft as root',
}

export const isolationText = (isolation: Isolation): string => DESCRIPTIONS[isolation]

const find = (name: string): string | undefined =>
  ['/usr/bin', '/bin', '/usr/sbin', '/sbin'].map((folder) => `${folder}/${name}`).find(isExecutable)

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Where bubblewrap is, when it is in none of the usual folders. */
const BUBBLEWRAP = process.env['WEFT_BUBBLEWRAP']
const TOOLS = {
  unshare: find('unshare'),
  bwrap: BUBBLEWRAP === undefined || BUBBLEWRAP === '' ? find('bwrap') : BUBBLEWRAP,
  setpriv: find('setpriv'),
  prlimit: find('prlimit'),
}
/** For itself alone, and of its own processes: what it sees of the machine is its root. */
const NAMESPACES = ['--user', '--map-current-user', '--mount', '--pid', '--fork', '--kill-child']
const BUBBLE = ['--unshare-user', '--unshare-pid', '--unshare-ipc', '--unshare-uts', '--die-with-parent', '--new-session']

/** Nothing is changed for what root starts, but for the filter. */
const AS_IT_IS = ['--cap-add', 'ALL', '--dev-bind', '/', '/']
/** Opens the filter, the first argument, for bubblewrap, which closes it. */
const OPEN_FILTER = ['/bin/sh', '-c', 'exec 9<"$0" && exec "$@"']
const FILTER = ['--seccomp', '9']

let detected: Promise<Isolation> | undefined

/** What this machine offers; tried, since systems that have the tools may still forbid them. Looked at once. */
export const detectIsolation = (): Promise<Isolation> => (detected ??= detect())

async function detect(): Promise<Isolation> {
  if (process.platform !== 'linux') return 'none'
  const { unshare, bwrap } = TOOLS
  if (process.getuid?.() === 0)
    return unshare !== undefined && (await works(unshare, ['--root', '/', '--wd', '/', '--setgid', '1', '--setuid', '1'])) ? 'user' : 'none'
  if (bwrap !== undefined && (await works(bwrap, [...BUBBLE, '--bind', '/', '/']))) return 'bubblewrap'
  if (unshare !== undefined && (await works(unshare, [...NAMESPACES, '--root', '/', '--wd', '/']))) return 'namespaces'
  return 'none'
}

let portsChosen: Promise<boolean> | undefined

/** Can a program that insists on a port be given another? Bubblewrap is what loads the filter that does it. Looked at once. */
export const canChoosePorts = (): Promise<boolean> => (portsChosen ??= detectChoice())

async function detectChoice(): Promise<boolean> {
  const { bwrap } = TOOLS
  if (bwrap === undefined || anyPortFilter('usual') === undefined) return false
  const isolation = await detectIsolation()
  return isolation === 'bubblewrap' || (isolation === 'user' && (await works(bwrap, AS_IT_IS)))
}

const works = (tool: string, args: readonly string[]): Promise<boolean> =>
  promisify(execFile)(tool, [...args, '/bin/true'], { timeout: 10_000, env: {} }).then(
    () => true,
    () => false,
  )

export interface Confined {
  /** The folder that is its root. */
  readonly root: string
  /** Of the program, as it is called in that root. */
  readonly file: string
  /** What starts it, in that root, with the variables that were meant for it. */
  readonly starter?: string | undefined
  readonly args: readonly string[]
  readonly workingDirectory: string
  readonly user: { readonly uid: number; readonly gid: number } | undefined
  /** A file with the filter that lets the system choose its ports; only where `canChoosePorts`. */
  readonly anyPort?: string | undefined
}

const MEMORY_BYTES = 2 * 2 ** 30
const PROCESSES = 512

/** The command that starts a program in its root. `none` runs it as it is: a program that needs nothing of its root beside itself. */
export function confine(
  isolation: Isolation,
  { root, file, starter, args, workingDirectory, user, anyPort }: Confined,
): { file: string; args: readonly string[] } {
  const { unshare = 'unshare', bwrap = 'bwrap' } = TOOLS
  const command = [...(starter === undefined ? [] : [starter]), file, ...args]
  switch (isolation) {
    case 'user': {
      const as = user === undefined ? [] : ['--setgid', String(user.gid), '--setuid', String(user.uid)]
      const filtered = anyPort === undefined ? [] : [...OPEN_FILTER, anyPort, bwrap, ...AS_IT_IS, ...FILTER, '--']
      return bounded([...filtered, unshare, '--root', root, '--wd', workingDirectory, ...as, '--', ...command], user !== undefined)
    }
    case 'bubblewrap':
      return bounded([
        ...(anyPort === undefined ? [] : [...OPEN_FILTER, anyPort]),
        bwrap,
        ...BUBBLE,
        ...(anyPort === undefined ? [] : FILTER),
        '--bind',
        root,
        '/',
        '--proc',
        '/proc',
        '--dev',
        '/dev',
        '--chdir',
        workingDirectory,
        '--',
        ...command,
      ])
    case 'namespaces':
      return bounded([unshare, ...NAMESPACES, '--root', root, '--wd', workingDirectory, '--', ...command])
    case 'none':
      return bounded([`${root}${file}`, ...args])
  }
}

/** Within what every program may have, where the system lets us say so. Processes are counted for a user, so only for one of its own. */
function bounded(command: readonly string[], countsProcesses = false): { file: string; args: readonly string[] } {
  const { prlimit, setpriv } = TOOLS
  const wanted = ['--core=0', `--data=${MEMORY_BYTES}`, ...(countsProcesses ? [`--nproc=${PROCESSES}`] : [])]
  const limits = prlimit === undefined ? [] : wanted.filter((limit) => maySet(prlimit, limit))
  const [file = '', ...args] = [
    ...(prlimit === undefined || limits.length === 0 ? [] : [prlimit, ...limits]),
    // Whatever it starts has no more rights than itself.
    ...(setpriv === undefined ? [] : [setpriv, '--no-new-privs']),
    ...command,
  ]
  return { file, args }
}

const settable = new Map<string, boolean>()

/** A limit that is lower already cannot be raised; a program without it is better than none. */
function maySet(prlimit: string, limit: string): boolean {
  let may = settable.get(limit)
  if (may === undefined) settable.set(limit, (may = spawnSync(prlimit, [limit, '/bin/true'], { timeout: 10_000, env: {} }).status === 0))
  return may
}

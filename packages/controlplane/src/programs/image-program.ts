import { createServer, type AddressInfo } from 'node:net'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { systemClock } from '@weft/client'
import type { RuntimeSettings } from '@weft/controllers'
import {
  type AnyPort,
  anyPortFilter,
  assembleRoot,
  carriedEnvironment,
  confine,
  detectIsolation,
  type GivenFolder,
  harmlessEnvironment,
  type Isolation,
  isolationText,
  openProcessLog,
  prepareProcessPlace,
  type ProgramCommand,
  ProgramProcess,
} from '@weft/program'
import { executableAt, missingInterpreter, type Program, programFile, type ProgramStore, withoutInterpreter } from '@weft/xpkg'
import type { ProcessPlan, Release } from './program-slots.ts'

export interface ImageProgramOptions {
  readonly programs: ProgramStore
  readonly dataDir: string
  /** Programs may run where nothing keeps them apart from the machine. */
  readonly allowUnconfined: boolean
}

/** What a program is given, and how it is started. */
export interface ImageRun {
  /** Of its log, its user and its home: one for all revisions of a package. */
  readonly name: string
  readonly revision: string
  readonly program: Program
  readonly what: string
  /** What somebody set for it. */
  readonly settings: RuntimeSettings | undefined
  readonly onChange: () => void
  /** Called once, before it first starts: gives it its files, and answers how it is started each time. */
  prepare(give: Give): Promise<(before: string) => Promise<ImageCommand>>
  readonly explain?: ((words: string) => Promise<string | undefined>) | undefined
}

/** Files that the program may read. */
export interface Give {
  /** A folder of its root, by the path that the program knows, whose files may be replaced while it runs. */
  folder(folder: string): Promise<Pick<GivenFolder, 'path' | 'write'>>
}

export interface ImageCommand {
  /** After those of the image. */
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly listens?: ProgramCommand['listens']
  readonly finds?: ProgramCommand['finds']
  /** It insists on ports that others have: the system chooses others. Only where it can. */
  readonly anyPort?: AnyPort | undefined
  readonly refused?: ProgramCommand['refused']
}

/** Why a program cannot run here, in words that say what to do; undefined when it can. */
export async function whyNot(program: Program, { programs, allowUnconfined }: ImageProgramOptions): Promise<string | undefined> {
  const misfit = programs.unfit(program)
  if (misfit !== undefined) return misfit
  const root = await programs.find(program)
  // It is fetched again.
  if (root === undefined) return 'the files of its image are missing: they are fetched at the next reconcile of the package'
  const isolation = await detectIsolation()
  if (isolation !== 'none') {
    const { path, inside } = await programFile(root, program, 'its image')
    const missing = await missingInterpreter(root, path, 'its image')
    return missing === undefined ? undefined : withoutInterpreter(inside, missing)
  }
  if (!allowUnconfined)
    return `on this machine ${isolationText('none')}; or allow it to run all the same with weft up --allow-provider-executables`
  const { path } = await programFile(root, program, 'its image')
  const { format, interpreter } = await executableAt(path)
  return format === 'elf' && interpreter === undefined
    ? undefined
    : 'its image needs a root file system of its own, which is not possible on this machine: install bubblewrap, or run Weft as root'
}

/** Starts what an image runs. What it took is given back by what is added to `releases`. */
export async function startImageProgram(run: ImageRun, options: ImageProgramOptions, releases: Release[]): Promise<ProgramProcess> {
  const { name, revision, program, what, onChange } = run
  const isolation = await detectIsolation()
  const kept = await options.programs.find(program)
  if (kept === undefined) throw new Error('what its image runs is not here')
  const place = await prepareProcessPlace(options.dataDir, name, revision)
  releases.push(() => rm(place.run, { recursive: true, force: true }))
  const root = await assembleRoot(kept, place.root, place.user)
  await root.own(HOME)
  const { inside } = await programFile(root.path, program, 'its image')
  const starter = isolation === 'none' ? undefined : await root.starter()
  const at = (path: string): string => (isolation === 'none' ? `${root.path}${path}` : path)
  const folder: Give['folder'] = async (path) => {
    const opened = await root.folder(path)
    releases.push(() => opened.close())
    return { path: at(opened.path), write: (file, contents) => opened.write(file, contents) }
  }
  const commandOf = await run.prepare({ folder })
  // What keeps it apart from the machine hears nothing of what its image says. Where nothing does, that is not different from the program.
  const given = isolation === 'none' ? (env: Variables): Variables => env : starter === undefined ? harmlessEnvironment : carriedEnvironment
  return new ProgramProcess({
    what,
    async command(before) {
      const { args, env, listens, finds, anyPort, refused } = await commandOf(before)
      const filter = anyPort === undefined ? undefined : join(place.run, 'any-port')
      if (filter !== undefined && anyPort !== undefined) await writeFile(filter, anyPortFilter(anyPort) ?? '', { mode: 0o600 })
      const confined = confine(isolation, {
        root: root.path,
        file: inside,
        starter,
        args: [...argumentsOf(program, run.settings), ...args],
        workingDirectory: workingDirectoryOf(program, isolation),
        user: place.user,
        anyPort: filter,
      })
      return {
        ...confined,
        env: given({ PATH: DEFAULT_PATH, ...program.env, HOME: at(HOME), TMPDIR: at('/tmp'), ...run.settings?.env, ...env }),
        cwd: root.path,
        channel: false,
        listens,
        finds,
        anyPort: anyPort !== undefined,
        refused,
        // Who starts it takes its user on, once it is in its root.
        user: isolation === 'none' ? place.user : undefined,
      }
    },
    ...(run.explain !== undefined && { explain: run.explain }),
    folder: place.run,
    log: openProcessLog(join(options.dataDir, 'logs', `${name}.log`)),
    clock: systemClock,
    random: Math.random,
    onChange,
  })
}

const argumentsOf = ({ command, entry = command.length }: Program, settings: RuntimeSettings | undefined): readonly string[] =>
  settings?.args === undefined ? command.slice(1) : [...command.slice(1, entry), ...settings.args]

/** How a process is planned that somebody set something for. */
export const plannedBy = (settings: RuntimeSettings | undefined): Pick<ProcessPlan, 'key' | 'note'> =>
  settings === undefined
    ? {}
    : {
        key: JSON.stringify([settings.args, settings.env]),
        ...(settings.unused.length > 0 && {
          note: `of DeploymentRuntimeConfig ${settings.name} this is not used, since the program is a process and not a pod: ${listed(settings.unused)}`,
        }),
      }

type Variables = Readonly<Record<string, string>>

const NAMED = 8
const listed = (names: readonly string[]): string =>
  `${names.slice(0, NAMED).join(', ')}${names.length > NAMED ? ` and ${names.length - NAMED} more` : ''}`

const HOME = '/home/package'
const DEFAULT_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

const workingDirectoryOf = ({ workingDirectory }: Program, isolation: Isolation): string =>
  isolation === 'none' || !workingDirectory.startsWith('/') ? '/' : workingDirectory

/** A port of this machine that nobody listens at. */
export async function freePort(host: string): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, host, resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** What programs say of a flag that they do not know, in Go, Python and JavaScript. */
export const UNKNOWN_FLAG: RegExp =
  /unknown (flag|option|argument|long flag)|flag provided but not defined|no such option|unrecognized argument|unexpected argument/i

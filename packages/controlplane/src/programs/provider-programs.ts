import { rm } from 'node:fs/promises'
import { isAbsolute, join, normalize, sep } from 'node:path'
import { getOwn, type KubeObject } from '@weft/api'
import { type Client, systemClock } from '@weft/client'
import { AWAITING_ACTIVATION, type DiskStore, type PackageRun } from '@weft/controllers'
import {
  openProcessLog,
  prepareProcessPlace,
  type ProcessPlace,
  type ProgramCommand,
  ProgramProcess,
  share,
  shareFiles,
} from '@weft/program'
import type { Manager } from '@weft/runtime'
import { type ProgramPlan, type ProgramRuntime, programSlots, type Release } from './program-slots.ts'
import { credentialsFolder, type ServerAddress, withdrawRights } from './provider-account.ts'
import { giveIdentity } from './provider-identity.ts'
import { planImage, webhookTarget } from './provider-image.ts'
import type { Refusals } from './refusals.ts'
import type { WebhookPorts } from './webhook-ports.ts'
import type { Program as ImageProgram, ProgramStore } from '@weft/xpkg'

/** In the metadata of a package: the JavaScript module of the package that is its provider. */
const MODULE = 'pkg.weft.dev/module'
/** In the metadata of a package: the program on this machine that is its provider. */
const EXECUTABLE = 'pkg.weft.dev/executable'
/** A provider that leaks must not take the machine with it. */
const HEAP = '--max-old-space-size=512'

export interface ProviderProgramsOptions {
  readonly manager: Manager
  /** Keeps the certificates of programs from images. */
  readonly certificates: Client
  /** Tells the server where programs answer its webhooks; undefined where it would not find them, as in a cluster. */
  readonly webhooks: WebhookPorts | undefined
  readonly refusals: Refusals | undefined
  /** What images run. */
  readonly programs: ProgramStore
  readonly store: Pick<DiskStore, 'filesOf'>
  /** Undefined: processes cannot reach the server, so none is started. */
  readonly address: ServerAddress | undefined
  /** Credentials, logs and what providers keep are below it. */
  readonly dataDir: string
  /** Packages may name programs of this machine. */
  readonly executables: boolean
}

/** Runs providers that bring a program of their own, each in a process with a service account of its own. */
export const providerPrograms = (options: ProviderProgramsOptions): ProgramRuntime =>
  programSlots({
    plan: (run) => planOf(run, options),
    webhooks: (packageName) => webhookTarget(packageName, options),
    gone: (revision) => withdrawRights(options.manager.client, revision),
  })

async function planOf(run: PackageRun, options: ProviderProgramsOptions): Promise<ProgramPlan> {
  const { address, executables } = options
  const program = programOf(run.contents.metadata)
  if (program === undefined && run.contents.program === undefined)
    return {
      type: 'nothing',
      health: {
        healthy: true,
        reason: 'NoRuntime',
        message: 'the package contains no program that runs here: its kinds are for a controller elsewhere',
      },
    }
  if (run.awaitsActivation !== undefined && run.settings?.runs !== false)
    return { type: 'nothing', health: { healthy: true, reason: AWAITING_ACTIVATION, message: run.awaitsActivation } }
  if (address === undefined)
    return { type: 'refused', why: 'this control plane does not know its own address, so a provider process could not reach it' }
  if (program === undefined)
    return planImage(run, run.contents.program as ImageProgram, { ...options, address, allowUnconfined: executables })
  const why = refusal(program, run, options)
  return why === undefined
    ? { type: 'process', start: (releases) => start(run, program, { ...options, address }, releases) }
    : { type: 'refused', why }
}

type Program = { readonly type: 'module' | 'executable'; readonly path: string }

function programOf({ metadata }: KubeObject): Program | undefined {
  const module = getOwn(metadata.annotations ?? {}, MODULE)
  if (typeof module === 'string' && module !== '') return { type: 'module', path: normalize(module) }
  const executable = getOwn(metadata.annotations ?? {}, EXECUTABLE)
  return typeof executable === 'string' && executable !== '' ? { type: 'executable', path: executable } : undefined
}

/** Why the program is not run, in one sentence. */
function refusal({ type, path }: Program, { contents }: PackageRun, { executables }: ProviderProgramsOptions): string | undefined {
  if (type === 'module') {
    const files = [...contents.files.keys()].map((file) => normalize(file))
    return files.includes(path) ? undefined : `the package names ${path} as its module, but contains no such file`
  }
  if (!executables) return `the package names the executable ${path}: allow it with weft up --allow-provider-executables`
  return isAbsolute(path) ? undefined : `the package names the executable ${path}: it must be an absolute path`
}

async function start(
  run: PackageRun,
  program: Program,
  { manager, dataDir, store, address }: ProviderProgramsOptions & { readonly address: ServerAddress },
  releases: Release[],
): Promise<ProgramProcess> {
  const { packageName, revision, onChange } = run
  const place = await prepareProcessPlace(dataDir, packageName, revision.metadata.name ?? '')
  releases.push(() => rm(place.run, { recursive: true, force: true }))
  const folder = await credentialsFolder(join(place.run, 'credentials'), (path) => share(path, place.user))
  const credentials = await giveIdentity(run, { manager, address, folder }, releases)
  const files = join(place.run, 'files')
  if (program.type === 'module') await shareFiles(store.filesOf(revision.spec.digest ?? ''), files, place.user)
  const command = commandOf(program, {
    files,
    place,
    env: {
      KUBECONFIG: credentials.kubeconfig,
      WEFT_PROVIDER_DATA_DIR: place.home,
      WEFT_PROVIDER_INSTALLED: 'true',
      HOME: place.home,
      PATH: process.env['PATH'] ?? '',
    },
  })
  return new ProgramProcess({
    what: "the provider's process",
    folder: place.run,
    command: () => Promise.resolve(command),
    log: openProcessLog(join(dataDir, 'logs', `${packageName}.log`)),
    clock: systemClock,
    random: Math.random,
    onChange,
  })
}

function commandOf(
  { type, path }: Program,
  { files, place, env }: { readonly files: string; readonly place: ProcessPlace; readonly env: Readonly<Record<string, string>> },
): ProgramCommand {
  const { user, home, run } = place
  if (type === 'executable') return { file: path, args: [], env, cwd: home, channel: false, user }
  const bounds =
    user === undefined ? [PERMISSIONS, ...[run, home].map((folder) => `--allow-fs-read=${folder}`), `--allow-fs-write=${home}`] : []
  const module = `${files}${sep}${path}`
  if (!isSingleExecutable()) return { file: place.node, args: [HEAP, ...bounds, module], env, cwd: home, channel: true, user }
  // The single executable takes no arguments for Node, and is told by its environment that it is to be Node.
  const options = [HEAP, ...bounds].map((option) => JSON.stringify(option)).join(' ')
  return {
    file: place.node,
    args: [module],
    env: { ...env, NODE_OPTIONS: options, WEFT_RUN_MODULE: 'true' },
    cwd: home,
    channel: true,
    user,
  }
}

const isSingleExecutable = (): boolean => process.getBuiltinModule?.('node:sea')?.isSea() ?? false

/** Without a user of its own, Node itself keeps a module to its folders, and from running programs. */
const PERMISSIONS = process.allowedNodeEnvironmentFlags.has('--permission') ? '--permission' : '--experimental-permission'

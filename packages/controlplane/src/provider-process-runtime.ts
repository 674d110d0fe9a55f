import { rm } from 'node:fs/promises'
import { isAbsolute, join, normalize, sep } from 'node:path'
import { getOwn, type KubeObject, messageOf } from '@weft/api'
import { systemClock } from '@weft/client'
import type { DiskStore, ProviderRun, ProviderRuntime, RevisionObject, RuntimeHealth } from '@weft/controllers'
import type { Manager } from '@weft/runtime'
import { ensureAccount, RENEW_MS, type ServerAddress, withdrawRights, writeCredentials } from './provider-process-account.ts'
import { openProcessLog } from './provider-process-log.ts'
import { prepareProcessPlace, type ProcessPlace, share, shareFiles } from './provider-process-place.ts'
import { type SecretRights, secretRights } from './provider-process-secrets.ts'
import { type ProviderCommand, ProviderProcess } from './provider-process.ts'

/** In the metadata of a package: the JavaScript module of the package that is its provider. */
const MODULE = 'pkg.weft.dev/module'
/** In the metadata of a package: the program on this machine that is its provider. */
const EXECUTABLE = 'pkg.weft.dev/executable'
/** A provider that leaks must not take the machine with it. */
const HEAP = '--max-old-space-size=512'

export interface ProcessRuntimeOptions {
  readonly manager: Manager
  readonly store: Pick<DiskStore, 'filesOf'>
  /** Undefined: processes cannot reach the server, so none is started. */
  readonly address: ServerAddress | undefined
  /** Credentials, logs and what providers keep are below it. */
  readonly dataDir: string
  /** Packages may name programs of this machine. */
  readonly executables: boolean
}

export interface ProcessRuntime extends ProviderRuntime {
  stopAll(): Promise<void>
}

interface Slot {
  readonly revision: RevisionObject
  /** Undefined while it is being prepared, and when that failed. */
  process: ProviderProcess | undefined
  problem: string | undefined
  readonly prepared: Promise<void>
  release(): Promise<void>
}

/** Runs providers that bring a program of their own, each in a process with a service account of its own. */
export function processRuntime(options: ProcessRuntimeOptions): ProcessRuntime {
  const slots = new Map<string, Slot>()
  const stopSlot = async (packageName: string, revisionName?: string, { keepRights = false } = {}): Promise<void> => {
    const slot = slots.get(packageName)
    if (slot === undefined || (revisionName !== undefined && slot.revision.metadata.name !== revisionName)) return
    slots.delete(packageName)
    await slot.prepared
    await slot.process?.stop()
    await slot.release()
    if (!keepRights) await withdrawRights(options.manager.client, slot.revision)
  }
  return {
    async ensure(run): Promise<RuntimeHealth> {
      const { packageName, revision, contents } = run
      const program = programOf(contents.metadata)
      if (program === undefined) {
        await stopSlot(packageName)
        return {
          healthy: true,
          reason: 'NoRuntime',
          message: 'the package brings no program that runs here: its kinds are for a controller elsewhere',
        }
      }
      const problem = refusal(program, run, options)
      if (problem !== undefined) {
        await stopSlot(packageName)
        return { healthy: false, reason: 'CannotStart', message: problem }
      }
      const before = slots.get(packageName)
      if (before !== undefined && before.revision.metadata.uid !== revision.metadata.uid) await stopSlot(packageName)
      let slot = slots.get(packageName)
      if (slot === undefined) slots.set(packageName, (slot = openSlot(run, program, options)))
      await slot.prepared
      if (slot.problem === undefined) return slot.process?.health ?? { healthy: false, reason: 'Stopped' }
      // Prepared anew when it is asked for again.
      slots.delete(packageName)
      await slot.release()
      throw new Error(slot.problem)
    },
    stop: (packageName, revisionName) => stopSlot(packageName, revisionName),
    // The control plane ends, or another one leads now: the processes go, their rights are those of the revision still.
    async stopAll() {
      await Promise.all([...slots.keys()].map((packageName) => stopSlot(packageName, undefined, { keepRights: true })))
    },
  }
}

type Program = { readonly type: 'module' | 'executable'; readonly path: string }

function programOf({ metadata }: KubeObject): Program | undefined {
  const module = getOwn(metadata.annotations ?? {}, MODULE)
  if (typeof module === 'string' && module !== '') return { type: 'module', path: normalize(module) }
  const executable = getOwn(metadata.annotations ?? {}, EXECUTABLE)
  return typeof executable === 'string' && executable !== '' ? { type: 'executable', path: executable } : undefined
}

/** Why the program is not run, in one sentence. */
function refusal({ type, path }: Program, { contents }: ProviderRun, { address, executables }: ProcessRuntimeOptions): string | undefined {
  if (address === undefined) return 'this control plane does not know its own address, so a provider process could not reach it'
  if (type === 'module') {
    const files = [...contents.files.keys()].map((file) => normalize(file))
    return files.includes(path) ? undefined : `the package names ${path} as its module, and holds no such file`
  }
  if (!executables) return `the package names the executable ${path}: allow it with weft up --allow-provider-executables`
  return isAbsolute(path) ? undefined : `the package names the executable ${path}: it must be an absolute path`
}

function openSlot(run: ProviderRun, program: Program, options: ProcessRuntimeOptions): Slot {
  const { revision } = run
  const releases: (() => Promise<void>)[] = []
  const slot: Slot = {
    revision,
    process: undefined,
    problem: undefined,
    prepared: Promise.resolve(),
    async release() {
      for (const release of releases.splice(0).reverse()) await release()
    },
  }
  const prepared = start(run, program, options, releases).then(
    (process) => void (slot.process = process),
    (error: unknown) => void (slot.problem = `the provider's process cannot be prepared: ${messageOf(error)}`),
  )
  return Object.assign(slot, { prepared })
}

async function start(
  run: ProviderRun,
  program: Program,
  options: ProcessRuntimeOptions,
  releases: (() => Promise<void>)[],
): Promise<ProviderProcess> {
  const { packageName, revision, contents, onChange } = run
  const { manager, dataDir, store, address } = options
  if (address === undefined) throw new Error('there is no address')
  const { client, informers, log } = manager
  const place = await prepareProcessPlace(dataDir, packageName, revision.metadata.name ?? '')
  await ensureAccount(client, revision, contents)
  const credentials = await writeCredentials(client, revision, {
    directory: join(place.run, 'credentials'),
    address,
    share: (path) => share(path, place.user),
  })
  const files = join(place.run, 'files')
  if (program.type === 'module') await shareFiles(store.filesOf(revision.spec.digest ?? ''), files, place.user)
  const renewing = setInterval(() => {
    credentials.renew().catch((error: unknown) => log.warn('the token of a provider cannot be renewed', { package: packageName, error }))
  }, RENEW_MS)
  renewing.unref()
  releases.push(async () => {
    clearInterval(renewing)
    await rm(place.run, { recursive: true, force: true })
  })
  const onError = (error: unknown): void => log.warn('rights of a provider to secrets cannot be written', { package: packageName, error })
  const rights: SecretRights = secretRights({ client, informers, revision, contents, onError })
  releases.push(() => rights.close())
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
  return new ProviderProcess({
    command,
    log: openProcessLog(join(dataDir, 'logs', `${packageName}.log`)),
    clock: systemClock,
    random: Math.random,
    onChange,
  })
}

function commandOf(
  { type, path }: Program,
  { files, place, env }: { readonly files: string; readonly place: ProcessPlace; readonly env: Readonly<Record<string, string>> },
): ProviderCommand {
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

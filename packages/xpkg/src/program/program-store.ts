import { execFile } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { mkdir, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { MiB, PROGRAM_LIMITS, type ProgramLimits } from '../limits.ts'
import type { ImageStore } from '../image/image-store.ts'
import { openLayer } from './open-layer.ts'
import { hostPlatform, type Platform, unfit } from './platform.ts'
import type { Program } from './program.ts'
import { programFile } from './program-file.ts'
import { type Budget, unpackLayer } from './unpack-layer.ts'

export interface KeepOptions {
  readonly signal?: AbortSignal | undefined
  /** Told how far it is, in words. */
  readonly onProgress?: ((message: string) => void) | undefined
}

/**
 * The files of programs, unpacked, each once: two packages with the same layers share them. Whatever is answered is there entirely and is what the
 * digests name; after a crash it is there entirely or not at all. Nothing changes afterwards what is in a root.
 */
export interface ProgramStore {
  /** Can it run on this machine? In words why not. */
  unfit(program: Program): string | undefined
  /** The folder that is its root; undefined when it is not here. */
  find(program: Program): Promise<string | undefined>
  /** Brings it here, unless it is, from where its image is. Rejects with PackageError; then nothing was left anywhere. */
  keep(program: Program, image: ImageStore, options?: KeepOptions): Promise<string>
  /** Removes what none of these is, and has not been used for a while. */
  prune(wanted: readonly Program[]): Promise<void>
}

export interface ProgramStoreOptions {
  /** Made when it is first needed; for its owner alone. */
  readonly directory: string | (() => Promise<string>)
  readonly limits?: ProgramLimits | undefined
  readonly platform?: Platform | undefined
  /** The least that something is kept which nobody names; ten minutes unless given. */
  readonly keepMs?: number | undefined
}

const ROOT = 'root'
const PART = '.part-'
const KEEP_MS = 10 * 60_000
/** What the system says of a name that is there already. */
const TAKEN: ReadonlySet<string> = new Set(['ENOTEMPTY', 'EEXIST'])

/** By what the files are known: the digests of the layers, in order. How the program is started is not part of it. */
const keyOf = ({ layers }: Program): string =>
  createHash('sha256')
    .update(layers.map(({ diffId }) => diffId).join('\n'))
    .digest('hex')

export function programStore(options: ProgramStoreOptions): ProgramStore {
  const { limits = PROGRAM_LIMITS, platform = hostPlatform(), keepMs = KEEP_MS } = options
  const place = typeof options.directory === 'string' ? async () => options.directory as string : options.directory
  let made: Promise<string> | undefined
  const directory = (): Promise<string> =>
    (made ??= place().then(async (path) => {
      await mkdir(path, { recursive: true, mode: 0o700 })
      return path
    }))
  const find = async (program: Program): Promise<string | undefined> => {
    const folder = join(await directory(), keyOf(program))
    const isHere = (await stat(join(folder, ROOT)).catch(() => undefined)) !== undefined
    // It is in use: not to be pruned now.
    if (isHere) await utimes(folder, new Date(), new Date()).catch(() => undefined)
    return isHere ? join(folder, ROOT) : undefined
  }
  return {
    unfit: (program) => unfit(program.platform, platform),
    find,
    async keep(program, image, { signal, onProgress } = {}) {
      const here = await find(program)
      if (here !== undefined) {
        await programFile(here, program, image.name)
        return here
      }
      const folder = join(await directory(), keyOf(program))
      const part = `${folder}${PART}${randomUUID()}`
      try {
        await mkdir(join(part, ROOT), { recursive: true, mode: 0o755 })
        await unpackAll(program, image, { part, limits, signal, onProgress })
        await programFile(join(part, ROOT), program, image.name)
        await settled(part)
        await rename(part, folder)
      } catch (error) {
        await rm(part, { recursive: true, force: true })
        // Somebody else was quicker, with the same bytes.
        if (!TAKEN.has(String((error as { code?: unknown }).code))) throw error
      }
      return join(folder, ROOT)
    },
    async prune(wanted) {
      const kept = new Set(wanted.map(keyOf))
      const path = await directory()
      for (const name of await readdir(path).catch(() => [])) {
        if (kept.has(name)) continue
        const { mtimeMs } = (await stat(join(path, name)).catch(() => undefined)) ?? { mtimeMs: Number.POSITIVE_INFINITY }
        // One that has just come may be of a revision that is about to be made; so may the parts of one that is being unpacked.
        if (mtimeMs < Date.now() - keepMs) await rm(join(path, name), { recursive: true, force: true })
      }
    },
  }
}

interface Unpacking extends KeepOptions {
  readonly part: string
  readonly limits: ProgramLimits
}

async function unpackAll({ layers }: Program, image: ImageStore, { part, limits, signal, onProgress }: Unpacking): Promise<void> {
  const budget: Budget = { bytes: limits.bytes, entries: limits.files }
  const blob = join(part, 'layer')
  for (const [at, layer] of layers.entries()) {
    signal?.throwIfAborted()
    const which = `layer ${at + 1} of ${layers.length}`
    const size = layer.size > MiB ? ` (${Math.round(layer.size / MiB)} MiB)` : ''
    onProgress?.(`downloading ${which}${size}`)
    const descriptor = { mediaType: '', digest: layer.digest, size: layer.size }
    if (image.download === undefined) await writeFile(blob, await image.blob(descriptor), { mode: 0o600 })
    else await image.download(descriptor, blob, limits.layerBytes)
    onProgress?.(`unpacking ${which}${size}`)
    const what = `layer ${layer.digest} of ${image.name}`
    const archive = openLayer(blob, { diffId: layer.diffId, maxBytes: limits.bytes, what, signal })
    await unpackLayer(archive, join(part, ROOT), { budget, what })
    await rm(blob, { force: true })
  }
}

/** After a power failure it must not be there in part: its name comes when its bytes are on disk. */
const settled = (path: string): Promise<unknown> => promisify(execFile)('sync', ['-f', path]).catch(() => undefined)

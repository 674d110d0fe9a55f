import { createHash, randomUUID } from 'node:crypto'
import { cp, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { type AllowedPaths, allowedPath, PackageError } from '@weft/xpkg'
import { formatAddress, type ProviderAddress, type ProviderSource } from './address.ts'
import type { ProviderArchive, ProviderCatalogue } from './catalogue.ts'
import { download } from './download.ts'
import { fileHash, folderHash, mustMatch } from './hashes.ts'
import { type Platform, thisPlatform } from './platform.ts'
import { findProgram, unpackZip } from './unpack.ts'
import { chooseVersion } from './version-choice.ts'

/** A provider that is here and can be run. */
export interface StoredProvider {
  readonly address: ProviderAddress
  /** Of a file that came without one: the beginning of its hash. */
  readonly version: string
  /** `h1:` of its files: the same hash is the same provider. */
  readonly hash: string
  /** Its program: an absolute path. */
  readonly program: string
  /** SHA-256 of the program, in hex: what its schema is kept under. */
  readonly programHash: string
  /** Who vouched for it when it came. */
  readonly trust: string
}

export interface ProviderStoreOptions {
  /** Made when it is first needed. */
  readonly directory: string
  readonly catalogue: ProviderCatalogue
  /** Which files of this machine may be named: whoever names one need not be somebody who may read it. */
  readonly paths: AllowedPaths
  readonly platform?: Platform | undefined
}

export interface FetchProviderOptions {
  readonly signal: AbortSignal
  /** Nothing may be asked of a registry or a mirror on the network. */
  readonly offline?: boolean | undefined
  readonly onProgress?: ((message: string) => void) | undefined
}

/** Keeps providers in a folder, each under its hash, entirely or not at all. */
export interface ProviderStore {
  /**
   * The provider that a source means, downloaded unless it is here, checked, unpacked. A version keeps the hash that it had when it was
   * first fetched: another file under the same version is refused.
   */
  fetch(source: ProviderSource, options: FetchProviderOptions): Promise<StoredProvider>
  /** What was fetched once, by its hash; undefined when it is no longer here. */
  load(hash: string): Promise<StoredProvider | undefined>
  versions(address: ProviderAddress, options: FetchProviderOptions): Promise<readonly string[]>
}

export function providerStore(options: ProviderStoreOptions): ProviderStore {
  const { catalogue, paths, platform = thisPlatform() } = options
  const directory = resolve(options.directory)
  const folderOf = (hash: string): string => join(directory, createHash('sha256').update(hash).digest('hex').slice(0, 40))
  const load = async (hash: string): Promise<StoredProvider | undefined> => read(folderOf(hash))
  const keep = async (given: Incoming, work: string): Promise<StoredProvider> => {
    const { address, archive } = given
    const what = `${formatAddress(address)}${given.version === undefined ? '' : ` ${given.version}`}`
    const files = join(work, FILES)
    const zipHash = await bringFiles(archive, { work, files, what, type: address.type, given })
    const hash = await folderHash(files)
    mustMatch([hash, ...(zipHash === undefined ? [] : [`zh:${zipHash}`])], archive.hashes, what)
    const program = await findProgram(files, address.type, what)
    const programHash = await fileHash(join(files, program))
    const version = given.version ?? `0.0.0-${programHash.slice(0, 12)}`
    const folder = folderOf(hash)
    const lock = join(directory, 'locks', `${formatAddress(address).replaceAll('/', '+')}@${version}+${platform.os}_${platform.arch}`)
    if (given.version !== undefined) await keepLocked(lock, hash, what)
    const stored: StoredProvider = { address, version, hash, program: join(folder, FILES, program), programHash, trust: archive.trust }
    await writeFile(join(work, RECORD), `${JSON.stringify({ ...stored, program })}\n`, { mode: 0o600 })
    if ((await read(folder)) === undefined) await rm(folder, { recursive: true, force: true })
    await rename(work, folder).catch((error: NodeJS.ErrnoException) => {
      // The same files, from elsewhere or by somebody who was quicker.
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error
    })
    return stored
  }
  const find = async (source: ProviderSource, { signal, offline = false, onProgress }: FetchProviderOptions): Promise<Incoming> => {
    const { address, path, version: wanted } = source
    if (path !== undefined) {
      const place = await placeOf(await allowedPath(path, paths))
      return { address, version: wanted, signal, archive: { place, hashes: [], trust: 'a file of this machine' }, onProgress }
    }
    if (offline)
      throw new PackageError('NotFound', `${formatAddress(address)} is not stored here, and packagePullPolicy Never forbids fetching it`)
    const request = { platform, signal }
    onProgress?.(`looking for ${formatAddress(address)} in ${catalogue.name}`)
    const version = chooseVersion(formatAddress(address), await catalogue.versions(address, request), wanted)
    return { address, version, signal, archive: await catalogue.archive(address, version, request), onProgress }
  }
  return {
    load,
    versions: (address, { signal, offline = false }) => (offline ? Promise.resolve([]) : catalogue.versions(address, { platform, signal })),
    async fetch(source, request) {
      const given = await find(source, request)
      const work = join(directory, `.${randomUUID()}`)
      await mkdir(join(work, FILES), { recursive: true, mode: 0o700 })
      try {
        return await keep(given, work)
      } finally {
        await rm(work, { recursive: true, force: true })
      }
    },
  }
}

const FILES = 'files'
const RECORD = 'provider.json'

interface Incoming {
  readonly address: ProviderAddress
  readonly version: string | undefined
  readonly archive: ProviderArchive
  readonly signal: AbortSignal
  readonly onProgress: ((message: string) => void) | undefined
}

interface Bringing {
  readonly work: string
  readonly files: string
  readonly what: string
  readonly type: string
  readonly given: Incoming
}

/** Puts the files into a folder; answers the hash of the zip that they came in, checked before it is unpacked. */
async function bringFiles({ place, hashes }: ProviderArchive, { work, files, what, type, given }: Bringing): Promise<string | undefined> {
  switch (place.kind) {
    case 'folder':
      // Links are copied as what they lead to: mirrors are often made of them.
      await cp(place.path, files, { recursive: true, dereference: true })
      return undefined
    case 'program':
      await cp(place.path, join(files, programName(place.path, type)), { dereference: true })
      return undefined
    case 'zip':
    case 'url': {
      const zip = place.kind === 'zip' ? place.path : join(work, 'archive.zip')
      if (place.kind === 'url')
        await download(place.url, zip, { what, signal: given.signal, onProgress: tellEvery(what, given.onProgress) })
      const hash = await fileHash(zip)
      mustMatch([`zh:${hash}`], hashes, what)
      await unpackZip(zip, files, what)
      if (place.kind === 'url') await rm(zip)
      return hash
    }
    default:
      return place satisfies never
  }
}

/** A program may have been given any name; its own says what it is. */
const programName = (path: string, type: string): string =>
  basename(path).startsWith(`terraform-provider-${type}`) ? basename(path) : `terraform-provider-${type}`

async function placeOf(path: string): Promise<ProviderArchive['place']> {
  const stats = await stat(path)
  if (stats.isDirectory()) return { kind: 'folder', path }
  if (!stats.isFile())
    throw new PackageError('Malformed', `${path} is not a regular file; name the program of a provider, a zip of it or its folder`)
  return { kind: path.endsWith('.zip') ? 'zip' : 'program', path }
}

const STEP_BYTES = 8 * 2 ** 20

function tellEvery(what: string, tell: ((message: string) => void) | undefined): (bytes: number, total: number | undefined) => void {
  let told = 0
  const mega = (bytes: number): string => (bytes / 2 ** 20).toFixed(0)
  return (bytes, total) => {
    if (tell === undefined || bytes - told < STEP_BYTES) return
    told = bytes
    tell(`downloading ${what}: ${mega(bytes)}${total === undefined ? '' : ` of ${mega(total)}`} MB`)
  }
}

async function keepLocked(lock: string, hash: string, what: string): Promise<void> {
  await mkdir(resolve(lock, '..'), { recursive: true, mode: 0o700 })
  try {
    await writeFile(lock, hash, { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    const before = (await readFile(lock, 'utf8')).trim()
    // Empty: the process was killed between making and writing it.
    if (before === '') await writeFile(lock, hash, { mode: 0o600 })
    else if (before !== hash)
      throw new PackageError(
        'DigestMismatch',
        `${what} has the hash ${hash}, and had ${before} when it was first installed: a version never changes, so it is not used; if it is meant to, delete ${lock}`,
      )
  }
}

async function read(folder: string): Promise<StoredProvider | undefined> {
  try {
    const stored = JSON.parse(await readFile(join(folder, RECORD), 'utf8')) as StoredProvider
    const program = join(folder, FILES, stored.program)
    await stat(program)
    return { ...stored, program }
  } catch {
    return undefined
  }
}

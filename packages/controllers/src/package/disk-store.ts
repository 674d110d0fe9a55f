import { createHash, randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join, resolve, sep } from 'node:path'
import { parseJson, stringifyJson } from '@weft/api'
import {
  type AllowedPaths,
  type Bundle,
  type CredentialSource,
  fetchPackage,
  isDigest,
  listTags,
  type Package,
  PackageError,
  parseDockerConfig,
  parseSource,
  type Program,
  type ProgramStore,
  repositoryOf,
  resolveDigest,
} from '@weft/xpkg'
import type { FetchedPackage, PackageStore } from './package-store.ts'

/** A package is read several times while it is being installed, and then not for a long time. */
const REMEMBER_MS = 20_000
/** The least that a package is kept which no revision names. */
const KEEP_MS = 10 * 60_000

export interface DiskStoreOptions {
  /** Made when it is first needed. */
  readonly directory: string
  /** Registries (`host[:port]`) that are spoken to without TLS. */
  readonly plainHttp?: readonly string[] | undefined
  /** What these hold is read from them. */
  readonly bundles?: readonly Bundle[] | undefined
  /** PEM; with one or more, packages must be signed by one of them, and none is read from disk. */
  readonly publicKeys?: readonly string[] | undefined
  /** Where packages on disk may be: whoever writes `spec.package` need not be somebody who may read files of this machine. */
  readonly paths: AllowedPaths
  /** The least that a package is kept which no revision names; ten minutes unless given. */
  readonly keepMs?: number | undefined
  /** Where what images run is kept; without it, it is not fetched. */
  readonly programs?: ProgramStore | undefined
}

export interface DiskStore extends PackageStore {
  /** The folder with the files that travel with a package that is here. */
  filesOf(digest: string): string
}

/**
 * Keeps packages in a folder, each under its digest: `package.json` is what it says, parsed (megabytes of YAML take seconds), and `files` is
 * what travels with it. A package is there entirely or not at all.
 */
export function diskStore(options: DiskStoreOptions): DiskStore {
  const remembered = new Map<string, Package>()
  const remember = (digest: string, contents: Package): void => {
    remembered.set(digest, contents)
    setTimeout(() => remembered.delete(digest), REMEMBER_MS).unref()
  }
  const trust = trustOf(options.publicKeys ?? [])
  const folderOf = (digest: string): string => {
    if (!isDigest(digest)) throw new PackageError('Malformed', `${JSON.stringify(digest)} is not a digest`)
    return join(options.directory, digest.slice('sha256:'.length))
  }
  const load = async (digest: string): Promise<Package | undefined> => {
    const known = remembered.get(digest)
    if (known !== undefined) return known
    const found = await read(folderOf(digest))
    // It was fetched when other keys, or none, were trusted: to be fetched again, and checked.
    if (found === undefined || (trust !== undefined && found.trust !== trust)) return undefined
    if (!(await hasProgram(found.contents))) return undefined
    remember(digest, found.contents)
    return found.contents
  }
  /** What it runs is here, too, if it is to be. */
  const hasProgram = async ({ program }: Package): Promise<boolean> => {
    const { programs } = options
    if (program === undefined || programs === undefined || programs.unfit(program) !== undefined) return true
    return (await programs.find(program)) !== undefined
  }
  /** Of every package that is here. */
  const programsHere = async (): Promise<readonly Program[]> => {
    const names = (await readdir(options.directory).catch(() => [])).filter((name) => !name.includes('.'))
    const found = await Promise.all(names.map((name) => read(join(options.directory, name))))
    return found.flatMap((each) => (each?.contents.program === undefined ? [] : [each.contents.program]))
  }
  return {
    async fetch(text, { signal, dockerConfigs = [], signedBy, offline = false, onProgress } = {}) {
      const source = parseSource(text)
      if (offline && source.kind === 'image')
        throw new PackageError('NotFound', `${text} is not stored here, and packagePullPolicy Never forbids fetching it`)
      const { plainHttp, bundles, publicKeys, paths, programs } = options
      const registry = {
        signal,
        credentials: credentialsOf(dockerConfigs),
        plainHttp,
        bundles,
        publicKeys,
        signedBy,
        paths,
        programs,
        onProgress,
      }
      // What is here need not be downloaded again; what must be signed is looked at whole, since keys may have changed.
      if (source.kind === 'image' && (publicKeys ?? []).length === 0 && signedBy === undefined) {
        const digest = await resolveDigest(source, registry)
        const here = await load(digest)
        if (here !== undefined) return { digest, contents: here, ...identify(text, digest) }
      }
      const { digest, source: _source, ...contents } = await fetchPackage(source, registry)
      await save(folderOf(digest), contents, trust)
      remember(digest, contents)
      return { digest, contents, ...identify(text, digest) }
    },
    load,
    identify,
    async versions(repository, { signal, dockerConfigs = [], offline = false } = {}) {
      const source = parseSource(repository)
      // Of what is in a folder there is one version, and whoever wants it installs it.
      if (source.kind === 'path' || offline) return []
      const { plainHttp, bundles } = options
      return listTags(source.image, { signal, credentials: credentialsOf(dockerConfigs), plainHttp, bundles })
    },
    async prune(wanted) {
      const kept = new Set([...wanted, ...remembered.keys()].map((digest) => digest.slice('sha256:'.length)))
      const names = await readdir(options.directory).catch(() => [])
      for (const name of names.filter((each) => !kept.has(each))) {
        const path = join(options.directory, name)
        const { mtimeMs } = (await stat(path).catch(() => undefined)) ?? { mtimeMs: Number.POSITIVE_INFINITY }
        // One that has just come may be of a revision that is about to be made; so may the parts of one that is being written.
        if (mtimeMs < Date.now() - (options.keepMs ?? KEEP_MS)) await rm(path, { recursive: true, force: true })
      }
      await options.programs?.prune(await programsHere())
    },
    filesOf: (digest) => join(folderOf(digest), FILES),
  }
}

/** The first secret that knows the registry counts. */
function credentialsOf(dockerConfigs: readonly string[]): CredentialSource | undefined {
  if (dockerConfigs.length === 0) return undefined
  const sources = dockerConfigs.map((text) => parseDockerConfig(text, { name: 'a pull secret' }))
  return async (registry) => {
    for (const source of sources) {
      const found = await source(registry)
      if (found !== undefined) return found
    }
    return undefined
  }
}

function identify(text: string, digest: string): Pick<FetchedPackage, 'source' | 'version'> {
  const source = parseSource(text)
  return { source: repositoryOf(source), version: (source.kind === 'image' ? source.image.tag : undefined) ?? digest }
}

const CONTENTS = 'package.json'
const FILES = 'files'

/** Names the keys by one of which a package was signed when it was fetched; undefined where none are asked for. */
const trustOf = (publicKeys: readonly string[]): string | undefined =>
  publicKeys.length === 0
    ? undefined
    : createHash('sha256')
        .update(JSON.stringify(publicKeys.map((key) => key.trim()).toSorted()))
        .digest('hex')

async function save(folder: string, { files, ...contents }: Package, trust: string | undefined): Promise<void> {
  const before = await read(folder)
  if (before !== undefined && (trust === undefined || before.trust === trust)) return
  const parts = `${folder}.${randomUUID()}`
  try {
    await mkdir(join(parts, FILES), { recursive: true, mode: 0o700 })
    for (const [path, bytes] of files) {
      const target = resolve(parts, FILES, path)
      if (!target.startsWith(join(parts, FILES) + sep))
        throw new PackageError('Malformed', `file ${JSON.stringify(path)} lies outside the package`)
      await mkdir(dirname(target), { recursive: true })
      await writeFile(target, bytes)
    }
    await writeFile(join(parts, CONTENTS), stringifyJson({ ...contents, files: [...files.keys()], ...(trust !== undefined && { trust }) }))
    await rm(folder, { recursive: true, force: true })
    await rename(parts, folder)
  } catch (error) {
    await rm(parts, { recursive: true, force: true })
    // Somebody else was quicker, with the same bytes.
    if (error instanceof Error && 'code' in error && error.code === 'ENOTEMPTY') return
    throw error
  }
}

/** What is beside the files of a package. */
type Stored = Omit<Package, 'files'> & { readonly files: readonly string[]; readonly trust?: string }

/** Undefined when it is not there, or damaged: then it is fetched again. */
async function read(folder: string): Promise<{ readonly contents: Package; readonly trust: string | undefined } | undefined> {
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- we wrote it, under a name that says of what; what is cut short is no JSON
    const { files, trust, ...contents } = parseJson(await readFile(join(folder, CONTENTS), 'utf8')).value as unknown as Stored
    const bytes = await Promise.all(files.map(async (path) => [path, await readFile(join(folder, FILES, path))] as const))
    return { contents: { ...contents, files: new Map(bytes) }, trust }
  } catch {
    return undefined
  }
}

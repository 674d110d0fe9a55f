import { randomUUID } from 'node:crypto'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join, resolve, sep } from 'node:path'
import { parseJson, stringifyJson } from '@weft/api'
import {
  type CredentialSource,
  fetchPackage,
  isDigest,
  listTags,
  type Package,
  PackageError,
  parseDockerConfig,
  parseSource,
  repositoryOf,
  resolveDigest,
} from '@weft/xpkg'
import type { FetchedPackage, PackageStore } from './package-store.ts'

/** A package is read several times while it is being installed, and then not for a long time. */
const REMEMBER_MS = 20_000

export interface DiskStoreOptions {
  /** Made when it is first needed. */
  readonly directory: string
  /** Registries (`host[:port]`) that are spoken to without TLS. */
  readonly plainHttp?: readonly string[] | undefined
  /** PEM; with one or more, images must be signed by one of them. */
  readonly publicKeys?: readonly string[] | undefined
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
  const folderOf = (digest: string): string => {
    if (!isDigest(digest)) throw new PackageError('Malformed', `${JSON.stringify(digest)} is not a digest`)
    return join(options.directory, digest.slice('sha256:'.length))
  }
  const load = async (digest: string): Promise<Package | undefined> => {
    const known = remembered.get(digest)
    if (known !== undefined) return known
    const contents = await read(folderOf(digest))
    if (contents !== undefined) remember(digest, contents)
    return contents
  }
  return {
    async fetch(text, { signal, dockerConfigs = [], offline = false } = {}) {
      const source = parseSource(text)
      if (offline && source.kind === 'image')
        throw new PackageError('NotFound', `${text} is not here, and packagePullPolicy Never forbids to ask for it`)
      const { plainHttp, publicKeys } = options
      const registry = { signal, credentials: credentialsOf(dockerConfigs), plainHttp, publicKeys }
      // What is here need not be downloaded again; what must be signed is looked at whole, since keys may have changed.
      if (source.kind === 'image' && (publicKeys ?? []).length === 0) {
        const digest = await resolveDigest(source, registry)
        const here = await load(digest)
        if (here !== undefined) return { digest, contents: here, ...identify(text, digest) }
      }
      const { digest, source: _source, ...contents } = await fetchPackage(source, registry)
      await save(folderOf(digest), contents)
      remember(digest, contents)
      return { digest, contents, ...identify(text, digest) }
    },
    load,
    identify,
    async versions(repository, { signal, dockerConfigs = [], offline = false } = {}) {
      const source = parseSource(repository)
      // Of what is in a folder there is one version, and whoever wants it installs it.
      if (source.kind === 'path' || offline) return []
      return listTags(source.image, { signal, credentials: credentialsOf(dockerConfigs), plainHttp: options.plainHttp })
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

async function save(folder: string, { files, ...contents }: Package): Promise<void> {
  if ((await read(folder)) !== undefined) return
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
    await writeFile(join(parts, CONTENTS), stringifyJson({ ...contents, files: [...files.keys()] }))
    await rm(folder, { recursive: true, force: true })
    await rename(parts, folder)
  } catch (error) {
    await rm(parts, { recursive: true, force: true })
    // Somebody else was quicker, with the same bytes.
    if ((error as { code?: unknown }).code === 'ENOTEMPTY') return
    throw error
  }
}

/** Undefined when it is not there, or damaged: then it is fetched again. */
async function read(folder: string): Promise<Package | undefined> {
  try {
    const { files, ...contents } = parseJson(await readFile(join(folder, CONTENTS), 'utf8')).value as unknown as Omit<Package, 'files'> & {
      files: readonly string[]
    }
    const bytes = await Promise.all(files.map(async (path) => [path, await readFile(join(folder, FILES, path))] as const))
    return { ...contents, files: new Map(bytes) }
  } catch {
    return undefined
  }
}

import type { Digest } from './digest.ts'
import type { Package } from './format/package.ts'
import { parseFilesGently } from './format/parse-package.ts'
import type { ImageStore } from './image/image-store.ts'
import { readImage } from './image/read-image.ts'
import { DEFAULT_LIMITS, type Limits } from './limits.ts'
import { PackageError, whileDoing } from './package-error.ts'
import type { ProgramStore } from './program/program-store.ts'
import { withDeadline } from './registry/deadline.ts'
import type { RegistryOptions } from './registry/registry-options.ts'
import { registryStore, tagDigest } from './registry/registry-store.ts'
import { Repository } from './registry/repository.ts'
import type { RepositoryReader } from './registry/repository-reader.ts'
import { type Authority, byKeys } from './signature/authority.ts'
import { verifySignature } from './signature/verify-signature.ts'
import { allowedPath, type AllowedPaths } from './source/allowed-paths.ts'
import { openPath } from './source/open-path.ts'
import { formatSource, type ImageReference, type PackageSource } from './source/package-source.ts'

/** A package that was fetched whole and whose every byte is the one its digest names. */
export interface FetchedPackage extends Package {
  readonly source: PackageSource
  /**
   * The digest of the image's manifest or index. A directory, the .xpkg file built from it and the image pushed from that have the same
   * digest.
   */
  readonly digest: Digest
}

export interface FetchOptions extends RegistryOptions {
  readonly limits?: Partial<Limits>
  /** The image must be signed by one of these, besides what `publicKeys` ask for. */
  readonly signedBy?: readonly Authority[] | undefined
  /** Where packages on disk may be; anywhere, unless given. */
  readonly paths?: AllowedPaths | undefined
  /** Keeps what images run, where that can be done here. */
  readonly programs?: ProgramStore | undefined
  /** Told how far it is, in words, while what an image runs is fetched. */
  readonly onProgress?: ((message: string) => void) | undefined
}

/** What an image runs is much larger than what it says. */
const PROGRAM_TIMEOUT_MS = 9 * 60_000

/**
 * Reads a package from wherever it is. All or nothing: it answers a package that is complete, verified and valid, or throws a PackageError
 * that says why not; nothing is installed or left behind. Safe to call again at any time.
 */
export async function fetchPackage(source: PackageSource, options: FetchOptions = {}): Promise<FetchedPackage> {
  const limits = { ...DEFAULT_LIMITS, ...options.limits }
  const { store, ...fetched } = await withDeadline(options, `fetching ${formatSource(source)}`, async (signal): Promise<Read> => {
    if (source.kind === 'path') {
      if (mustBeSigned(options))
        throw new PackageError(
          'SignatureInvalid',
          `${source.path} is refused: packages must be signed by a trusted key, and what is on disk has no signature; push it to a registry with --sign-key and install it from there`,
        )
      const path = options.paths === undefined ? source.path : await allowedPath(source.path, options.paths)
      const { contents, digest, store: image } = await openPath({ ...source, path }, { limits, signal })
      return { ...contents, source, digest, store: image }
    }
    const repository = repositoryFor(source.image, { ...options, signal })
    const image = registryStore(source.image, repository)
    if (mustBeSigned(options)) await verifySignature(repository, (await image.root()).digest, byKeys(options.publicKeys))
    if (options.signedBy !== undefined) await verifySignature(repository, (await image.root()).digest, options.signedBy)
    const { digest, yaml, files, program } = await readImage(image, limits)
    const contents = await parseFilesGently([{ name: 'package.yaml', text: yaml }], { files, signal }).catch((error: unknown) => {
      throw whileDoing(image.name, error)
    })
    return { ...contents, source, digest, store: image, ...(program !== undefined && { program }) }
  })
  await keepProgram(fetched, store, options)
  return fetched
}

/** A package, and the image that it is in; undefined for one that was made of a folder. */
type Read = FetchedPackage & { readonly store: ImageStore | undefined }

async function keepProgram({ source, program }: FetchedPackage, store: ImageStore | undefined, options: FetchOptions): Promise<void> {
  const { programs, onProgress } = options
  if (program === undefined || store === undefined || programs === undefined || programs.unfit(program) !== undefined) return
  const long = { ...options, timeoutMs: PROGRAM_TIMEOUT_MS }
  await withDeadline(long, `fetching what ${formatSource(source)} runs`, async (signal) => {
    // What was opened before has a deadline that may be over by now.
    const image = source.kind === 'path' ? store : registryStore(source.image, repositoryFor(source.image, { ...options, signal }))
    await programs.keep(program, image, { signal, onProgress })
  })
}

const mustBeSigned = (options: FetchOptions): options is FetchOptions & { readonly publicKeys: readonly string[] } =>
  options.publicKeys !== undefined && options.publicKeys.length > 0

/** What `source` means now. For an image with a digest this needs no network, and nothing is downloaded for a tag. */
export async function resolveDigest(source: PackageSource, options: FetchOptions = {}): Promise<Digest> {
  if (source.kind === 'path') return (await fetchPackage(source, options)).digest
  if (source.image.digest !== undefined) return source.image.digest
  return withDeadline(options, `looking up ${formatSource(source)}`, (signal) =>
    tagDigest(source.image, repositoryFor(source.image, { ...options, signal })),
  )
}

/** Every tag of a repository (`registry/repository`, as repositoryOf answers it). */
export function listTags(image: Pick<ImageReference, 'registry' | 'repository'>, options: RegistryOptions = {}): Promise<string[]> {
  return withDeadline(options, `listing the tags of ${image.registry}/${image.repository}`, (signal) =>
    repositoryFor(image, { ...options, signal }).tags(),
  )
}

export function repositoryFor(
  image: Pick<ImageReference, 'registry' | 'repository'>,
  { credentials, plainHttp, bundles = [], ...options }: FetchOptions & { signal: AbortSignal },
): RepositoryReader {
  const limits = { ...DEFAULT_LIMITS, ...options.limits }
  for (const bundle of bundles) {
    const held = bundle.repository(image, limits)
    if (held !== undefined) return held
  }
  return new Repository(image, { actions: 'pull', credentials, plainHttp, limits, signal: options.signal })
}

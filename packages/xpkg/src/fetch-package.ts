import { stat } from 'node:fs/promises'
import type { Digest } from './digest.ts'
import type { Package } from './format/package.ts'
import { parseFilesGently } from './format/parse-package.ts'
import { readDirectory } from './format/read-directory.ts'
import { buildImage } from './image/build-image.ts'
import { DEFAULT_LIMITS, type Limits } from './limits.ts'
import { PackageError } from './package-error.ts'
import type { RegistryOptions } from './registry/registry-options.ts'
import { formatSource, type PackageSource } from './source/package-source.ts'

/** A package that was fetched whole and whose every byte is the one its digest names. */
export interface FetchedPackage extends Package {
  readonly source: PackageSource
  /**
   * The digest of the image's manifest. A directory, the .xpkg file built from it and the image pushed from that have the same digest.
   */
  readonly digest: Digest
}

export interface FetchOptions extends RegistryOptions {
  readonly limits?: Partial<Limits>
  /** Keeps blobs by digest between calls; what is in it is not downloaded again. */
  readonly cache?: BlobCache
}

/** Bytes by digest. Reads are verified by whoever reads, so a damaged cache costs a download and nothing else. */
export interface BlobCache {
  get(digest: Digest): Promise<Uint8Array | undefined>
  /** Atomic: after a crash a blob is there entirely or not at all. */
  put(digest: Digest, bytes: Uint8Array): Promise<void>
}

/**
 * Reads a package from wherever it is. All or nothing: it answers a package that is complete, verified and valid, or throws a PackageError
 * that says why not; nothing is installed or left behind. Safe to call again at any time.
 */
export async function fetchPackage(source: PackageSource, options: FetchOptions = {}): Promise<FetchedPackage> {
  const limits = { ...DEFAULT_LIMITS, ...options.limits }
  if (source.kind === 'image') throw new PackageError('Unsupported', `${formatSource(source)}: registries are not supported yet`)
  const stats = await stat(source.path).catch((cause: unknown) => {
    throw new PackageError('NotFound', `${source.path} cannot be read: ${(cause as Error).message}`, { cause })
  })
  if (!stats.isDirectory()) throw new PackageError('Unsupported', `${source.path}: only directories are supported yet`)
  const { yaml, files } = await readDirectory(source.path, limits)
  const contents = await parseFilesGently(yaml, { files, signal: options.signal })
  const { digest } = await buildImage(contents)
  if (source.digest !== undefined && source.digest !== digest)
    throw new PackageError('DigestMismatch', `${source.path} has the digest ${digest}, but ${source.digest} was asked for`)
  return { ...contents, source, digest }
}

import { realpath, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzip, isGzip } from '../archive/gzip.ts'
import { readTar } from '../archive/read-tar.ts'
import type { Digest } from '../digest.ts'
import type { Package } from '../format/package.ts'
import { parseFilesGently } from '../format/parse-package.ts'
import { readDirectory } from '../format/read-directory.ts'
import { buildImage } from '../image/build-image.ts'
import type { ImageStore } from '../image/image-store.ts'
import { tarballImage } from '../image/image-tarball.ts'
import { memoryStore } from '../image/memory-store.ts'
import { LAYOUT_FILE, type LayoutFile, layoutStore } from '../image/oci-layout.ts'
import { readImage } from '../image/read-image.ts'
import type { Limits } from '../limits.ts'
import { PackageError, whileDoing } from '../package-error.ts'
import type { PackageSource } from './package-source.ts'
import { readPlainFile } from './read-file.ts'

type PathSource = Extract<PackageSource, { kind: 'path' }>

interface Opening {
  readonly limits: Limits
  readonly signal?: AbortSignal
}

/** What is at a path. */
export interface OpenedPath {
  readonly contents: Package
  readonly digest: Digest
  /** Undefined for a folder with the source of a package, which runs nothing. */
  readonly store: ImageStore | undefined
}

/** Reads what is at a path: an OCI layout, a directory with crossplane.yaml, or an .xpkg file. */
export async function openPath(source: PathSource, { limits, signal }: Opening): Promise<OpenedPath> {
  const { path } = source
  const stats = await stat(path).catch((cause: NodeJS.ErrnoException) => {
    throw new PackageError(
      'NotFound',
      `${path} cannot be read: ${cause.code === 'ENOENT' ? 'there is no such file or directory' : cause.message}`,
      { cause },
    )
  })
  try {
    if (stats.isDirectory() && !(await holdsLayout(path))) {
      const { yaml, files } = await readDirectory(path, limits)
      const contents = await parseFilesGently(yaml, { files, ...(signal && { signal }) })
      const { digest } = await buildImage(contents)
      requireDigest(source, digest)
      return { contents, digest, store: undefined }
    }
    const store = await imageStore(source, { limits })
    const { digest, yaml, files, program } = await readImage(store, limits)
    requireDigest(source, digest)
    const contents = await parseFilesGently([{ name: 'package.yaml', text: yaml }], { files, ...(signal && { signal }) })
    return { contents: { ...contents, program }, digest, store }
  } catch (error) {
    throw error instanceof PackageError && error.message.includes(path) ? error : whileDoing(path, error)
  }
}

/** The image in an .xpkg file or OCI layout. It may hold a program, and so be larger than what is read of it as a package. */
export async function imageStore({ path, digest }: PathSource, { limits: ofPackages }: Opening): Promise<ImageStore> {
  const limits = { ...ofPackages, blobBytes: ofPackages.imageBytes, unpackedBytes: ofPackages.imageBytes }
  if ((await stat(path)).isDirectory()) return layoutStore(fileOf(path), { name: path, digest, limits })
  // Where a link was asked for, its target is what is meant; within a package there are none.
  const bytes = await readPlainFile(await realpath(path), limits.blobBytes)
  if (bytes === undefined) throw new PackageError('NotFound', `${path} cannot be read: there is no such file`)
  const archive = isGzip(bytes) ? await gunzip(bytes, { maxBytes: limits.unpackedBytes, what: path }) : bytes
  const files = await readTar(archive, { limits, what: path })
  return files.has(LAYOUT_FILE)
    ? layoutStore(async (name) => files.get(name), { name: path, digest, limits })
    : memoryStore(tarballImage(files, path), path)
}

/** Is the directory an OCI layout? Otherwise it is the source of a package. */
export const holdsLayout = async (directory: string): Promise<boolean> =>
  (await stat(join(directory, LAYOUT_FILE)).catch(() => undefined))?.isFile() ?? false

function requireDigest({ path, digest: wanted }: PathSource, digest: Digest): void {
  if (wanted === undefined || wanted === digest) return
  throw new PackageError('DigestMismatch', `${path} has the digest ${digest}, but ${wanted} was asked for; it is not used`)
}

const fileOf =
  (directory: string): LayoutFile =>
  (name, maxBytes) =>
    readPlainFile(join(directory, name), maxBytes)

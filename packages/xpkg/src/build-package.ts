import { randomBytes } from 'node:crypto'
import { mkdir, open, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { messageOf } from '@weft/api'
import type { Digest } from './digest.ts'
import type { Package } from './format/package.ts'
import { parseFilesGently } from './format/parse-package.ts'
import { readDirectory } from './format/read-directory.ts'
import { buildImage, type Image, type Runtime } from './image/build-image.ts'
import { writeTarball } from './image/image-tarball.ts'
import { layoutFiles } from './image/oci-layout.ts'
import { DEFAULT_LIMITS } from './limits.ts'
import { PackageError } from './package-error.ts'

export interface BuiltPackage {
  readonly contents: Package
  readonly digest: Digest
  readonly image: Image
}

/** Reads and checks a directory and makes its image; the same files always give the same image. Writes nothing. */
export async function buildPackage(directory: string, runtime?: Runtime): Promise<BuiltPackage> {
  const { yaml, files } = await readDirectory(directory, DEFAULT_LIMITS)
  const contents = await parseFilesGently(yaml, { files })
  if (runtime !== undefined && contents.type === 'Configuration')
    throw new PackageError('Malformed', `${directory} is a Configuration, which runs nothing: build it without a program`)
  const image = await buildImage(contents, runtime)
  return { contents, digest: image.digest, image }
}

/** Writes an .xpkg file. It is there entirely or not at all. */
export async function writeXpkg({ image }: BuiltPackage, path: string): Promise<void> {
  const temporary = `${path}.part-${randomBytes(6).toString('hex')}`
  try {
    const file = await open(temporary, 'wx')
    try {
      await file.writeFile(await writeTarball(image))
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(temporary, path)
  } catch (cause) {
    await rm(temporary, { force: true })
    throw new PackageError('NotFound', `${path} cannot be written: ${messageOf(cause)}`, { cause })
  }
}

/** Writes an OCI layout to a directory that does not exist yet. It is there entirely or not at all. */
export async function writeOciLayout({ image }: BuiltPackage, directory: string): Promise<void> {
  const temporary = `${directory}.part-${randomBytes(6).toString('hex')}`
  try {
    await mkdir(temporary, { recursive: true })
    for (const [name, bytes] of layoutFiles(image)) {
      await mkdir(dirname(join(temporary, name)), { recursive: true })
      await writeFile(join(temporary, name), bytes)
    }
    await rename(temporary, directory)
  } catch (cause) {
    await rm(temporary, { recursive: true, force: true })
    throw new PackageError('NotFound', `${directory} cannot be written: ${messageOf(cause)}; name a directory that does not exist yet`, {
      cause,
    })
  }
}

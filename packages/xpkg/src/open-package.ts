import { stat } from 'node:fs/promises'
import { buildPackage, type BuiltPackage } from './build-package.ts'
import type { Digest } from './digest.ts'
import { parseFilesGently } from './format/parse-package.ts'
import { type Image } from './image/build-image.ts'
import type { ImageStore } from './image/image-store.ts'
import { chooseImage, jsonOf, MEDIA_TYPES, parseManifest } from './image/manifest.ts'
import { readImage } from './image/read-image.ts'
import { DEFAULT_LIMITS } from './limits.ts'
import { PackageError, whileDoing } from './package-error.ts'
import { holdsLayout, imageStore } from './source/open-path.ts'

/**
 * Reads a package from disk with the image it is kept as, for sending it on: a directory is built, an .xpkg file or OCI layout is taken
 * byte for byte. Either is checked as when it is installed.
 */
export async function openPackage(path: string): Promise<BuiltPackage> {
  const stats = await stat(path).catch((cause: unknown) => {
    throw new PackageError('NotFound', `${path} cannot be read: there is no such file or directory`, { cause })
  })
  if (stats.isDirectory() && !(await holdsLayout(path))) return buildPackage(path)
  try {
    const store = await imageStore({ kind: 'path', path }, { limits: DEFAULT_LIMITS })
    const { yaml, files, program } = await readImage(store, DEFAULT_LIMITS)
    const contents = { ...(await parseFilesGently([{ name: 'package.yaml', text: yaml }], { files })), program }
    const image = await wholeImage(store)
    return { contents, image, digest: image.digest }
  } catch (error) {
    throw error instanceof PackageError && error.message.includes(path) ? error : whileDoing(path, error)
  }
}

/** Every blob of one image. */
export async function wholeImage(store: ImageStore): Promise<Image> {
  let { bytes, digest } = await store.root()
  let document = parseManifest(bytes, `manifest of ${store.name}`)
  if (document.kind === 'index') {
    const chosen = chooseImage(document.manifests, store.name)
    digest = chosen.digest
    bytes = await store.manifest(chosen)
    document = parseManifest(bytes, `manifest ${digest} of ${store.name}`)
  }
  if (document.kind === 'index') throw new PackageError('Malformed', `${store.name} is an image index of image indexes`)
  const { config, layers } = document.manifest
  const blobs = new Map<Digest, Uint8Array>()
  for (const descriptor of [config, ...layers]) blobs.set(descriptor.digest, await store.blob(descriptor))
  const { mediaType } = jsonOf(bytes, `manifest of ${store.name}`)
  return { digest, manifest: bytes, mediaType: typeof mediaType === 'string' ? mediaType : MEDIA_TYPES.manifest, config, layers, blobs }
}

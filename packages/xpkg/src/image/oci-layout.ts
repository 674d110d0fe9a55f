import { type Digest, verifyDigest } from '../digest.ts'
import type { Limits } from '../limits.ts'
import { PackageError } from '../package-error.ts'
import { type Image, json } from './build-image.ts'
import type { ImageStore } from './image-store.ts'
import { chooseImage, type Descriptor, MEDIA_TYPES, parseManifest } from './manifest.ts'

/** A file of the layout by its path; undefined when it is not there. Never answers more than `maxBytes`. */
export type LayoutFile = (path: string, maxBytes: number) => Promise<Uint8Array | undefined>

export const LAYOUT_FILE = 'oci-layout'
const INDEX_FILE = 'index.json'
const blobPath = (digest: Digest): string => `blobs/sha256/${digest.slice('sha256:'.length)}`

interface LayoutOptions {
  readonly name: string
  readonly digest?: Digest | undefined
  readonly limits: Limits
}

/** An image layout (`oci-layout`, `index.json`, `blobs/`), on disk or in an archive. A digest says which image, where there are several. */
export function layoutStore(read: LayoutFile, { name, digest, limits }: LayoutOptions): ImageStore {
  const fetch = async (descriptor: Pick<Descriptor, 'digest'>, maxBytes: number): Promise<Uint8Array> => {
    const bytes = await read(blobPath(descriptor.digest), maxBytes)
    if (bytes === undefined) throw new PackageError('Malformed', `${name} lacks the blob ${descriptor.digest}: it is incomplete`)
    verifyDigest(bytes, descriptor.digest, `blob ${descriptor.digest} of ${name}`)
    return bytes
  }
  return {
    name,
    async root() {
      const index = await read(INDEX_FILE, limits.manifestBytes)
      if (index === undefined) throw new PackageError('Malformed', `${name} has no ${INDEX_FILE}`)
      const chosen = digest ?? onlyImage(index, name)
      if (digest !== undefined && (await read(blobPath(digest), limits.manifestBytes)) === undefined)
        throw new PackageError('DigestMismatch', `${name} contains no image ${digest}, which was requested; it is not used`)
      return { bytes: await fetch({ digest: chosen }, limits.manifestBytes), digest: chosen }
    },
    manifest: (descriptor) => fetch(descriptor, limits.manifestBytes),
    blob: (descriptor) => fetch(descriptor, limits.blobBytes),
  }
}

function onlyImage(index: Uint8Array, name: string): Digest {
  const document = parseManifest(index, `${INDEX_FILE} of ${name}`)
  if (document.kind !== 'index') throw new PackageError('Malformed', `${INDEX_FILE} of ${name} is not an image index`)
  const { manifests } = document
  if (manifests.length > 1 && manifests.every(({ platform }) => platform === undefined))
    throw new PackageError('Malformed', `${name} contains ${manifests.length} images; say which one: add @${manifests[0]?.digest}`)
  return chooseImage(manifests, name).digest
}

/** The files of a layout that holds one image. */
export function layoutFiles(image: Image): Map<string, Uint8Array> {
  const descriptor = { mediaType: image.mediaType, digest: image.digest, size: image.manifest.length }
  return new Map<string, Uint8Array>([
    [LAYOUT_FILE, json({ imageLayoutVersion: '1.0.0' })],
    [INDEX_FILE, json({ schemaVersion: 2, mediaType: MEDIA_TYPES.index, manifests: [descriptor] })],
    [blobPath(image.digest), image.manifest],
    ...[...image.blobs].map(([digest, bytes]) => [blobPath(digest), bytes] as const),
  ])
}

import type { Digest } from '../digest.ts'
import type { ImageStore, RootManifest } from '../image/image-store.ts'
import { PackageError } from '../package-error.ts'
import { formatImage, type ImageReference } from '../source/package-source.ts'
import type { RepositoryReader } from './repository-reader.ts'

/** An image in a registry. */
export function registryStore(image: ImageReference, repository: RepositoryReader): ImageStore {
  const manifest = async (digest: Digest): Promise<Uint8Array> => (await repository.manifest(digest)).bytes
  const lookUp = async (): Promise<RootManifest> => {
    const digest = image.digest ?? (await tagDigest(image, repository))
    return { bytes: await manifest(digest), digest }
  }
  let root: Promise<RootManifest> | undefined
  return {
    name: formatImage(image),
    // Looked up once: a tag that moves meanwhile must not lead to other bytes than those whose signature was checked.
    root: () => (root ??= lookUp()),
    manifest: ({ digest }) => manifest(digest),
    blob: (descriptor) => repository.blob(descriptor),
    download: (descriptor, path, maxBytes) => repository.download(descriptor, path, maxBytes),
  }
}

export async function tagDigest(image: ImageReference, repository: RepositoryReader): Promise<Digest> {
  const digest = await repository.resolve(image.tag ?? 'latest')
  if (digest === undefined) throw new PackageError('NotFound', `${formatImage(image)} does not exist; check the name and the tag`)
  return digest
}

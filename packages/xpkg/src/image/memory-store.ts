import { PackageError } from '../package-error.ts'
import type { Image } from './build-image.ts'
import type { ImageStore } from './image-store.ts'

/** An image that is in memory already. */
export function memoryStore(image: Image, name: string): ImageStore {
  return {
    name,
    root: async () => ({ bytes: image.manifest, digest: image.digest }),
    manifest: async ({ digest }) => {
      throw new PackageError('Malformed', `${name} has no manifest ${digest}`)
    },
    async blob({ digest }) {
      const bytes = image.blobs.get(digest)
      if (bytes === undefined) throw new PackageError('Malformed', `${name} lacks the blob ${digest}: it is incomplete`)
      return bytes
    },
  }
}

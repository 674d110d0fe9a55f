import type { Digest } from './digest.ts'
import type { Image } from './image/build-image.ts'
import { withDeadline } from './registry/deadline.ts'
import type { RegistryOptions } from './registry/registry-options.ts'
import { Repository } from './registry/repository.ts'
import { pushSignature } from './signature/push-signature.ts'
import { formatImage, type ImageReference } from './source/package-source.ts'

export interface PushOptions extends Omit<RegistryOptions, 'publicKeys'> {
  /** PEM private key to sign the image with, as cosign does. */
  readonly signingKey?: string | undefined
}

/** Uploads an image; the tag appears last, so nobody ever sees half of it. Repeating it is harmless. */
export function pushImage(image: Image, target: ImageReference, options: PushOptions = {}): Promise<Digest> {
  return withDeadline(options, `pushing ${formatImage(target)}`, async (signal) => {
    const repository = new Repository(target, { ...options, actions: 'pull,push', signal })
    for (const [digest, bytes] of image.blobs) await repository.pushBlob(digest, bytes)
    // With a signature, it is there before the tag: whoever requires one never finds the image without.
    if (options.signingKey !== undefined) {
      await repository.pushManifest(image.digest, image.manifest, image.mediaType)
      await pushSignature(repository, image.digest, options.signingKey)
    }
    await repository.pushManifest(target.tag ?? image.digest, image.manifest, image.mediaType)
    return image.digest
  })
}

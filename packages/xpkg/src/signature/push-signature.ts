import { createPrivateKey, type KeyObject, sign } from 'node:crypto'
import { type Digest, digestOf } from '../digest.ts'
import { imageOf, json } from '../image/build-image.ts'
import type { Descriptor } from '../image/manifest.ts'
import { PackageError } from '../package-error.ts'
import type { Repository } from '../registry/repository.ts'
import { layersOf, PAYLOAD_TYPE, SIGNATURE, signatureTag, STATEMENT } from './beside-image.ts'

/** Signs an image that was pushed, as cosign does: under a tag beside it, one layer per signature. Signatures that are there already stay. */
export async function pushSignature(repository: Repository, digest: Digest, privateKeyPem: string): Promise<void> {
  const key = privateKey(privateKeyPem)
  const payload = json({
    critical: { identity: { 'docker-reference': repository.name }, image: { 'docker-manifest-digest': digest }, type: STATEMENT },
    optional: null,
  })
  const signature = sign(key.asymmetricKeyType === 'ed25519' ? null : 'sha256', payload, key).toString('base64')
  const layer: Descriptor = {
    mediaType: PAYLOAD_TYPE,
    digest: digestOf(payload),
    size: payload.length,
    annotations: { [SIGNATURE]: signature },
  }
  const before = await layersOf(repository, signatureTag(digest))
  const layers = [...before, layer]
  const config = json({ architecture: '', os: '', config: {}, rootfs: { type: 'layers', diff_ids: layers.map((each) => each.digest) } })
  const configDescriptor = { mediaType: 'application/vnd.oci.image.config.v1+json', digest: digestOf(config), size: config.length }
  const image = imageOf(configDescriptor, layers, new Map())
  await repository.pushBlob(layer.digest, payload)
  await repository.pushBlob(configDescriptor.digest, config)
  await repository.pushManifest(signatureTag(digest), image.manifest, image.mediaType)
}

function privateKey(pem: string): KeyObject {
  try {
    return createPrivateKey(pem)
  } catch {
    // The cause may quote the key.
    throw new PackageError('Malformed', 'the signing key is not an unencrypted PEM private key (BEGIN PRIVATE KEY)')
  }
}

import { isJsonObject } from '@weft/api'
import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import { type Digest, digestOf } from '../digest.ts'
import { imageOf, json } from '../image/build-image.ts'
import { type Descriptor, jsonOf, parseManifest } from '../image/manifest.ts'
import { PackageError } from '../package-error.ts'
import type { Repository } from '../registry/repository.ts'
import type { RepositoryReader } from '../registry/repository-reader.ts'

/**
 * Signatures as cosign keeps them beside an image: under the tag `sha256-<digest>.sig`, one layer per signature, whose bytes name the digest
 * and whose annotation signs those bytes.
 */
const ANNOTATION = 'dev.cosignproject.cosign/signature'
const PAYLOAD_TYPE = 'application/vnd.dev.cosign.simplesigning.v1+json'
const STATEMENT = 'cosign container image signature'
/** More signatures than this are not looked at. */
const MAX_SIGNATURES = 32
const MAX_PAYLOAD_BYTES = 64 * 1024

/** Where the signatures of an image are. */
export const signatureTag = (digest: Digest): string => `${digest.replace(':', '-')}.sig`

/** Throws `SignatureInvalid` unless one of the keys signed exactly this digest. */
export async function verifySignature(repository: RepositoryReader, digest: Digest, publicKeys: readonly string[]): Promise<void> {
  const keys = publicKeys.map(publicKey)
  const unsigned = (why: string): PackageError =>
    new PackageError(
      'SignatureInvalid',
      `${repository.name}@${digest} is refused: ${why}; sign it with a trusted key, or trust the key that it was signed with`,
    )
  const layers = await signaturesOf(repository, digest)
  if (layers.length === 0) throw unsigned('it has no signature')
  for (const layer of layers.slice(0, MAX_SIGNATURES)) {
    const signature = Buffer.from(layer.annotations?.[ANNOTATION] ?? '', 'base64')
    if (signature.length === 0 || layer.size > MAX_PAYLOAD_BYTES) continue
    const payload = await repository.blob(layer)
    if (keys.some((key) => isValid(payload, key, signature)) && names(payload, digest)) return
  }
  throw unsigned('no trusted key has signed it')
}

async function signaturesOf(repository: RepositoryReader, digest: Digest): Promise<readonly Descriptor[]> {
  const tag = signatureTag(digest)
  const there = await repository.resolve(tag)
  if (there === undefined) return []
  const document = parseManifest((await repository.manifest(there)).bytes, `signatures of ${repository.name}`)
  return document.kind === 'manifest' ? document.manifest.layers : []
}

function isValid(payload: Uint8Array, key: KeyObject, signature: Uint8Array): boolean {
  try {
    return verify(key.asymmetricKeyType === 'ed25519' ? null : 'sha256', payload, key, signature)
  } catch {
    return false
  }
}

/** A signature of another image, moved here, is none of this one. */
function names(payload: Uint8Array, digest: Digest): boolean {
  const { critical } = jsonOf(payload, 'signature')
  if (!isJsonObject(critical) || critical['type'] !== STATEMENT) return false
  const { image } = critical
  return isJsonObject(image) && image['docker-manifest-digest'] === digest
}

function publicKey(pem: string): KeyObject {
  try {
    return createPublicKey(pem)
  } catch (cause) {
    throw new PackageError('Malformed', 'a trusted key is not a PEM public key (BEGIN PUBLIC KEY)', { cause })
  }
}

/** Signs an image that was pushed. Signatures that are there already stay. */
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
    annotations: { [ANNOTATION]: signature },
  }
  const before = await signaturesOf(repository, digest)
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

import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import type { Digest } from '../digest.ts'
import { PackageError } from '../package-error.ts'
import type { RepositoryReader } from '../registry/repository-reader.ts'
import type { Authority, TrustedKey } from './authority.ts'
import { besideImage, type FoundSignature, PLAIN } from './beside-image.ts'

/** Answers why a signature is not good enough; undefined when it is. */
type Check = (found: FoundSignature) => string | undefined

/** Throws `SignatureInvalid` unless one of the authorities signed exactly this digest, or a statement about it of the type that it is asked for. */
export async function verifySignature(repository: RepositoryReader, digest: Digest, authorities: readonly Authority[]): Promise<void> {
  const plain = authorities.filter(({ attestations = [] }) => attestations.length === 0)
  const stated = authorities.filter((each) => !plain.includes(each))
  const reasons = new Set<string>()
  for (const [group, statements] of [[plain, false] as const, [stated, true] as const]) {
    if (group.length === 0) continue
    const checks = await Promise.all(group.map(async (authority) => ({ authority, check: await checkOf(authority) })))
    for await (const found of besideImage(repository, digest, { statements }))
      for (const { authority, check } of checks) {
        const why = misfit(found, digest, authority) ?? check(found)
        if (why === undefined) return
        reasons.add(`${authority.name}: ${why}`)
      }
  }
  throw new PackageError(
    'SignatureInvalid',
    `${repository.name}@${digest} is refused: ${reasons.size === 0 ? 'it has no signature' : listed([...reasons])}; have it signed by somebody whom you trust, or trust whoever signed it`,
  )
}

/** A signature of another image, moved here, is none of this one. */
function misfit({ digests, type }: FoundSignature, digest: Digest, { attestations = [] }: Authority): string | undefined {
  if (!digests.includes(digest)) return 'what was signed is another image'
  const wanted = attestations.length === 0 ? [PLAIN] : attestations.map((each) => SHORT_NAMES[each] ?? each)
  return wanted.includes(type) ? undefined : `what was signed is a statement of type ${JSON.stringify(type.slice(0, MAX_TYPE))}`
}

async function checkOf({ key, keyless }: Authority): Promise<Check> {
  const byKey = key === undefined ? undefined : keyCheck(key)
  // Few ask for identities, and what knows them is large.
  const byIdentity = keyless === undefined ? undefined : (await import('./identity.ts')).identityCheck(keyless)
  if (byKey === undefined && byIdentity === undefined) return () => 'it has neither a key nor an identity'
  return (found) => byKey?.(found) ?? byIdentity?.(found)
}

function keyCheck({ pem, hash = 'sha256' }: TrustedKey): Check {
  const key = publicKey(pem)
  return ({ signed, signature }) => (isValid(signed, { key, hash }, signature) ? undefined : 'the key did not sign it')
}

function isValid(payload: Uint8Array, { key, hash }: { readonly key: KeyObject; readonly hash: string }, signature: Uint8Array): boolean {
  try {
    return verify(key.asymmetricKeyType === 'ed25519' ? null : hash, payload, key, signature)
  } catch {
    return false
  }
}

function publicKey(pem: string): KeyObject {
  try {
    return createPublicKey(pem)
  } catch (cause) {
    throw new PackageError('Malformed', 'a trusted key is not a PEM public key (BEGIN PUBLIC KEY)', { cause })
  }
}

/** What cosign calls types of statements for short. */
const SHORT_NAMES: Readonly<Record<string, string>> = {
  custom: 'https://cosign.sigstore.dev/attestation/v1',
  cyclonedx: 'https://cyclonedx.org/bom',
  link: 'https://in-toto.io/Link/v1',
  openvex: 'https://openvex.dev/ns',
  slsaprovenance: 'https://slsa.dev/provenance/v0.2',
  slsaprovenance02: 'https://slsa.dev/provenance/v0.2',
  slsaprovenance1: 'https://slsa.dev/provenance/v1',
  spdx: 'https://spdx.dev/Document',
  spdxjson: 'https://spdx.dev/Document',
  vuln: 'https://cosign.sigstore.dev/attestation/vuln/v1',
}

const MAX_TYPE = 100
const NAMED = 4
const listed = (reasons: readonly string[]): string =>
  `${reasons.slice(0, NAMED).join('; ')}${reasons.length > NAMED ? `; and ${reasons.length - NAMED} more` : ''}`

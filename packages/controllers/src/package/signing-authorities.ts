import { SYSTEM_NAMESPACE } from '@weft/api'
import { type Client, configMapKind, secretKind } from '@weft/client'
import type { Authority, Keyless } from '@weft/xpkg'
import type { ImageConfig, SigningAuthority } from './kinds.ts'
import { PackageRefusal } from './package-refusal.ts'

/** On an ImageConfig: the ConfigMap with the trusted root of Sigstore by which its identities are known. */
const ROOT_ANNOTATION = 'pkg.weft.dev/trusted-root'
const ROOT_KEY = 'trusted_root.json'

/** Who must have signed an image, and who says so. */
export interface Verification {
  readonly of: string
  readonly authorities: readonly SigningAuthority[]
  /** Of a ConfigMap. */
  readonly trustedRoot?: string | undefined
}

export const verificationOf = ({ metadata, spec }: ImageConfig): Verification => ({
  of: metadata.name ?? '',
  authorities: spec.verification?.cosign?.authorities ?? [],
  trustedRoot: metadata.annotations?.[ROOT_ANNOTATION],
})

/** With what they are known by: keys and the trusted root are read anew each time, since they change. */
export function authoritiesOf(client: Client, verification: Verification, trustedRoot: string | undefined): Promise<readonly Authority[]> {
  return Promise.all(
    verification.authorities.map(async ({ name, key, keyless, attestations = [] }): Promise<Authority> => ({
      name: `authority ${name}`,
      ...(key !== undefined && { key: { pem: await keyOf(client, verification, key.secretRef), hash: key.hashAlgorithm } }),
      ...(keyless !== undefined && { keyless: await identitiesOf(client, verification, { keyless, trustedRoot }) }),
      attestations: attestations.map(({ predicateType }) => predicateType),
    })),
  )
}

async function keyOf(client: Client, { of }: Verification, ref: { readonly name: string; readonly key: string }): Promise<string> {
  const secret = await client.find(secretKind, { namespace: SYSTEM_NAMESPACE, name: ref.name })
  const data = secret?.data?.[ref.key]
  if (data !== undefined) return Buffer.from(data, 'base64').toString()
  throw missing(of, `the key ${ref.key} of Secret`, ref.name, secret !== undefined)
}

async function identitiesOf(
  client: Client,
  { of, trustedRoot: named }: Verification,
  { keyless, trustedRoot }: { readonly keyless: NonNullable<SigningAuthority['keyless']>; readonly trustedRoot: string | undefined },
): Promise<Keyless> {
  const root = named === undefined ? trustedRoot : await rootIn(client, of, named)
  if (root === undefined)
    throw new PackageRefusal(
      'UnpackingPackage',
      `ImageConfig ${of} requires an identity (keyless), but no certificates and logs are trusted yet: give Sigstore's trusted root with weft up --trusted-root FILE, or in a ConfigMap (${ROOT_KEY}) that the annotation ${ROOT_ANNOTATION} of the ImageConfig names`,
      { retry: true },
    )
  return { identities: keyless.identities ?? [], ignoreCertificateLog: keyless.insecureIgnoreSCT === true, trustedRoot: root }
}

async function rootIn(client: Client, of: string, name: string): Promise<string> {
  const found = await client.find(configMapKind, { namespace: SYSTEM_NAMESPACE, name })
  const text = found?.data?.[ROOT_KEY]
  if (text !== undefined) return text
  throw missing(of, `the key ${ROOT_KEY} of ConfigMap`, name, found !== undefined)
}

const missing = (of: string, what: string, name: string, isThere: boolean): PackageRefusal =>
  new PackageRefusal(
    'UnpackingPackage',
    `ImageConfig ${of} names ${what} ${SYSTEM_NAMESPACE}/${name}, which ${isThere ? 'has no such key' : 'does not exist'}`,
    { retry: true },
  )

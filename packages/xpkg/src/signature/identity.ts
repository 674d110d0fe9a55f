import { bundleFromJSON } from '@sigstore/bundle'
import { TrustedRoot } from '@sigstore/protobuf-specs'
import { toSignedEntity, toTrustMaterial, type TrustMaterial, Verifier } from '@sigstore/verify'
import { isJsonObject, messageOf, parseJson } from '@weft/api'
import { RE2JS } from 're2js'
import { PackageError } from '../package-error.ts'
import type { Identity, Keyless } from './authority.ts'
import type { FoundSignature } from './beside-image.ts'
import type { SerializedBundle } from './bundle.ts'

/**
 * Whether a signature is by one of the identities: by a certificate that a trusted authority issued to it, at a time that a trusted log or timestamp vouches
 * for, and noted in a trusted log. Everything is checked by what the bundle and the trusted root hold. Answers why not; undefined when it is.
 */
export type IdentityCheck = (found: FoundSignature) => string | undefined

export function identityCheck({ identities, ignoreCertificateLog, trustedRoot }: Keyless): IdentityCheck {
  const wanted = identities.map(matcherOf)
  // Whoever can show any identity at all could sign.
  if (wanted.length === 0)
    throw new PackageError('Malformed', 'keyless names no identities: give the issuer and the subject of whoever signs')
  const verifier = new Verifier(trustOf(trustedRoot), {
    ctlogThreshold: ignoreCertificateLog ? 0 : 1,
    tlogThreshold: 1,
    timestampThreshold: 1,
  })
  return ({ bundle, signed }) => {
    if (bundle === undefined) return 'it was signed without a certificate'
    try {
      mustBePlain(bundle)
      const { identity } = verifier.verify(toSignedEntity(bundleFromJSON(bundle), Buffer.from(signed)))
      const issuer = identity?.extensions?.issuer ?? ''
      const subject = identity?.subjectAlternativeName ?? ''
      if (wanted.some((fits) => fits(issuer, subject))) return undefined
      return `it was signed by ${quoted(subject)} of ${quoted(issuer)}`
    } catch (error) {
      return `its certificate or log entry is not to be trusted (${causesOf(error).slice(0, MAX_TEXT)})`
    }
  }
}

function trustOf(text: string): TrustMaterial {
  try {
    const { value } = parseJson(text)
    const { mediaType } = isJsonObject(value) ? value : {}
    if (typeof mediaType !== 'string' || !mediaType.startsWith(ROOT_TYPE)) throw new Error(`its mediaType is not ${ROOT_TYPE}…`)
    return toTrustMaterial(TrustedRoot.fromJSON(value))
  } catch (cause) {
    throw new PackageError('Malformed', `the trusted root is not one of Sigstore (trusted_root.json): ${messageOf(cause)}`, { cause })
  }
}

function matcherOf({ issuer, subject, issuerRegExp, subjectRegExp }: Identity): (issuer: string, subject: string) => boolean {
  const ofIssuer = testsOf(issuer, issuerRegExp)
  const ofSubject = testsOf(subject, subjectRegExp)
  if (ofIssuer.length + ofSubject.length === 0)
    throw new PackageError('Malformed', 'an identity of keyless fits everybody: give its issuer and its subject')
  return (byIssuer, bySubject) => ofIssuer.every((fits) => fits(byIssuer)) && ofSubject.every((fits) => fits(bySubject))
}

function testsOf(exact: string | undefined, pattern: string | undefined): readonly ((text: string) => boolean)[] {
  const compiled = pattern === undefined || pattern === '' ? undefined : compile(pattern)
  return [
    ...(exact === undefined || exact === '' ? [] : [(text: string) => text === exact]),
    ...(compiled === undefined ? [] : [(text: string) => compiled.matcher(text).find()]),
  ]
}

function compile(pattern: string): RE2JS {
  try {
    return RE2JS.compile(pattern)
  } catch (cause) {
    throw new PackageError('Malformed', `an identity of keyless has a pattern that cannot be read: ${JSON.stringify(pattern)}`, { cause })
  }
}

/**
 * The library takes the name of a checkpoint's signer for a regular expression. A bundle is a stranger's: one that is not a plain name could keep this process
 * busy for ever.
 */
function mustBePlain({ verificationMaterial }: SerializedBundle): void {
  const entries = isJsonObject(verificationMaterial) ? verificationMaterial['tlogEntries'] : undefined
  for (const entry of Array.isArray(entries) ? (entries as unknown[]) : []) {
    const proof = isJsonObject(entry) ? entry['inclusionProof'] : undefined
    const checkpoint = isJsonObject(proof) ? proof['checkpoint'] : undefined
    const envelope = isJsonObject(checkpoint) ? checkpoint['envelope'] : undefined
    for (const line of String(envelope ?? '').split('\n'))
      if (line.includes('\u2014 ') && !PLAIN_SIGNER.test(line)) throw new Error('a checkpoint has a signer with an odd name')
  }
}

/** The library says the least in its first words. */
const causesOf = (error: unknown): string =>
  error instanceof Error && error.cause instanceof Error ? `${error.message}: ${causesOf(error.cause)}` : messageOf(error)

const ROOT_TYPE = 'application/vnd.dev.sigstore.trustedroot'
const PLAIN_SIGNER = /^\u2014 [\w.:/-]+ [\w+/=-]+$/
const MAX_TEXT = 200
const quoted = (text: string): string => JSON.stringify(text.slice(0, MAX_TEXT))

import { createHash, X509Certificate } from 'node:crypto'
import { isJsonObject } from '@weft/api'
import type { Descriptor } from '../image/manifest.ts'
import { jsonOf } from '../image/manifest.ts'

/** A Sigstore bundle as JSON: a signature with all that is needed to know its author. */
export interface SerializedBundle {
  readonly mediaType?: unknown
  readonly verificationMaterial?: unknown
  readonly dsseEnvelope?: unknown
  readonly messageSignature?: unknown
}

/** How the types of bundles begin, whatever their version. */
export const BUNDLE_TYPE = 'application/vnd.dev.sigstore.bundle'
/** The version that may have no more than a log's promise. */
const FIRST_VERSION = `${BUNDLE_TYPE}+json;version=0.1`

/** What cosign notes beside a signature in its older form. */
const CERTIFICATE = 'dev.sigstore.cosign/certificate'
const LOG_ENTRY = 'dev.sigstore.cosign/bundle'
const TIMESTAMP = 'dev.sigstore.cosign/rfc3161timestamp'

type Content =
  | { readonly messageSignature: { readonly signed: Uint8Array; readonly signature: Uint8Array } }
  | { readonly dsseEnvelope: Readonly<Record<string, unknown>> }

/** The bundle that an older signature would be; undefined for one that has no certificate. */
export function withCertificate(annotations: Descriptor['annotations'], content: Content): SerializedBundle | undefined {
  const pem = annotations?.[CERTIFICATE]
  if (pem === undefined) return undefined
  const rawBytes = new X509Certificate(pem).raw.toString('base64')
  const entry = annotations?.[LOG_ENTRY]
  const stamped = annotations?.[TIMESTAMP]
  return {
    mediaType: FIRST_VERSION,
    verificationMaterial: {
      x509CertificateChain: { certificates: [{ rawBytes }] },
      tlogEntries: entry === undefined ? [] : [logEntry(entry)],
      timestampVerificationData: { rfc3161Timestamps: stamped === undefined ? [] : [timestamp(stamped)] },
    },
    ...('dsseEnvelope' in content ? content : { messageSignature: messageSignature(content.messageSignature) }),
  }
}

const messageSignature = ({ signed, signature }: { readonly signed: Uint8Array; readonly signature: Uint8Array }): object => ({
  messageDigest: { algorithm: 'SHA2_256', digest: createHash('sha256').update(signed).digest('base64') },
  signature: Buffer.from(signature).toString('base64'),
})

/** The log's promise that it has noted the signature. */
function logEntry(text: string): object {
  const { SignedEntryTimestamp, Payload } = jsonOf(Buffer.from(text), 'log entry')
  const payload = isJsonObject(Payload) ? Payload : {}
  const body = String(payload['body'])
  const { kind, apiVersion } = jsonOf(Buffer.from(body, 'base64'), 'log entry')
  return {
    logIndex: String(payload['logIndex']),
    logId: { keyId: Buffer.from(String(payload['logID']), 'hex').toString('base64') },
    kindVersion: { kind, version: apiVersion },
    integratedTime: String(payload['integratedTime']),
    inclusionPromise: { signedEntryTimestamp: SignedEntryTimestamp },
    canonicalizedBody: body,
  }
}

const timestamp = (text: string): object => ({
  signedTimestamp: jsonOf(Buffer.from(text), 'timestamp')['SignedRFC3161Timestamp'],
})

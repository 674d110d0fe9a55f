import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'

/**
 * As much of Sigstore as signing takes, with real keys: an authority that issues certificates to identities, a log of certificates, and a log of signatures
 * with a Merkle tree. What it makes is what cosign keeps beside an image.
 */
export interface LittleSigstore {
  /** The text of its trusted_root.json. */
  readonly trustedRoot: string
  /** A bundle of a statement about an image, as cosign 3 makes it. */
  bundle(digest: string, options?: SigningOptions): Bundle
  /** The annotations of a signature of these bytes, as cosign 2 makes them. */
  annotations(payload: Uint8Array, options?: SigningOptions): Record<string, string>
}

export interface SigningOptions {
  readonly subject?: string
  readonly issuer?: string
  readonly predicateType?: string
  /** Minutes from the beginning of the certificate's ten to when the log noted the signature. */
  readonly loggedAfter?: number
  /** The certificate is not in the log of certificates. */
  readonly withoutCertificateLog?: boolean
}

/** As far as tests change it. */
export interface Bundle {
  dsseEnvelope: { payload: string; payloadType: string; signatures: { sig: string }[] }
  verificationMaterial: {
    certificate: { rawBytes: string }
    tlogEntries: {
      integratedTime: string
      canonicalizedBody: string
      inclusionPromise?: { signedEntryTimestamp: string }
      inclusionProof: { hashes: string[]; logIndex: string; treeSize: string; rootHash: string; checkpoint: { envelope: string } }
    }[]
  }
}

export const SIGNER = { subject: 'https://ci.example.org/team/release@main', issuer: 'https://tokens.example.org' }
const MINUTE = 60_000
const LOG_NAME = 'log.example.org'

// Just enough DER to write certificates.
const der = (tag: number, ...parts: readonly Uint8Array[]): Buffer => {
  const content = Buffer.concat(parts)
  const size = content.length
  const head = size < 0x80 ? [size] : size < 0x100 ? [0x81, size] : [0x82, size >> 8, size & 0xff]
  return Buffer.concat([Buffer.from([tag, ...head]), content])
}
const sequence = (...parts: readonly Uint8Array[]): Buffer => der(0x30, ...parts)
const integer = (value: number): Buffer => der(0x02, Buffer.from([value]))
const utf8 = (text: string): Buffer => der(0x0c, Buffer.from(text))
const bits = (bytes: Uint8Array): Buffer => der(0x03, Buffer.from([0]), bytes)
const time = (millis: number): Buffer => der(0x17, Buffer.from(`${new Date(millis).toISOString().replaceAll(/[-:T]/g, '').slice(2, 14)}Z`))
const oid = (dotted: string): Buffer => {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number)
  const bytes = [first * 40 + second, ...rest].flatMap((arc) => {
    const groups = [arc & 0x7f]
    for (let high = arc >> 7; high > 0; high >>= 7) groups.unshift((high & 0x7f) | 0x80)
    return groups
  })
  return der(0x06, Buffer.from(bytes))
}
const ECDSA = sequence(oid('1.2.840.10045.4.3.2'))
const nameOf = (text: string): Buffer => sequence(der(0x31, sequence(oid('2.5.4.3'), utf8(text))))
const extension = (id: string, value: Uint8Array): Buffer => sequence(oid(id), der(0x04, value))

interface Pair {
  readonly publicKey: KeyObject
  readonly privateKey: KeyObject
}
const pair = (): Pair => generateKeyPairSync('ec', { namedCurve: 'P-256' })
const spki = ({ publicKey }: Pair): Buffer => publicKey.export({ type: 'spki', format: 'der' })
const sha256 = (...parts: readonly Uint8Array[]): Buffer => createHash('sha256').update(Buffer.concat(parts)).digest()
const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')

interface CertificateOptions {
  readonly issuer: string
  readonly subject: string
  readonly key: Pair
  readonly from: number
  readonly until: number
  readonly extensions: readonly Uint8Array[]
}

const toBeSigned = ({ issuer, subject, key, from, until, extensions }: CertificateOptions): Buffer =>
  sequence(
    der(0xa0, integer(2)),
    integer(7),
    ECDSA,
    nameOf(issuer),
    sequence(time(from), time(until)),
    nameOf(subject),
    spki(key),
    der(0xa3, sequence(...extensions)),
  )
const certificate = (options: CertificateOptions, by: Pair): Buffer => {
  const tbs = toBeSigned(options)
  return sequence(tbs, ECDSA, bits(sign('sha256', tbs, by.privateKey)))
}

const uint = (value: number | bigint, size: number): Buffer =>
  Buffer.from(
    BigInt(value)
      .toString(16)
      .padStart(size * 2, '0'),
    'hex',
  )

export function littleSigstore(now: number): LittleSigstore {
  const [authority, log, certificateLog] = [pair(), pair(), pair()]
  const begin = now - 365 * 24 * 60 * MINUTE
  const root = certificate(
    {
      issuer: 'authority',
      subject: 'authority',
      key: authority,
      from: begin,
      until: now + 365 * 24 * 60 * MINUTE,
      extensions: [extension('2.5.29.19', sequence(der(0x01, Buffer.from([0xff]))))],
    },
    authority,
  )
  const keyInstance = (of: Pair): object => ({
    baseUrl: `https://${LOG_NAME}`,
    hashAlgorithm: 'SHA2_256',
    publicKey: { rawBytes: base64(spki(of)), keyDetails: 'PKIX_ECDSA_P256_SHA_256', validFor: { start: new Date(begin).toISOString() } },
    logId: { keyId: base64(sha256(spki(of))) },
  })

  /** A certificate for ten minutes, and the key that goes with it. */
  const issue = ({ subject = SIGNER.subject, issuer = SIGNER.issuer, withoutCertificateLog = false }: SigningOptions) => {
    const key = pair()
    const extensions = [extension('2.5.29.17', sequence(der(0x86, Buffer.from(subject)))), extension('1.3.6.1.4.1.57264.1.8', utf8(issuer))]
    const options = { issuer: 'authority', subject: '', key, from: now, until: now + 10 * MINUTE, extensions }
    if (withoutCertificateLog) return { key, raw: certificate(options, authority) }
    const tbs = toBeSigned(options)
    const noted = Buffer.concat([uint(now, 8), Buffer.from([0, 1]), sha256(spki(authority)), uint(tbs.length, 3), tbs, Buffer.from([0, 0])])
    const signature = sign('sha256', Buffer.concat([Buffer.from([0, 0]), noted]), certificateLog.privateKey)
    const timestamp = Buffer.concat([
      Buffer.from([0]),
      sha256(spki(certificateLog)),
      uint(now, 8),
      Buffer.from([0, 0, 4, 3]),
      uint(signature.length, 2),
      signature,
    ])
    const list = Buffer.concat([uint(timestamp.length + 2, 2), uint(timestamp.length, 2), timestamp])
    const logged = [...extensions, extension('1.3.6.1.4.1.11129.2.4.2', der(0x04, list))]
    return { key, raw: certificate({ ...options, extensions: logged }, authority) }
  }

  /** Notes something in the log of signatures: what it promises, and the proof that it is there, the second of three. */
  const note = (body: object, { loggedAfter = 1 }: SigningOptions) => {
    const bytes = Buffer.from(JSON.stringify(body))
    const entry = {
      body: base64(bytes),
      integratedTime: Math.floor((now + loggedAfter * MINUTE) / 1000),
      logID: sha256(spki(log)).toString('hex'),
      logIndex: 1,
    }
    const leaf = (contents: Uint8Array): Buffer => sha256(Buffer.from([0]), contents)
    const node = (left: Uint8Array, right: Uint8Array): Buffer => sha256(Buffer.from([1]), left, right)
    const [before, after] = [leaf(Buffer.from('before')), leaf(Buffer.from('after'))]
    const rootHash = node(node(before, leaf(bytes)), after)
    const checkpoint = `${LOG_NAME}\n3\n${base64(rootHash)}\n`
    const signed = Buffer.concat([sha256(spki(log)).subarray(0, 4), sign('sha256', Buffer.from(checkpoint), log.privateKey)])
    return {
      entry,
      promise: base64(sign('sha256', Buffer.from(JSON.stringify(entry)), log.privateKey)),
      proof: {
        logIndex: '1',
        treeSize: '3',
        rootHash: base64(rootHash),
        hashes: [base64(before), base64(after)],
        checkpoint: { envelope: `${checkpoint}\n\u2014 ${LOG_NAME} ${base64(signed)}\n` },
      },
    }
  }
  const pemOf = (raw: Uint8Array): string => `-----BEGIN CERTIFICATE-----\n${base64(raw)}\n-----END CERTIFICATE-----\n`

  return {
    trustedRoot: JSON.stringify({
      mediaType: 'application/vnd.dev.sigstore.trustedroot+json;version=0.1',
      tlogs: [keyInstance(log)],
      ctlogs: [keyInstance(certificateLog)],
      certificateAuthorities: [
        { certChain: { certificates: [{ rawBytes: base64(root) }] }, validFor: { start: new Date(begin).toISOString() } },
      ],
      timestampAuthorities: [],
    }),
    bundle(digest, options = {}) {
      const { key, raw } = issue(options)
      const payloadType = 'application/vnd.in-toto+json'
      const payload = Buffer.from(
        JSON.stringify({
          _type: 'https://in-toto.io/Statement/v1',
          subject: [{ digest: { sha256: digest.slice('sha256:'.length) } }],
          predicateType: options.predicateType ?? 'https://sigstore.dev/cosign/sign/v1',
          predicate: {},
        }),
      )
      const encoded = Buffer.concat([Buffer.from(`DSSEv1 ${payloadType.length} ${payloadType} ${payload.length} `), payload])
      const sig = base64(sign('sha256', encoded, key.privateKey))
      const body = {
        apiVersion: '0.0.1',
        kind: 'dsse',
        spec: {
          payloadHash: { algorithm: 'sha256', value: sha256(payload).toString('hex') },
          signatures: [{ signature: sig, verifier: base64(Buffer.from(pemOf(raw))) }],
        },
      }
      const { entry, promise, proof } = note(body, options)
      const bundle = {
        mediaType: 'application/vnd.dev.sigstore.bundle.v0.3+json',
        verificationMaterial: {
          certificate: { rawBytes: base64(raw) },
          tlogEntries: [
            {
              logIndex: '1',
              logId: { keyId: base64(sha256(spki(log))) },
              kindVersion: { kind: 'dsse', version: '0.0.1' },
              integratedTime: String(entry.integratedTime),
              inclusionPromise: { signedEntryTimestamp: promise },
              inclusionProof: proof,
              canonicalizedBody: entry.body,
            },
          ],
        },
        dsseEnvelope: { payload: base64(payload), payloadType, signatures: [{ sig }] },
      }
      return bundle
    },
    annotations(payload, options = {}) {
      const { key, raw } = issue(options)
      const signature = base64(sign('sha256', payload, key.privateKey))
      const { entry, promise } = note(
        {
          apiVersion: '0.0.1',
          kind: 'hashedrekord',
          spec: {
            data: { hash: { algorithm: 'sha256', value: sha256(payload).toString('hex') } },
            signature: { content: signature, publicKey: { content: base64(Buffer.from(pemOf(raw))) } },
          },
        },
        options,
      )
      return {
        'dev.cosignproject.cosign/signature': signature,
        'dev.sigstore.cosign/certificate': pemOf(raw),
        'dev.sigstore.cosign/bundle': JSON.stringify({ SignedEntryTimestamp: promise, Payload: entry }),
      }
    },
  }
}

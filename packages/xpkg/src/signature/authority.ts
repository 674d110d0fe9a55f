/** Somebody whose signature will do, as cosign and ImageConfigs know them: by a key, by an identity, or by both together. */
export interface Authority {
  readonly name: string
  readonly key?: TrustedKey | undefined
  readonly keyless?: Keyless | undefined
  /** Types of statements. With any, a signed statement of one of them is asked for instead of a plain signature. */
  readonly attestations?: readonly string[] | undefined
}

export interface TrustedKey {
  /** PEM public key. */
  readonly pem: string
  /** Of what is signed; sha256, unless given. */
  readonly hash?: string | undefined
}

/** Whoever showed an identity to a certificate authority, which noted it in a certificate for minutes. */
export interface Keyless {
  /** One of these suffices. */
  readonly identities: readonly Identity[]
  /** The certificate need not be in a public log of certificates. */
  readonly ignoreCertificateLog: boolean
  /** Text of a Sigstore trusted root: who issues certificates, keeps logs and signs timestamps. Nobody else is asked. */
  readonly trustedRoot: string
}

/** All that is given must fit. Patterns are those of Go (RE2), and fit anywhere unless anchored. */
export interface Identity {
  readonly issuer?: string | undefined
  readonly subject?: string | undefined
  readonly issuerRegExp?: string | undefined
  readonly subjectRegExp?: string | undefined
}

/** Trust in whoever has one of these keys. */
export const byKeys = (publicKeys: readonly string[]): readonly Authority[] =>
  publicKeys.map((pem) => ({ name: 'a trusted key', key: { pem } }))

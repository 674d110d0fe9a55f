import { createPrivateKey, createPublicKey, type KeyObject, X509Certificate } from 'node:crypto'
import {
  type Authority,
  type Clock,
  createAuthority,
  generateKey,
  isIssuedBy,
  issueServingCertificate,
  type KeyPair,
  keyPem,
  needsRenewal,
  signClientCertificate,
} from './authority.ts'
import { alternativeNamesOf, parseCertificate } from './certificate.ts'
import { PkiError } from './pki-error.ts'
import { DEFAULT_HOSTS, encodeAlternativeNames } from './subject-alternative-names.ts'

export const ADMIN_USER = 'kubernetes-admin'
export const ADMIN_GROUP = 'system:masters'

export type PkiFile = 'ca.key' | 'ca.crt' | 'service-account.key' | 'serving.key' | 'serving.crt' | 'admin.key' | 'admin.crt'
export const PKI_FILES: readonly PkiFile[] = [
  'ca.key',
  'ca.crt',
  'service-account.key',
  'serving.key',
  'serving.crt',
  'admin.key',
  'admin.crt',
]

/** Everything the server needs to prove who it is and to tell who others are. */
export interface Pki {
  readonly ca: Authority
  readonly serving: KeyPair
  /** User `kubernetes-admin` in `system:masters`. */
  readonly admin: KeyPair
  /** Signs service-account tokens (ES256, or RS256 when an operator brought an RSA key). */
  readonly serviceAccountKey: KeyObject
  /** What was made or renewed this time, for the log; empty on an ordinary start. */
  readonly notes: readonly string[]
}

export interface PkiOptions {
  /** Host names and addresses that the serving certificate carries besides the default ones. */
  readonly hosts?: readonly string[]
  readonly clock?: Clock
}

export interface Reconciled {
  readonly pki: Pki
  /** Files to write, keys before the certificates that need them. */
  readonly writes: ReadonlyMap<PkiFile, string>
}

/**
 * From the files that exist to the PKI that is wanted. Pure: what must be written is in the answer.
 * A missing file is made anew where nothing that clients hold depends on it; a damaged one is never replaced, because
 * replacing it is a decision (restore a backup, or delete it) that only the operator can make.
 */
export function reconcilePki(files: ReadonlyMap<PkiFile, string>, { hosts = [], clock = Date }: PkiOptions = {}): Reconciled {
  const state: State = { files, clock, writes: new Map(), notes: [] }
  const ca = authority(state)
  const serviceAccountKey = privateKey(state, 'service-account.key', {
    remedy: 'restore it from a backup, or delete it to get a new key: every service-account token issued so far then stops working',
    made: 'created a service-account signing key',
  })
  const allHosts = [...DEFAULT_HOSTS, ...hosts]
  const names = encodeAlternativeNames(allHosts)
  const serving = leaf(state, ca, {
    name: 'serving',
    issue: (key) => issueServingCertificate(ca, { hosts: allHosts, key, clock }),
    changed: (certificate) => (alternativeNamesOf(certificate)?.equals(names) === true ? undefined : 'the hosts changed'),
  })
  const admin = leaf(state, ca, {
    name: 'admin',
    issue: (key) => signClientCertificate(ca, { user: ADMIN_USER, groups: [ADMIN_GROUP], clock, publicKey: createPublicKey(key) }),
    changed: (certificate) => (isAdmin(certificate) ? undefined : 'it named another user'),
  })
  return { pki: { ca, serving, admin, serviceAccountKey, notes: state.notes }, writes: state.writes }
}

interface State {
  readonly files: ReadonlyMap<PkiFile, string>
  readonly clock: Clock
  readonly writes: Map<PkiFile, string>
  readonly notes: string[]
}

function authority(state: State): Authority {
  const pem = state.files.get('ca.crt')
  const startOver = 'or remove both ca.key and ca.crt to start a new authority: every kubeconfig must then be handed out again'
  if (pem !== undefined && !state.files.has('ca.key'))
    throw new PkiError('missing', `ca.key is missing but ca.crt exists: restore ca.key from a backup, ${startOver}`, { file: 'ca.key' })
  const key = privateKey(state, 'ca.key', { remedy: `restore it from a backup, ${startOver}`, made: 'created a certificate authority' })
  if (pem === undefined) {
    const fresh = createAuthority(key, state.clock)
    state.writes.set('ca.crt', fresh.certificatePem)
    if (state.files.has('ca.key')) state.notes.push('issued ca.crt again for the existing ca.key')
    return fresh
  }
  const renew = 'delete ca.crt to have it issued again for the same key, then hand out new kubeconfigs'
  const certificate = readCertificate(pem, 'ca.crt', `restore it from a backup, or ${renew}`)
  if (!certificate.checkPrivateKey(key))
    throw new PkiError('damaged', `ca.crt does not belong to ca.key: restore the pair from a backup, ${startOver}`, { file: 'ca.crt' })
  if (!certificate.ca)
    throw new PkiError('damaged', `ca.crt is not a certificate authority: restore the right file, ${startOver}`, { file: 'ca.crt' })
  const now = state.clock.now()
  if (now > Date.parse(certificate.validTo))
    throw new PkiError('expired', `ca.crt expired on ${certificate.validTo}: ${renew}`, { file: 'ca.crt' })
  if (now < Date.parse(certificate.validFrom))
    throw new PkiError('not-yet-valid', `ca.crt is valid only from ${certificate.validFrom}: check this machine's clock`, {
      file: 'ca.crt',
    })
  return { certificate, certificatePem: pem, key }
}

function privateKey(state: State, file: PkiFile, { remedy, made }: { remedy: string; made?: string }): KeyObject {
  const pem = state.files.get(file)
  if (pem === undefined) {
    const key = generateKey()
    state.writes.set(file, keyPem(key))
    if (made !== undefined) state.notes.push(made)
    return key
  }
  let key: KeyObject
  try {
    key = createPrivateKey(pem)
  } catch (cause) {
    throw new PkiError('damaged', `${file} is not a private key in PEM form: ${remedy}`, { file, cause })
  }
  const usable =
    key.asymmetricKeyType === 'rsa' || (key.asymmetricKeyType === 'ec' && key.asymmetricKeyDetails?.namedCurve === 'prime256v1')
  if (!usable) throw new PkiError('damaged', `${file} is neither an ECDSA P-256 nor an RSA key: ${remedy}`, { file })
  return key
}

interface Leaf {
  readonly name: 'serving' | 'admin'
  issue(key: KeyObject): string
  /** Why the existing certificate no longer fits; undefined when it does. */
  changed(certificate: X509Certificate): string | undefined
}

/** Leaf keys are kept and only certificates renewed, so that a crash between two files never leaves a pair that does not match. */
function leaf(state: State, ca: Authority, { name, issue, changed }: Leaf): KeyPair {
  const file = `${name}.crt` as const
  const key = privateKey(state, `${name}.key`, { remedy: `restore it from a backup, or delete ${name}.key and ${file} to get new ones` })
  const pem = state.files.get(file)
  const why = pem === undefined ? '' : staleness(pem)
  if (why === undefined) return { certificate: pem as string, key: keyPem(key) }
  const certificate = issue(key)
  state.writes.set(file, certificate)
  state.notes.push(why === '' ? `issued ${file}` : `issued ${file} again: ${why}`)
  return { certificate, key: keyPem(key) }

  function staleness(text: string): string | undefined {
    const certificate = readCertificate(text, file, `restore it from a backup, or delete it to have it issued again`)
    if (!certificate.checkPrivateKey(key)) return 'it belonged to another key'
    if (!isIssuedBy(certificate, ca)) return 'it was signed by another authority'
    if (needsRenewal(certificate, state.clock.now())) return 'less than a third of its life was left'
    return changed(certificate)
  }
}

function readCertificate(pem: string, file: PkiFile, remedy: string): X509Certificate {
  try {
    const certificate = new X509Certificate(pem)
    parseCertificate(certificate.raw)
    return certificate
  } catch (cause) {
    throw new PkiError('damaged', `${file} is not a certificate in PEM form: ${remedy}`, { file, cause })
  }
}

function isAdmin(certificate: X509Certificate): boolean {
  const { commonName, organizations } = parseCertificate(certificate.raw)
  return commonName === ADMIN_USER && organizations.includes(ADMIN_GROUP)
}

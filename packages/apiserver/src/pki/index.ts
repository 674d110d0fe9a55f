export {
  type Authority,
  type ClientCertificateOptions,
  type Clock,
  issueClientCertificate,
  type KeyPair,
  signClientCertificate,
} from './authority.ts'
export { parseCertificate, type ParsedCertificate } from './certificate.ts'
export { formatKubeconfig, type KubeconfigOptions, writeKubeconfig } from './kubeconfig.ts'
export { createMemoryPki, ensurePki } from './pki.ts'
export { PkiError, type PkiErrorCode } from './pki-error.ts'
export { ADMIN_GROUP, ADMIN_USER, type Pki, type PkiFile, type PkiOptions } from './reconcile.ts'
export { DEFAULT_HOSTS } from './subject-alternative-names.ts'
export { renewServingPair, type ServingPair } from './serving-pair.ts'

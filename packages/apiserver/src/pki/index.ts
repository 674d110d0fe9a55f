export { type Clock, issueClientCertificate } from './authority.ts'
export { parseCertificate } from './certificate.ts'
export { formatKubeconfig, writeKubeconfig } from './kubeconfig.ts'
export { createMemoryPki, ensurePki } from './pki.ts'
export { PkiError } from './pki-error.ts'
export { type Pki } from './reconcile.ts'

export { renewServingPair, type ServingPair } from './serving-pair.ts'
export { renewAuthorityPair, renewTlsPair, type TlsPair, type TlsPurpose } from './tls-pair.ts'

import { type Message, list, map, message, opt, ptr, req, root } from '../message.ts'
import { objectMeta } from '../meta.ts'

/** Messages of `certificates.k8s.io/v1`. */
const v1 = (kind: string): string => `io.k8s.api.certificates.v1.${kind}`

export const certificateSigningRequest: Message = root(v1('CertificateSigningRequest'), 'Asks for a certificate.', () => ({
  metadata: opt(1, objectMeta, 'Name, labels and the other standard metadata.'),
  spec: req(2, certificateSigningRequestSpec, 'The desired state.'),
  status: opt(3, certificateSigningRequestStatus, 'What is observed.'),
}))

export const certificateSigningRequestSpec: Message = message(
  v1('CertificateSigningRequestSpec'),
  'The request; it cannot change.',
  () => ({
    request: req(1, 'bytes', 'The PKCS#10 request, in PEM.'),
    signerName: req(7, 'string', 'Who should sign.'),
    expirationSeconds: ptr(8, 'int32', 'How long the certificate is wanted for.'),
    usages: opt(5, list('string'), 'What the key will be used for.'),
    username: opt(2, 'string', 'Who asks, set by the server.'),
    uid: opt(3, 'string', 'UID of who asks, set by the server.'),
    groups: opt(4, list('string'), 'Groups of who asks, set by the server.'),
    extra: opt(6, map('extraValue'), 'More about who asks, set by the server.'),
  }),
)

export const certificateSigningRequestStatus: Message = message(v1('CertificateSigningRequestStatus'), 'What became of a request.', () => ({
  conditions: opt(1, list(certificateSigningRequestCondition, ['type']), 'Approved, Denied or Failed.'),
  certificate: opt(2, 'bytes', 'The certificate, in PEM.'),
}))

export const certificateSigningRequestCondition: Message = message(
  v1('CertificateSigningRequestCondition'),
  'A decision about a request.',
  () => ({
    type: req(1, 'string', 'Approved, Denied or Failed.'),
    status: req(6, 'string', 'True, False or Unknown.'),
    reason: opt(2, 'string', 'Machine-readable cause.'),
    message: opt(3, 'string', 'Explanation for people.'),
    lastUpdateTime: opt(4, 'time', 'When the decision was last touched.'),
    lastTransitionTime: opt(5, 'time', 'When the status last changed.'),
  }),
)

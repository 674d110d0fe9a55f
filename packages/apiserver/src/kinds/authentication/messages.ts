import { type Message, list, map, message, opt, ptr, req, root } from '../message.ts'
import { objectMeta } from '../meta.ts'

/** Messages of `authentication.k8s.io/v1`. */
const v1 = (kind: string): string => `io.k8s.api.authentication.v1.${kind}`

export const tokenReview: Message = root(v1('TokenReview'), 'Asks who a token belongs to.', () => ({
  metadata: opt(1, objectMeta, 'Name, labels and the other standard metadata.'),
  spec: req(2, tokenReviewSpec, 'The desired state.'),
  status: opt(3, tokenReviewStatus, 'What is observed.'),
}))

export const tokenReviewSpec: Message = message(v1('TokenReviewSpec'), 'The token.', () => ({
  token: opt(1, 'string', 'The token.', { required: true }),
  audiences: opt(2, list('string'), 'Audiences the token should be meant for.'),
}))

export const tokenReviewStatus: Message = message(v1('TokenReviewStatus'), 'Who the token belongs to.', () => ({
  authenticated: opt(1, 'bool', 'Whether the token is known.'),
  user: opt(2, userInfo, 'Whose token it is.'),
  audiences: opt(4, list('string'), 'Audiences the token is meant for, of those asked.'),
  error: opt(3, 'string', 'Why the token could not be checked.'),
}))

export const userInfo: Message = message(v1('UserInfo'), 'Who a request comes from.', () => ({
  username: opt(1, 'string', 'Name of the user.'),
  uid: opt(2, 'string', 'UID of the user.'),
  groups: opt(3, list('string'), 'Groups the user belongs to.'),
  extra: opt(4, map('extraValue'), 'More that the authenticator knows.'),
}))

export const selfSubjectReview: Message = root(v1('SelfSubjectReview'), 'Asks who the caller is.', () => ({
  metadata: opt(1, objectMeta, 'Name, labels and the other standard metadata.'),
  status: opt(2, selfSubjectReviewStatus, 'What is observed.'),
}))

export const selfSubjectReviewStatus: Message = message(v1('SelfSubjectReviewStatus'), 'Who the caller is.', () => ({
  userInfo: opt(1, userInfo, "The caller's name, groups and more."),
}))

export const tokenRequest: Message = root(v1('TokenRequest'), 'Asks for a token of a service account.', () => ({
  metadata: opt(1, objectMeta, 'Name, labels and the other standard metadata.'),
  spec: opt(2, tokenRequestSpec, 'The desired state.'),
  status: opt(3, tokenRequestStatus, 'What is observed.'),
}))

export const tokenRequestSpec: Message = message(v1('TokenRequestSpec'), 'The token wanted.', () => ({
  audiences: opt(1, list('string'), 'Audiences the token is meant for.'),
  expirationSeconds: ptr(4, 'int64', 'How long it is wanted for.'),
  boundObjectRef: ptr(3, boundObjectReference, 'Object whose end makes the token invalid.'),
}))

export const boundObjectReference: Message = message(v1('BoundObjectReference'), 'Points to an object that a token is bound to.', () => ({
  kind: opt(1, 'string', 'Kind of the object.'),
  apiVersion: opt(2, 'string', 'Group and version of the object.'),
  name: opt(3, 'string', 'Name of the object.'),
  uid: opt(4, 'string', 'UID of the object.'),
}))

export const tokenRequestStatus: Message = message(v1('TokenRequestStatus'), 'The token.', () => ({
  token: req(1, 'string', 'The token.', { required: false }),
  expirationTimestamp: req(2, 'time', 'When it expires.', { required: false }),
}))

import { type BuiltinKind, review } from '../kind.ts'
import { selfSubjectReview, tokenReview } from './messages.ts'

const group = 'authentication.k8s.io'

export const authenticationKinds: readonly BuiltinKind[] = [
  review({ group, kind: 'SelfSubjectReview', plural: 'selfsubjectreviews', namespaced: false, message: selfSubjectReview }),
  review({ group, kind: 'TokenReview', plural: 'tokenreviews', namespaced: false, message: tokenReview }),
]

import { type BuiltinKind, review } from '../kind.ts'
import { strategy } from '../strategy.ts'
import * as messages from './messages.ts'
import { validateAccessReview, validateLocalAccessReview, validateSelfAccessReview } from './validation.ts'

const group = 'authorization.k8s.io'

export const authorizationKinds: readonly BuiltinKind[] = [
  review({
    group,
    kind: 'LocalSubjectAccessReview',
    plural: 'localsubjectaccessreviews',
    namespaced: true,
    message: messages.localSubjectAccessReview,
    strategy: strategy({ validate: validateLocalAccessReview }),
  }),
  review({
    group,
    kind: 'SelfSubjectAccessReview',
    plural: 'selfsubjectaccessreviews',
    namespaced: false,
    message: messages.selfSubjectAccessReview,
    strategy: strategy({ validate: validateSelfAccessReview }),
  }),
  review({
    group,
    kind: 'SelfSubjectRulesReview',
    plural: 'selfsubjectrulesreviews',
    namespaced: false,
    message: messages.selfSubjectRulesReview,
  }),
  review({
    group,
    kind: 'SubjectAccessReview',
    plural: 'subjectaccessreviews',
    namespaced: false,
    message: messages.subjectAccessReview,
    strategy: strategy({ validate: validateAccessReview }),
  }),
]

import { type Message, list, map, message, opt, ptr, req, root } from '../message.ts'
import { fieldSelectorRequirement, labelSelectorRequirement, objectMeta } from '../meta.ts'

/** Messages of `authorization.k8s.io/v1`. */
const v1 = (kind: string): string => `io.k8s.api.authorization.v1.${kind}`

export const subjectAccessReview: Message = root(v1('SubjectAccessReview'), 'Asks whether someone may do something.', () => ({
  metadata: opt(1, objectMeta, 'Name, labels and the other standard metadata.'),
  spec: req(2, subjectAccessReviewSpec, 'The desired state.'),
  status: opt(3, subjectAccessReviewStatus, 'What is observed.'),
}))

export const subjectAccessReviewSpec: Message = message(
  v1('SubjectAccessReviewSpec'),
  'Who and what; either a resource or a path.',
  () => ({
    resourceAttributes: ptr(1, resourceAttributes, 'The access to a resource to check.'),
    nonResourceAttributes: ptr(2, nonResourceAttributes, 'The access to a path to check.'),
    user: opt(3, 'string', 'Name of the user.'),
    groups: opt(4, list('string'), 'Groups of the user.'),
    extra: opt(5, map('extraValue'), 'More that the authenticator knows of the user.'),
    uid: opt(6, 'string', 'UID of the user.'),
  }),
)

export const resourceAttributes: Message = message(v1('ResourceAttributes'), 'An access to a resource.', () => ({
  namespace: opt(1, 'string', 'Namespace; empty is all of them.'),
  verb: opt(2, 'string', 'What is to be done.'),
  group: opt(3, 'string', 'Group of the resource.'),
  version: opt(4, 'string', 'Version of the resource.'),
  resource: opt(5, 'string', 'The resource.'),
  subresource: opt(6, 'string', 'The subresource.'),
  name: opt(7, 'string', 'Name of the object; empty is all of them.'),
  fieldSelector: ptr(8, fieldSelectorAttributes, 'Limits the access by fields.'),
  labelSelector: ptr(9, labelSelectorAttributes, 'Limits the access by labels.'),
}))

export const fieldSelectorAttributes: Message = message(v1('FieldSelectorAttributes'), 'Limits an access by fields.', () => ({
  rawSelector: opt(1, 'string', 'The selector as text.'),
  requirements: opt(2, list(fieldSelectorRequirement), 'The selector as requirements.'),
}))

export const labelSelectorAttributes: Message = message(v1('LabelSelectorAttributes'), 'Limits an access by labels.', () => ({
  rawSelector: opt(1, 'string', 'The selector as text.'),
  requirements: opt(2, list(labelSelectorRequirement), 'The selector as requirements.'),
}))

export const nonResourceAttributes: Message = message(v1('NonResourceAttributes'), 'An access to a path.', () => ({
  path: opt(1, 'string', 'The path.'),
  verb: opt(2, 'string', 'The verb, as an HTTP method in lower case.'),
}))

export const subjectAccessReviewStatus: Message = message(v1('SubjectAccessReviewStatus'), 'Whether it is allowed.', () => ({
  allowed: req(1, 'bool', 'Whether it is allowed.'),
  denied: opt(4, 'bool', 'Whether it is denied outright; otherwise others may still allow it.'),
  reason: opt(2, 'string', 'Why.'),
  evaluationError: opt(3, 'string', 'What went wrong while finding out.'),
}))

export const selfSubjectAccessReview: Message = root(v1('SelfSubjectAccessReview'), 'Asks whether the caller may do something.', () => ({
  metadata: opt(1, objectMeta, 'Name, labels and the other standard metadata.'),
  spec: req(2, selfSubjectAccessReviewSpec, 'The desired state.'),
  status: opt(3, subjectAccessReviewStatus, 'What is observed.'),
}))

export const selfSubjectAccessReviewSpec: Message = message(
  v1('SelfSubjectAccessReviewSpec'),
  'What; either a resource or a path.',
  () => ({
    resourceAttributes: ptr(1, resourceAttributes, 'The access to a resource to check.'),
    nonResourceAttributes: ptr(2, nonResourceAttributes, 'The access to a path to check.'),
  }),
)

export const localSubjectAccessReview: Message = root(
  v1('LocalSubjectAccessReview'),
  'Asks whether someone may do something in one namespace.',
  () => ({
    metadata: opt(1, objectMeta, 'Name, labels and the other standard metadata.'),
    spec: req(2, subjectAccessReviewSpec, 'The desired state.'),
    status: opt(3, subjectAccessReviewStatus, 'What is observed.'),
  }),
)

export const selfSubjectRulesReview: Message = root(v1('SelfSubjectRulesReview'), 'Asks what the caller may do in a namespace.', () => ({
  metadata: opt(1, objectMeta, 'Name, labels and the other standard metadata.'),
  spec: req(2, selfSubjectRulesReviewSpec, 'The desired state.'),
  status: opt(3, subjectRulesReviewStatus, 'What is observed.'),
}))

export const selfSubjectRulesReviewSpec: Message = message(v1('SelfSubjectRulesReviewSpec'), 'The namespace.', () => ({
  namespace: opt(1, 'string', 'The namespace to check.'),
}))

export const subjectRulesReviewStatus: Message = message(v1('SubjectRulesReviewStatus'), 'What is allowed.', () => ({
  resourceRules: req(1, list(resourceRule), 'What is allowed on resources.'),
  nonResourceRules: req(2, list(nonResourceRule), 'What is allowed on paths.'),
  incomplete: req(3, 'bool', 'Whether there may be more than is listed.'),
  evaluationError: opt(4, 'string', 'What went wrong while finding out.'),
}))

export const resourceRule: Message = message(v1('ResourceRule'), 'Verbs allowed on resources.', () => ({
  verbs: req(1, list('string'), 'What may be done; * is everything.'),
  apiGroups: opt(2, list('string'), 'Groups of the resources; * is all of them.'),
  resources: opt(3, list('string'), 'Resources; * is all of them.'),
  resourceNames: opt(4, list('string'), 'Names it is limited to; empty is all.'),
}))

export const nonResourceRule: Message = message(v1('NonResourceRule'), 'Verbs allowed on paths.', () => ({
  verbs: req(1, list('string'), 'What may be done; * is everything.'),
  nonResourceURLs: opt(2, list('string'), 'Paths; * is all of them.'),
}))

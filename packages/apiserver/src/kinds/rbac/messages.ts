import { type Message, list, message, opt, ptr, req, root } from '../message.ts'
import { labelSelector, objectMeta } from '../meta.ts'

/** Messages of `rbac.authorization.k8s.io/v1`. */
const v1 = (kind: string): string => `io.k8s.api.rbac.v1.${kind}`

export const role: Message = root(v1('Role'), 'Permissions within one namespace.', () => ({
  metadata: opt(1, objectMeta, 'Name, labels and the other standard metadata.'),
  rules: opt(2, list(policyRule), 'What is allowed.'),
}))

export const policyRule: Message = message(v1('PolicyRule'), 'Allows verbs on resources or on paths.', () => ({
  verbs: req(1, list('string'), 'What may be done; * is everything.'),
  apiGroups: opt(2, list('string'), 'Groups of the resources; * is all of them.'),
  resources: opt(3, list('string'), 'Resources, with subresources as name/subresource; * is all of them.'),
  resourceNames: opt(4, list('string'), 'Names the rule is limited to; empty is all.'),
  nonResourceURLs: opt(5, list('string'), 'Paths outside the API, for cluster roles.'),
}))

export const roleBinding: Message = root(v1('RoleBinding'), 'Grants a role within one namespace.', () => ({
  metadata: opt(1, objectMeta, 'Name, labels and the other standard metadata.'),
  subjects: opt(2, list(subject), 'Who gets the role.'),
  roleRef: req(3, roleRef, 'The role; it cannot change.'),
}))

export const subject: Message = message(
  v1('Subject'),
  'A user, a group or a service account.',
  () => ({
    kind: req(1, 'string', 'User, Group or ServiceAccount.'),
    apiGroup: opt(2, 'string', 'Group of the kind; empty for service accounts.'),
    name: req(3, 'string', 'Name of the subject.'),
    namespace: opt(4, 'string', 'Namespace of a service account.'),
  }),
  { mapType: 'atomic' },
)

export const roleRef: Message = message(
  v1('RoleRef'),
  'Points to a role.',
  () => ({
    apiGroup: req(1, 'string', "Group of the role's kind.", { required: false }),
    kind: req(2, 'string', 'Role or ClusterRole.'),
    name: req(3, 'string', 'Name of the role.'),
  }),
  { mapType: 'atomic' },
)

export const clusterRole: Message = root(v1('ClusterRole'), 'Permissions in all namespaces and cluster-wide.', () => ({
  metadata: opt(1, objectMeta, 'Name, labels and the other standard metadata.'),
  rules: opt(2, list(policyRule), 'What is allowed.'),
  aggregationRule: ptr(3, aggregationRule, 'Says which other cluster roles make up the rules.'),
}))

export const aggregationRule: Message = message(v1('AggregationRule'), 'How rules are gathered from other cluster roles.', () => ({
  clusterRoleSelectors: opt(1, list(labelSelector), 'Selectors of the cluster roles; one match is enough.'),
}))

export const clusterRoleBinding: Message = root(v1('ClusterRoleBinding'), 'Grants a cluster role everywhere.', () => ({
  metadata: opt(1, objectMeta, 'Name, labels and the other standard metadata.'),
  subjects: opt(2, list(subject), 'Who gets the role.'),
  roleRef: req(3, roleRef, 'The role; it cannot change.'),
}))

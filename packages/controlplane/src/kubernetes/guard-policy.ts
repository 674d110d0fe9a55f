import { type KubeObject, PART_OF_WEFT } from '@weft/api'

export const GUARD = 'weft-controllers-roles'

/**
 * Weft gives rights for kinds that appear while it runs, which takes the right to `escalate`. This keeps that in bounds,
 * enforced by the API server itself: its account writes roles of its own names only, and what they grant concerns custom
 * kinds alone, never kinds of Kubernetes and never everything.
 */
export const guardPolicy = (namespace: string, account: string): readonly KubeObject[] => [
  {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicy',
    metadata: { name: GUARD, labels: PART_OF_WEFT },
    spec: {
      failurePolicy: 'Fail',
      matchConstraints: {
        resourceRules: [
          {
            apiGroups: ['rbac.authorization.k8s.io'],
            apiVersions: ['*'],
            resources: ['clusterroles'],
            operations: ['CREATE', 'UPDATE', 'DELETE'],
          },
        ],
      },
      matchConditions: [{ name: 'by-weft', expression: `request.userInfo.username == 'system:serviceaccount:${namespace}:${account}'` }],
      validations: [
        {
          expression: "request.name.startsWith('weft:kinds:')",
          message: 'Weft may write the roles weft:kinds:* only',
        },
        {
          expression: `request.operation == 'DELETE' || !has(object.rules) || object.rules.all(rule,
  has(rule.apiGroups) && !has(rule.nonResourceURLs) &&
  rule.apiGroups.all(group, group.contains('.') && !group.endsWith('.k8s.io') && group != 'k8s.io') &&
  rule.resources.all(resource, resource != '*' && !resource.startsWith('*/')) &&
  rule.verbs.all(verb, verb in ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'compose']))`,
          message: 'Weft may grant rights on custom kinds only, one by one',
        },
        {
          expression: "request.operation == 'DELETE' || !has(object.aggregationRule)",
          message: 'roles that Weft writes do not aggregate others',
        },
      ],
    },
  },
  {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicyBinding',
    metadata: { name: GUARD, labels: PART_OF_WEFT },
    spec: { policyName: GUARD, validationActions: ['Deny'] },
  },
]

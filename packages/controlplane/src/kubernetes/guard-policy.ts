import { type KubeObject, PART_OF_WEFT } from '@weft/api'
import { PROVIDER_ROLES } from '../deployments/provider-roles.ts'

export const GUARD = 'weft-controllers-roles'
const BINDINGS = 'weft-controllers-bindings'

/** What the role of a provider's program may hold of Kubernetes' own kinds. */
const OF_PROGRAMS = `(request.name.startsWith('${PROVIDER_ROLES}') && request.name.endsWith(':system') &&
    rule.verbs.all(verb, verb in ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete']) && (
    (rule.apiGroups == [''] && rule.resources.all(resource, resource in ['secrets', 'configmaps', 'events'])) ||
    (rule.apiGroups == ['coordination.k8s.io'] && rule.resources == ['leases']) ||
    (rule.apiGroups == ['apiextensions.k8s.io'] && rule.resources == ['customresourcedefinitions'] &&
      rule.verbs.all(verb, verb in ['get', 'list', 'watch']))))`

/**
 * Weft gives rights for kinds that appear while it runs, which takes the right to `escalate`. This keeps that in bounds,
 * enforced by the API server itself: its account writes roles of its own names only, and what they grant concerns custom
 * kinds alone, never kinds of Kubernetes and never everything. The roles of providers may besides have what programs that were made for Crossplane
 * count on, and are bound to accounts of Weft's namespace alone.
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
      matchConditions: [byWeft(namespace, account)],
      validations: [
        {
          expression: `request.name.startsWith('weft:kinds:') || request.name.startsWith('${PROVIDER_ROLES}')`,
          message: 'Weft may write the roles weft:kinds:* and crossplane:provider:* only',
        },
        {
          expression: `request.operation == 'DELETE' || !has(object.rules) || object.rules.all(rule,
  has(rule.apiGroups) && !has(rule.nonResourceURLs) && (${OF_PROGRAMS} ||
  rule.apiGroups.all(group, group.contains('.') && !group.endsWith('.k8s.io') && group != 'k8s.io') &&
  rule.resources.all(resource, resource != '*' && !resource.startsWith('*/')) &&
  rule.verbs.all(verb, verb in ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'compose'])))`,
          message: 'Weft may grant rights on custom kinds only, one by one',
        },
        {
          expression: "request.operation == 'DELETE' || !has(object.aggregationRule)",
          message: 'roles that Weft writes do not aggregate others',
        },
      ],
    },
  },
  bindingOf(GUARD),
  {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicy',
    metadata: { name: BINDINGS, labels: PART_OF_WEFT },
    spec: {
      failurePolicy: 'Fail',
      matchConstraints: {
        resourceRules: [
          {
            apiGroups: ['rbac.authorization.k8s.io'],
            apiVersions: ['*'],
            resources: ['clusterrolebindings', 'rolebindings'],
            operations: ['CREATE', 'UPDATE', 'DELETE'],
          },
        ],
      },
      matchConditions: [byWeft(namespace, account)],
      validations: [
        {
          expression: `request.resource.resource == 'clusterrolebindings' && request.name.startsWith('${PROVIDER_ROLES}') && request.name.endsWith(':system')`,
          message: 'Weft may bind the roles of providers only',
        },
        {
          // The namespace may be a placeholder of a template, which takes quotes around nothing else for its own.
          expression: `request.operation == 'DELETE' || (object.roleRef.kind == 'ClusterRole' && object.roleRef.name == request.name &&
  has(object.subjects) && object.subjects.all(subject, subject.kind == 'ServiceAccount' && has(subject.namespace) && 'in ' + subject.namespace == 'in ${namespace}'
    && subject.name != '${account}'))`,
          message: 'Weft may bind the role of a provider to accounts of its own namespace only, and not to itself',
        },
      ],
    },
  },
  bindingOf(BINDINGS),
]

const byWeft = (namespace: string, account: string): object => ({
  name: 'by-weft',
  expression: `request.userInfo.username == 'system:serviceaccount:${namespace}:${account}'`,
})

const bindingOf = (policyName: string): KubeObject => ({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingAdmissionPolicyBinding',
  metadata: { name: policyName, labels: PART_OF_WEFT },
  spec: { policyName, validationActions: ['Deny'] },
})

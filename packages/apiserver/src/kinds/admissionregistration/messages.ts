import { type Message, inline, list, message, opt, ptr, req, root } from '../message.ts'
import { condition, labelSelector, objectMeta } from '../meta.ts'

/** Messages of `admissionregistration.k8s.io/v1`. */
const v1 = (kind: string): string => `io.k8s.api.admissionregistration.v1.${kind}`

export const validatingWebhookConfiguration: Message = root(
  v1('ValidatingWebhookConfiguration'),
  'Webhooks that may refuse requests.',
  () => ({
    metadata: opt(1, objectMeta, 'Name, labels and the other standard metadata.'),
    webhooks: opt(2, list(validatingWebhook, ['name']), 'The webhooks, and the requests that each is called for.', {
      patchStrategy: 'merge',
      patchMergeKey: 'name',
    }),
  }),
)

export const validatingWebhook: Message = message(v1('ValidatingWebhook'), 'A webhook that may refuse requests.', () => ({
  name: req(1, 'string', 'Full name of the webhook, such as policy.example.org.'),
  clientConfig: req(2, webhookClientConfig, 'Where the webhook is.'),
  rules: opt(3, list(ruleWithOperations), 'The requests that the webhook is called for.'),
  failurePolicy: ptr(4, 'string', 'Ignore or Fail: what happens when it cannot be asked.'),
  matchPolicy: ptr(9, 'string', 'Exact or Equivalent: whether rules also match other versions of the same object.'),
  namespaceSelector: ptr(5, labelSelector, 'Selects the namespaces whose requests the webhook is called for.'),
  objectSelector: ptr(10, labelSelector, 'Selects the objects that the webhook is called for, by their labels.'),
  sideEffects: ptr(6, 'string', 'None or NoneOnDryRun.', { required: true }),
  timeoutSeconds: ptr(7, 'int32', 'How long to wait for its answer, 1 to 30.'),
  admissionReviewVersions: req(8, list('string'), 'Versions of AdmissionReview it understands, best first.'),
  matchConditions: opt(11, list(matchCondition, ['name']), 'Expressions in CEL that must all hold for it to be asked.', {
    patchStrategy: 'merge',
    patchMergeKey: 'name',
  }),
}))

export const webhookClientConfig: Message = message(v1('WebhookClientConfig'), 'Where a webhook is; by url or by service.', () => ({
  url: ptr(3, 'string', 'Address of the webhook.'),
  service: ptr(1, serviceReference, 'Service of the webhook.'),
  caBundle: opt(2, 'bytes', "Certificates that the webhook's own is checked against, in PEM."),
}))

export const serviceReference: Message = message(v1('ServiceReference'), 'Points to a service.', () => ({
  namespace: req(1, 'string', 'Namespace of the service.'),
  name: req(2, 'string', 'Name of the service.'),
  path: ptr(3, 'string', 'Path to call.'),
  port: ptr(4, 'int32', 'Port to call.'),
}))

export const ruleWithOperations: Message = message(v1('RuleWithOperations'), 'Operations on resources.', () => ({
  operations: opt(1, list('string'), 'CREATE, UPDATE, DELETE, CONNECT or *.'),
  rule: inline(2, rule),
}))

export const rule: Message = message(v1('Rule'), 'Resources.', () => ({
  apiGroups: opt(1, list('string'), 'Groups of the resources; * is all of them.'),
  apiVersions: opt(2, list('string'), 'Versions of the resources; * is all of them.'),
  resources: opt(3, list('string'), 'Resources and subresources; * and */* stand for all.'),
  scope: ptr(4, 'string', 'Cluster, Namespaced or *.'),
}))

export const matchCondition: Message = message(v1('MatchCondition'), 'A condition on requests.', () => ({
  name: req(1, 'string', 'Name of the condition.'),
  expression: req(2, 'string', 'Expression in CEL, true when the request matches.'),
}))

export const mutatingWebhookConfiguration: Message = root(
  v1('MutatingWebhookConfiguration'),
  'Webhooks that may change and refuse requests.',
  () => ({
    metadata: opt(1, objectMeta, 'Name, labels and the other standard metadata.'),
    webhooks: opt(2, list(mutatingWebhook, ['name']), 'The webhooks, and the requests that each is called for.', {
      patchStrategy: 'merge',
      patchMergeKey: 'name',
    }),
  }),
)

export const mutatingWebhook: Message = message(v1('MutatingWebhook'), 'A webhook that may change and refuse requests.', () => ({
  name: req(1, 'string', 'Full name of the webhook, such as defaults.example.org.'),
  clientConfig: req(2, webhookClientConfig, 'Where the webhook is.'),
  rules: opt(3, list(ruleWithOperations), 'The requests that the webhook is called for.'),
  failurePolicy: ptr(4, 'string', 'Ignore or Fail: what happens when it cannot be asked.'),
  matchPolicy: ptr(9, 'string', 'Exact or Equivalent: whether rules also match other versions of the same object.'),
  namespaceSelector: ptr(5, labelSelector, 'Selects the namespaces whose requests the webhook is called for.'),
  objectSelector: ptr(11, labelSelector, 'Selects the objects that the webhook is called for, by their labels.'),
  sideEffects: ptr(6, 'string', 'None or NoneOnDryRun.', { required: true }),
  timeoutSeconds: ptr(7, 'int32', 'How long to wait for its answer, 1 to 30.'),
  admissionReviewVersions: req(8, list('string'), 'Versions of AdmissionReview it understands, best first.'),
  reinvocationPolicy: ptr(10, 'string', 'Whether the webhook is called again after later changes: Never or IfNeeded.'),
  matchConditions: opt(12, list(matchCondition, ['name']), 'Expressions in CEL that must all hold for it to be asked.', {
    patchStrategy: 'merge',
    patchMergeKey: 'name',
  }),
}))

export const validatingAdmissionPolicy: Message = root(v1('ValidatingAdmissionPolicy'), 'Rules in CEL that may refuse requests.', () => ({
  metadata: opt(1, objectMeta, 'Name, labels and the other standard metadata.'),
  spec: opt(2, validatingAdmissionPolicySpec, 'The desired state.'),
  status: opt(3, validatingAdmissionPolicyStatus, 'What is observed.'),
}))

export const validatingAdmissionPolicySpec: Message = message(
  v1('ValidatingAdmissionPolicySpec'),
  'The rules and what they apply to.',
  () => ({
    paramKind: ptr(1, paramKind, 'Kind of the objects that parametrise the policy.'),
    matchConstraints: ptr(2, matchResources, 'Which requests the policy is about.'),
    validations: opt(3, list(validation), 'The rules.'),
    failurePolicy: ptr(4, 'string', 'Ignore or Fail: what happens when a rule cannot be evaluated.'),
    auditAnnotations: opt(5, list(auditAnnotation), 'Annotations for the audit log.'),
    matchConditions: opt(6, list(matchCondition, ['name']), 'Conditions that must all hold for the rules to run.', {
      patchStrategy: 'merge',
      patchMergeKey: 'name',
    }),
    variables: opt(7, list(variable, ['name']), 'Named expressions that the rules may use.', {
      patchStrategy: 'merge',
      patchMergeKey: 'name',
    }),
  }),
)

export const paramKind: Message = message(
  v1('ParamKind'),
  'A kind of parameter objects.',
  () => ({
    apiVersion: opt(1, 'string', 'Group and version of the kind.'),
    kind: opt(2, 'string', 'The kind.'),
  }),
  { mapType: 'atomic' },
)

export const matchResources: Message = message(
  v1('MatchResources'),
  'Which requests are meant.',
  () => ({
    namespaceSelector: ptr(1, labelSelector, 'Which namespaces are meant.'),
    objectSelector: ptr(2, labelSelector, 'Which objects are meant, by label.'),
    resourceRules: opt(3, list(namedRuleWithOperations), 'Which operations on which resources are meant.'),
    excludeResourceRules: opt(4, list(namedRuleWithOperations), 'Which of those are not.'),
    matchPolicy: ptr(7, 'string', 'Exact or Equivalent: whether rules also match other versions of the same object.'),
  }),
  { mapType: 'atomic' },
)

export const namedRuleWithOperations: Message = message(
  v1('NamedRuleWithOperations'),
  'Operations on resources, by name if wanted.',
  () => ({
    resourceNames: opt(1, list('string'), 'Names the rule is limited to; empty is all.'),
    ruleWithOperations: inline(2, ruleWithOperations),
  }),
  { mapType: 'atomic' },
)

export const validation: Message = message(v1('Validation'), 'One rule.', () => ({
  expression: req(1, 'string', 'Expression in CEL, true when the request is fine.'),
  message: opt(2, 'string', 'What to say when it is not.'),
  reason: ptr(3, 'string', 'Machine-readable cause of the refusal.'),
  messageExpression: opt(4, 'string', 'Expression in CEL for the message.'),
}))

export const auditAnnotation: Message = message(v1('AuditAnnotation'), 'An annotation for the audit log.', () => ({
  key: req(1, 'string', 'Key of the annotation.'),
  valueExpression: req(2, 'string', 'Expression in CEL for its value.'),
}))

export const variable: Message = message(
  v1('Variable'),
  'A named expression.',
  () => ({
    name: req(1, 'string', 'Name by which rules use it.'),
    expression: req(2, 'string', 'Expression in CEL.'),
  }),
  { mapType: 'atomic' },
)

export const validatingAdmissionPolicyStatus: Message = message(v1('ValidatingAdmissionPolicyStatus'), 'State of a policy.', () => ({
  observedGeneration: opt(1, 'int64', 'Generation the status is based on.'),
  typeChecking: ptr(2, typeChecking, 'What checking the types of expressions found.'),
  conditions: opt(3, list(condition, ['type']), 'Findings about the policy.'),
}))

export const typeChecking: Message = message(v1('TypeChecking'), 'What checking the types of expressions found.', () => ({
  expressionWarnings: opt(1, list(expressionWarning), 'Warnings, by expression.'),
}))

export const expressionWarning: Message = message(v1('ExpressionWarning'), 'A warning about one expression.', () => ({
  fieldRef: req(2, 'string', 'Path of the expression.'),
  warning: req(3, 'string', 'The warning.'),
}))

export const validatingAdmissionPolicyBinding: Message = root(v1('ValidatingAdmissionPolicyBinding'), 'Puts a policy into force.', () => ({
  metadata: opt(1, objectMeta, 'Name, labels and the other standard metadata.'),
  spec: opt(2, validatingAdmissionPolicyBindingSpec, 'The desired state.', { required: true }),
}))

export const validatingAdmissionPolicyBindingSpec: Message = message(
  v1('ValidatingAdmissionPolicyBindingSpec'),
  'Which policy, where, with which parameters.',
  () => ({
    policyName: opt(1, 'string', 'Name of the policy.', { required: true }),
    paramRef: ptr(2, paramRef, 'The parameter objects.'),
    matchResources: ptr(3, matchResources, 'Narrows down which requests are meant.'),
    validationActions: opt(4, list('string', 'set'), 'Deny, Warn or Audit: what a failed rule leads to.'),
  }),
)

export const paramRef: Message = message(
  v1('ParamRef'),
  'Points to parameter objects, by name or by label.',
  () => ({
    name: opt(1, 'string', 'Name of the object.'),
    namespace: opt(2, 'string', 'Namespace of the objects.'),
    selector: ptr(3, labelSelector, 'Labels of the objects.'),
    parameterNotFoundAction: ptr(4, 'string', 'What to do if no parameter exists: Allow or Deny.'),
  }),
  { mapType: 'atomic' },
)

export const mutatingAdmissionPolicy: Message = root(v1('MutatingAdmissionPolicy'), 'Changes to requests, in CEL.', () => ({
  metadata: opt(1, objectMeta, 'Name, labels and the other standard metadata.'),
  spec: opt(2, mutatingAdmissionPolicySpec, 'The desired state.'),
}))

export const mutatingAdmissionPolicySpec: Message = message(
  v1('MutatingAdmissionPolicySpec'),
  'The changes and what they apply to.',
  () => ({
    paramKind: ptr(1, paramKind, 'Kind of the objects that parametrise the policy.'),
    matchConstraints: ptr(2, matchResources, 'Which requests the policy is about.'),
    variables: opt(3, list(variable), 'Named expressions that the changes may use.'),
    mutations: opt(4, list(mutation), 'The changes, one after the other.'),
    failurePolicy: ptr(5, 'string', 'Ignore or Fail: what happens when a change cannot be made.'),
    matchConditions: opt(6, list(matchCondition, ['name']), 'Conditions that must all hold for the changes to be made.', {
      patchStrategy: 'merge',
      patchMergeKey: 'name',
    }),
    reinvocationPolicy: opt(7, 'string', 'Never or IfNeeded: whether it is applied again after later changes.'),
  }),
)

export const mutation: Message = message(v1('Mutation'), 'One change.', () => ({
  patchType: req(2, 'string', 'ApplyConfiguration or JSONPatch.'),
  applyConfiguration: ptr(3, applyConfiguration, 'What is merged into the object.'),
  jsonPatch: ptr(4, jsonPatch, 'Operations on the object.'),
}))

export const applyConfiguration: Message = message(v1('ApplyConfiguration'), 'A configuration that is merged into the object.', () => ({
  expression: opt(1, 'string', 'Expression in CEL that makes an Object.'),
}))

export const jsonPatch: Message = message(v1('JSONPatch'), 'A JSON patch.', () => ({
  expression: opt(1, 'string', 'Expression in CEL that makes a list of JSONPatch.'),
}))

export const mutatingAdmissionPolicyBinding: Message = root(v1('MutatingAdmissionPolicyBinding'), 'Puts a policy into force.', () => ({
  metadata: opt(1, objectMeta, 'Name, labels and the other standard metadata.'),
  spec: opt(2, mutatingAdmissionPolicyBindingSpec, 'The desired state.'),
}))

export const mutatingAdmissionPolicyBindingSpec: Message = message(
  v1('MutatingAdmissionPolicyBindingSpec'),
  'Which policy, where, with which parameters.',
  () => ({
    policyName: opt(1, 'string', 'Name of the policy.'),
    paramRef: ptr(2, paramRef, 'The parameter objects.'),
    matchResources: ptr(3, matchResources, 'Narrows down which requests are meant.'),
  }),
)

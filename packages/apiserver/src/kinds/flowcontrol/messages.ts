import { type Message, list, message, opt, ptr, req, root } from '../message.ts'
import { objectMeta } from '../meta.ts'

/** Messages of `flowcontrol.apiserver.k8s.io/v1`. */
const v1 = (kind: string): string => `io.k8s.api.flowcontrol.v1.${kind}`

const meta = opt(1, objectMeta, 'Name, labels and the other standard metadata.')
const merged = { patchStrategy: 'merge', patchMergeKey: 'type' } as const

export const flowSchema: Message = root(
  v1('FlowSchema'),
  'Which requests belong together, and the priority level that serves them.',
  () => ({
    metadata: meta,
    spec: opt(2, flowSchemaSpec, 'The desired state.'),
    status: opt(3, flowSchemaStatus, 'What is observed.'),
  }),
)

const flowSchemaSpec: Message = message(v1('FlowSchemaSpec'), 'Which requests, and how they are served.', () => ({
  priorityLevelConfiguration: req(1, reference, 'The priority level that serves these requests.'),
  matchingPrecedence: req(2, 'int32', 'Of several schemas that match a request the one with the lowest number counts.', {
    required: false,
  }),
  distinguisherMethod: ptr(3, distinguisherMethod, 'What makes requests of this schema flows of their own; without it all are one.'),
  rules: opt(4, list(policyRules), 'A request belongs to the schema when one of these matches it.'),
}))

const reference: Message = message(v1('PriorityLevelConfigurationReference'), 'A priority level.', () => ({
  name: req(1, 'string', 'Its name.'),
}))

const distinguisherMethod: Message = message(v1('FlowDistinguisherMethod'), 'What makes a flow.', () => ({
  type: req(1, 'string', 'ByUser or ByNamespace.'),
}))

const policyRules: Message = message(v1('PolicyRulesWithSubjects'), 'Who asks, and for what.', () => ({
  subjects: req(1, list(subject), 'Who asks: any of these.'),
  resourceRules: opt(2, list(resourceRule), 'Rules for requests to resources, any of which must match.'),
  nonResourceRules: opt(3, list(nonResourceRule), 'Rules for other requests, any of which must match.'),
}))

const subject: Message = message(v1('Subject'), 'A user, a group or a service account.', () => ({
  kind: req(1, 'string', 'User, Group or ServiceAccount.'),
  user: ptr(2, userSubject, 'The user.'),
  group: ptr(3, groupSubject, 'The group.'),
  serviceAccount: ptr(4, accountSubject, 'The service account.'),
}))

const userSubject: Message = message(v1('UserSubject'), 'A user.', () => ({ name: req(1, 'string', 'The name, or * for all.') }))
const groupSubject: Message = message(v1('GroupSubject'), 'A group.', () => ({ name: req(1, 'string', 'The name, or * for all.') }))
const accountSubject: Message = message(v1('ServiceAccountSubject'), 'A service account.', () => ({
  namespace: req(1, 'string', 'Its namespace.'),
  name: req(2, 'string', 'The name, or * for all of the namespace.'),
}))

const resourceRule: Message = message(v1('ResourcePolicyRule'), 'Requests for resources.', () => ({
  verbs: req(1, list('string', 'set'), 'Verbs, or *.'),
  apiGroups: req(2, list('string', 'set'), 'API groups, or *.'),
  resources: req(3, list('string', 'set'), 'Resources and subresources, or *.'),
  clusterScope: opt(4, 'bool', 'Also requests outside of any namespace.'),
  namespaces: req(5, list('string', 'set'), 'Namespaces, or *.', { required: false }),
}))

const nonResourceRule: Message = message(v1('NonResourcePolicyRule'), 'Requests for paths.', () => ({
  verbs: req(1, list('string', 'set'), 'Verbs, or *.'),
  nonResourceURLs: req(6, list('string', 'set'), 'Paths, or *.'),
}))

const condition = (kind: string): Message =>
  message(v1(kind), 'One finding about the object.', () => ({
    type: opt(1, 'string', 'What it is about.'),
    status: opt(2, 'string', 'True, False or Unknown.'),
    lastTransitionTime: req(3, 'time', 'When the status last changed.', { required: false }),
    reason: opt(4, 'string', 'The reason for the status, in one word.'),
    message: opt(5, 'string', 'Why, in a sentence.'),
  }))
const flowSchemaCondition = condition('FlowSchemaCondition')
const levelCondition = condition('PriorityLevelConfigurationCondition')

const flowSchemaStatus: Message = message(v1('FlowSchemaStatus'), 'What is known of a schema.', () => ({
  conditions: opt(1, list(flowSchemaCondition, ['type']), 'Dangling: there is no such priority level.', merged),
}))

export const priorityLevelConfiguration: Message = root(
  v1('PriorityLevelConfiguration'),
  'A share of the requests that the server handles concurrently.',
  () => ({
    metadata: meta,
    spec: opt(2, levelSpec, 'The desired state.'),
    status: opt(3, levelStatus, 'What is observed.'),
  }),
)

const levelSpec: Message = message(v1('PriorityLevelConfigurationSpec'), 'Whether there is a limit, and which.', () => ({
  type: req(1, 'string', 'Exempt or Limited.'),
  limited: ptr(2, limited, 'The limit.'),
  exempt: ptr(3, exempt, 'What is set aside for requests without a limit.'),
}))

const limited: Message = message(v1('LimitedPriorityLevelConfiguration'), 'The limit, and what happens to requests beyond it.', () => ({
  nominalConcurrencyShares: ptr(1, 'int32', 'The part of the seats: this number of all such numbers together.'),
  limitResponse: opt(2, limitResponse, 'What becomes of requests that find no seat.'),
  lendablePercent: ptr(3, 'int32', 'How many of the seats others may have while they are free.'),
  borrowingLimitPercent: ptr(4, 'int32', 'How many seats of others it may have; no limit unless given.'),
}))

const exempt: Message = message(v1('ExemptPriorityLevelConfiguration'), 'What is set aside.', () => ({
  nominalConcurrencyShares: ptr(1, 'int32', 'The part of the seats.'),
  lendablePercent: ptr(2, 'int32', 'How many of them others may have while they are free.'),
}))

const limitResponse: Message = message(v1('LimitResponse'), 'What becomes of requests that find no seat.', () => ({
  type: req(1, 'string', 'Queue or Reject.'),
  queuing: ptr(2, queuing, 'The queues.'),
}))

const queuing: Message = message(v1('QueuingConfiguration'), 'Queues in which requests wait.', () => ({
  queues: req(1, 'int32', 'How many.', { required: false }),
  handSize: req(2, 'int32', 'Among how many of them a flow chooses the shortest.', { required: false }),
  queueLengthLimit: req(3, 'int32', 'How many requests may wait in each.', { required: false }),
}))

const levelStatus: Message = message(v1('PriorityLevelConfigurationStatus'), 'What is known of a level.', () => ({
  conditions: opt(1, list(levelCondition, ['type']), 'Findings.', merged),
}))

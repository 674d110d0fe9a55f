import { type Message, list, map, message, opt, ptr, req, root } from './message.ts'

/** `meta.k8s.io/v1`: metadata, selectors, options and statuses that every group uses. */
const v1 = (kind: string): string => `io.k8s.apimachinery.pkg.apis.meta.v1.${kind}`

export const objectMeta: Message = message(v1('ObjectMeta'), 'Metadata that all stored objects have.', () => ({
  name: opt(1, 'string', 'Name, unique among objects of this kind in the namespace.'),
  generateName: opt(2, 'string', 'Prefix from which the server makes a unique name when none is given.'),
  namespace: opt(3, 'string', 'Namespace the object lives in; empty for cluster-wide kinds.'),
  selfLink: opt(4, 'string', 'No longer filled in.'),
  uid: opt(5, 'string', 'Identity in time and space, set by the server.'),
  resourceVersion: opt(6, 'string', 'Opaque version that changes with every write.'),
  generation: opt(7, 'int64', 'Counts changes of the wanted state.'),
  creationTimestamp: opt(8, 'time', 'When the object was created, set by the server.'),
  deletionTimestamp: ptr(9, 'time', 'When the object was asked to go; set by the server.'),
  deletionGracePeriodSeconds: ptr(10, 'int64', 'Seconds granted to end gracefully.'),
  labels: opt(11, map('string'), 'Keys and values that selectors match on.'),
  annotations: opt(12, map('string'), 'Keys and values for tools; not selectable.'),
  ownerReferences: opt(13, list(ownerReference, ['uid']), 'Objects this one belongs to; it is collected when all of them are gone.', {
    patchStrategy: 'merge',
    patchMergeKey: 'uid',
  }),
  finalizers: opt(14, list('string', 'set'), 'Who must finish before the object is removed.', { patchStrategy: 'merge' }),
  managedFields: opt(17, list(managedFieldsEntry), 'Which manager set which fields.'),
}))

export const ownerReference: Message = message(
  v1('OwnerReference'),
  'Points to an object that owns this one, in the same namespace or cluster-wide.',
  () => ({
    apiVersion: req(5, 'string', 'Group and version of the owner.'),
    kind: req(1, 'string', 'Kind of the owner.'),
    name: req(3, 'string', 'Name of the owner.'),
    uid: req(4, 'string', 'UID of the owner.'),
    controller: ptr(6, 'bool', 'Whether the owner is the managing controller.'),
    blockOwnerDeletion: ptr(7, 'bool', 'Whether foreground deletion of the owner waits for this object.'),
  }),
  { mapType: 'atomic' },
)

export const managedFieldsEntry: Message = message(
  v1('ManagedFieldsEntry'),
  'The fields one manager has set by one kind of operation.',
  () => ({
    manager: opt(1, 'string', 'Who manages the fields.'),
    operation: opt(2, 'string', 'Apply or Update.'),
    apiVersion: opt(3, 'string', 'Version in which the fields are named.'),
    time: ptr(4, 'time', 'When the set of fields last changed.'),
    fieldsType: opt(6, 'string', 'Format of the set; always FieldsV1.'),
    fieldsV1: ptr(7, 'fieldsV1', 'The set of fields.'),
    subresource: opt(8, 'string', 'Subresource through which they were set.'),
  }),
)

export const condition: Message = message(v1('Condition'), 'One finding about an object.', () => ({
  type: req(1, 'string', 'Which aspect this is about.'),
  status: req(2, 'string', 'True, False or Unknown.'),
  observedGeneration: opt(3, 'int64', 'Generation the finding is based on.'),
  lastTransitionTime: req(4, 'time', 'When the status last changed.'),
  reason: req(5, 'string', 'Machine-readable cause, in CamelCase.'),
  message: req(6, 'string', 'Explanation for people.'),
}))

export const labelSelector: Message = message(
  v1('LabelSelector'),
  'Selects objects by label; all parts must match, an empty selector matches all.',
  () => ({
    matchLabels: opt(1, map('string'), 'Labels and the value each must have.'),
    matchExpressions: opt(2, list(labelSelectorRequirement), 'Requirements on labels.'),
  }),
  { mapType: 'atomic' },
)

export const labelSelectorRequirement: Message = message(v1('LabelSelectorRequirement'), 'A requirement on one label.', () => ({
  key: req(1, 'string', 'Key of the label.'),
  operator: req(2, 'string', 'In, NotIn, Exists or DoesNotExist.'),
  values: opt(3, list('string'), 'Values for In and NotIn.'),
}))

export const deleteOptions: Message = root(v1('DeleteOptions'), 'How to delete an object.', () => ({
  gracePeriodSeconds: ptr(1, 'int64', 'Seconds to wait before the object is removed; zero removes it at once.'),
  preconditions: ptr(2, preconditions, 'What must hold for the deletion to happen.'),
  orphanDependents: ptr(3, 'bool', 'Older form of propagationPolicy.'),
  propagationPolicy: ptr(4, 'string', 'Orphan, Background or Foreground: what happens to dependents.'),
  dryRun: opt(5, list('string'), 'Set to All to check without effect.'),
  ignoreStoreReadErrorWithClusterBreakingPotential: ptr(6, 'bool', 'Delete even when the stored object cannot be read.'),
}))

export const preconditions: Message = message(v1('Preconditions'), 'What must hold for an operation to happen.', () => ({
  uid: ptr(1, 'string', 'UID the object must have.'),
  resourceVersion: ptr(2, 'string', 'Version the object must have.'),
}))

export const status: Message = root(v1('Status'), 'Result of a request that returns no other object.', () => ({
  metadata: opt(1, listMeta, 'Name, labels and the other standard metadata.'),
  status: opt(2, 'string', 'Success or Failure.'),
  message: opt(3, 'string', 'Explanation for people.'),
  reason: opt(4, 'string', 'Machine-readable cause of a failure.'),
  details: ptr(5, statusDetails, 'More about the reason.'),
  code: opt(6, 'int32', 'HTTP status code.'),
}))

export const listMeta: Message = message(v1('ListMeta'), 'Metadata of a list or of another answer that is not stored.', () => ({
  selfLink: opt(1, 'string', 'No longer filled in.'),
  resourceVersion: opt(2, 'string', 'Version at which the list was taken.'),
  continue: opt(3, 'string', 'Token to ask for the next part of the list.'),
  remainingItemCount: ptr(4, 'int64', 'How many items follow this part, when known.'),
  shardInfo: ptr(5, shardInfo, 'Set when the list is one shard of the whole.'),
}))

export const shardInfo: Message = message(v1('ShardInfo'), 'Which shard of a collection a list holds.', () => ({
  selector: req(1, 'string', 'Selector of the shard.'),
}))

export const statusDetails: Message = message(v1('StatusDetails'), 'More about the reason of a status.', () => ({
  name: opt(1, 'string', 'Name of the object concerned.'),
  group: opt(2, 'string', 'Group of the object concerned.'),
  kind: opt(3, 'string', 'Kind or resource concerned.'),
  uid: opt(6, 'string', 'UID of the object concerned.'),
  causes: opt(4, list(statusCause), 'What exactly is wrong.'),
  retryAfterSeconds: opt(5, 'int32', 'When to try again.'),
}))

export const statusCause: Message = message(v1('StatusCause'), 'One thing that is wrong.', () => ({
  reason: opt(1, 'string', 'Machine-readable cause.'),
  message: opt(2, 'string', 'Explanation for people.'),
  field: opt(3, 'string', 'Field it is about, as a path.'),
}))

export const fieldSelectorRequirement: Message = message(v1('FieldSelectorRequirement'), 'A requirement on one field.', () => ({
  key: req(1, 'string', 'Path of the field.'),
  operator: req(2, 'string', 'In, NotIn, Exists or DoesNotExist.'),
  values: opt(3, list('string'), 'Values for In and NotIn.'),
}))

/** An object of any kind without what is its kind's own. */
export const partialObjectMetadata: Message = root(v1('PartialObjectMetadata'), 'The metadata of an object of any kind.', () => ({
  metadata: opt(1, objectMeta, 'Name, labels and the other standard metadata.'),
}))

export const partialObjectMetadataList: Message = root(v1('PartialObjectMetadataList'), 'The metadata of a list of objects.', () => ({
  metadata: opt(1, listMeta, 'Metadata of the list.'),
  items: req(2, list(partialObjectMetadata, 'undeclared'), 'The metadata of each object.'),
}))

/** The older version has its fields the other way round. */
export const partialObjectMetadataListBeta: Message = root(
  'io.k8s.apimachinery.pkg.apis.meta.v1beta1.PartialObjectMetadataList',
  'The metadata of a list of objects.',
  () => ({
    metadata: opt(2, listMeta, 'Metadata of the list.'),
    items: req(1, list(partialObjectMetadata, 'undeclared'), 'The metadata of each object.'),
  }),
)

/** Fields of an object that are never part of anybody's set: identity and bookkeeping belong to the server. */
export const systemFields: ReadonlySet<string> = new Set(['apiVersion', 'kind'])

/** The same, below `metadata`. `metadata` itself has no owner either. */
export const systemMetadata: ReadonlySet<string> = new Set([
  'name',
  'namespace',
  'creationTimestamp',
  'selfLink',
  'uid',
  'clusterName',
  'generation',
  'managedFields',
  'resourceVersion',
])

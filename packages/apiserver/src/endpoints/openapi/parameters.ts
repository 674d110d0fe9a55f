/** Parameters of operations, described once and written in the form of either OpenAPI version. */
export interface Parameter {
  readonly name: string
  readonly in: 'query' | 'path'
  readonly type: 'string' | 'integer' | 'boolean'
  readonly description: string
}

const query = (name: string, type: Parameter['type'], description: string): Parameter => ({ name, in: 'query', type, description })

export const pretty: Parameter = query(
  'pretty',
  'string',
  'Set to true to have the answer indented. It is on by default for browsers and command-line tools such as curl.',
)

const dryRun = query('dryRun', 'string', 'Set to All to run every check without keeping the result.')
const fieldManager = query(
  'fieldManager',
  'string',
  'Who sets the fields, for the record: at most 128 printable characters. Required for apply.',
)
const fieldValidation = query(
  'fieldValidation',
  'string',
  'For unknown and repeated fields: Ignore drops them, Warn (the default) also sends a warning, Strict refuses.',
)
const force = query('force', 'boolean', 'Take over fields that other managers own. Only for apply patches.')

export const writeParameters: readonly Parameter[] = [dryRun, fieldManager, fieldValidation]
export const patchParameters: readonly Parameter[] = [dryRun, fieldManager, fieldValidation, force]

const continueToken = query(
  'continue',
  'string',
  'Token from the previous part of a list, to get the next. Tokens expire with the history they read from; then 410 is answered.',
)
const fieldSelector = query(
  'fieldSelector',
  'string',
  'Keeps objects with these values of fields, such as metadata.name=example. Defaults to everything.',
)
const labelSelector = query('labelSelector', 'string', 'Keeps objects whose labels match. Defaults to everything.')
const limit = query('limit', 'integer', 'Most objects to answer at once; if there are more, metadata.continue of the list is set.')
const resourceVersion = query('resourceVersion', 'string', 'Version of the data to read or to watch from. Unset: the most recent.')
const resourceVersionMatch = query('resourceVersionMatch', 'string', 'How resourceVersion is applied to a list: Exact or NotOlderThan.')
const sendInitialEvents = query(
  'sendInitialEvents',
  'boolean',
  'With watch: begin with the present objects, then a bookmark that marks their end. Requires resourceVersionMatch=NotOlderThan.',
)
const timeoutSeconds = query('timeoutSeconds', 'integer', 'Ends the list or watch after this time, whatever it is doing.')
const allowWatchBookmarks = query(
  'allowWatchBookmarks',
  'boolean',
  'With watch: ask for bookmarks, events that only tell the resource version reached.',
)
const watch = query('watch', 'boolean', 'Answer changes as they happen instead of a list.')

export const listParameters: readonly Parameter[] = [
  allowWatchBookmarks,
  continueToken,
  fieldSelector,
  labelSelector,
  limit,
  resourceVersion,
  resourceVersionMatch,
  sendInitialEvents,
  timeoutSeconds,
  watch,
]

const gracePeriodSeconds = query('gracePeriodSeconds', 'integer', 'Seconds granted to end gracefully; zero removes the object at once.')
const ignoreReadError = query(
  'ignoreStoreReadErrorWithClusterBreakingPotential',
  'boolean',
  'Delete even when the stored object cannot be read.',
)
const orphanDependents = query('orphanDependents', 'boolean', 'Older form of propagationPolicy.')
const propagationPolicy = query(
  'propagationPolicy',
  'string',
  'What happens to dependents: Orphan keeps them, Background deletes them afterwards, Foreground before.',
)

export const deleteParameters: readonly Parameter[] = [dryRun, gracePeriodSeconds, ignoreReadError, orphanDependents, propagationPolicy]

export const deleteCollectionParameters: readonly Parameter[] = [
  continueToken,
  dryRun,
  fieldSelector,
  gracePeriodSeconds,
  ignoreReadError,
  labelSelector,
  limit,
  orphanDependents,
  propagationPolicy,
  resourceVersion,
  resourceVersionMatch,
  sendInitialEvents,
  timeoutSeconds,
]

export const readParameters: readonly Parameter[] = [resourceVersion]

export const namespaceParameter: Parameter = { name: 'namespace', in: 'path', type: 'string', description: 'Namespace of the object.' }
export const nameParameter = (kind: string): Parameter => ({
  name: 'name',
  in: 'path',
  type: 'string',
  description: `Name of the ${kind}.`,
})

export const parameterV3 = ({ name, in: where, type, description }: Parameter): object => ({
  name,
  in: where,
  description,
  ...(where === 'path' && { required: true }),
  schema: { type, uniqueItems: true },
})

export const parameterV2 = ({ name, in: where, type, description }: Parameter): object => ({
  uniqueItems: true,
  type,
  description,
  name,
  in: where,
  ...(where === 'path' && { required: true }),
})

/** Parameters that do not depend on the kind are written once in an OpenAPI v2 document and referred to. */
export const sharedParameters: readonly Parameter[] = [
  ...new Set([pretty, namespaceParameter, ...patchParameters, ...listParameters, ...deleteCollectionParameters]),
]

import { deleteOptions, listMeta, objectMeta, status } from '../../kinds/meta.ts'
import { list, type Message, message, opt, req, root } from '../../kinds/message.ts'

/** Kinds that are never stored and that only OpenAPI documents speak of: discovery, watch events, patches. */
const v1 = (kind: string): string => `io.k8s.apimachinery.pkg.apis.meta.v1.${kind}`

export const patch: Message = message(v1('Patch'), 'A patch, in the format that the request names as its content type.', () => ({}))

export const watchEvent: Message = message(v1('WatchEvent'), 'One event of a watch.', () => ({
  type: req(1, 'string', 'ADDED, MODIFIED, DELETED, BOOKMARK or ERROR.'),
  object: req(2, 'rawExtension', 'The object after the change; for DELETED its last state, for ERROR a Status.'),
}))

export const apiResource: Message = message(v1('APIResource'), 'A resource that is served, or a part of one.', () => ({
  name: req(1, 'string', 'Plural name; of a subresource, plural/subresource.'),
  singularName: req(6, 'string', 'Singular name, for tools that talk to people.'),
  namespaced: req(2, 'bool', 'Whether objects live in namespaces.'),
  group: opt(8, 'string', 'Group of the kind, when not that of the list.'),
  version: opt(9, 'string', 'Version of the kind, when not that of the list.'),
  kind: req(3, 'string', 'Kind of the objects.'),
  verbs: req(4, list('string', 'undeclared'), 'What one can do with it.'),
  shortNames: opt(5, list('string'), 'Short names, for tools that talk to people.'),
  categories: opt(7, list('string'), 'Groups of resources it is shown with, such as all.'),
  storageVersionHash: opt(10, 'string', 'Changes when objects are stored in another version.'),
}))

export const apiResourceList: Message = root(v1('APIResourceList'), 'The resources of one group version.', () => ({
  groupVersion: req(1, 'string', 'The group version.'),
  resources: req(2, list(apiResource), 'Its resources.'),
}))

const serverAddress: Message = message(v1('ServerAddressByClientCIDR'), 'Where clients in a network reach this server.', () => ({
  clientCIDR: req(1, 'string', 'The network of the clients.'),
  serverAddress: req(2, 'string', 'The address they should use.'),
}))

const groupVersion: Message = message(v1('GroupVersionForDiscovery'), 'One version of a group.', () => ({
  groupVersion: req(1, 'string', 'Group and version, as group/version.'),
  version: req(2, 'string', 'The version alone.'),
}))

export const apiVersions: Message = root(v1('APIVersions'), 'The versions of the core group.', () => ({
  versions: req(1, list('string'), 'The versions.'),
  serverAddressByClientCIDRs: req(2, list(serverAddress), 'Where clients reach this server.'),
}))

export const apiGroup: Message = root(v1('APIGroup'), 'A group, its versions and the preferred one.', () => ({
  name: req(1, 'string', 'Name of the group.'),
  versions: req(2, list(groupVersion), 'Its versions, preferred first.'),
  preferredVersion: opt(3, groupVersion, 'The version to use when any would do.'),
  serverAddressByClientCIDRs: opt(4, list(serverAddress), 'Where clients reach this server.'),
}))

export const apiGroupList: Message = root(v1('APIGroupList'), 'All groups but the core group.', () => ({
  groups: req(1, list(apiGroup), 'The groups.'),
}))

export const versionInfo: Message = message(
  'io.k8s.apimachinery.pkg.version.Info',
  'Which release this server is compatible with, and what it runs on.',
  () => ({
    major: req(1, 'string', 'Major version of the API.'),
    minor: req(2, 'string', 'Minor version of the API.'),
    emulationMajor: opt(3, 'string', 'Major version emulated.'),
    emulationMinor: opt(4, 'string', 'Minor version emulated.'),
    minCompatibilityMajor: opt(5, 'string', 'Oldest major version this server can work with.'),
    minCompatibilityMinor: opt(6, 'string', 'Oldest minor version this server can work with.'),
    gitVersion: req(7, 'string', 'Full version.'),
    gitCommit: req(8, 'string', 'Commit it was built from.'),
    gitTreeState: req(9, 'string', 'Whether the sources were as committed.'),
    buildDate: req(10, 'string', 'When it was built.'),
    goVersion: req(11, 'string', 'Runtime and its version.'),
    compiler: req(12, 'string', 'Compiler.'),
    platform: req(13, 'string', 'Operating system and architecture.'),
  }),
)

/** Messages of the core group version that every document with operations refers to. */
export const operationMessages: readonly Message[] = [deleteOptions, listMeta, objectMeta, patch, status]

/** Root messages of meta.k8s.io that belong to no resource, and yet have a kind. */
export const coreKinds: ReadonlyMap<string, string> = new Map(
  [deleteOptions, status, watchEvent, apiResourceList, apiVersions, apiGroup, apiGroupList].map((message) => [
    message.name,
    shortName(message),
  ]),
)

/** The kind: the last word of the component's name. */
export function shortName({ name }: Message): string {
  return name.slice(name.lastIndexOf('.') + 1)
}

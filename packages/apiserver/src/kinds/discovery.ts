import { type Message, list, message, opt, ptr, req, root } from './message.ts'
import { listMeta, objectMeta } from './meta.ts'

/** The documents in which the server tells what it serves: one per group and version, or all at once. */
const v1 = (kind: string): string => `io.k8s.apimachinery.pkg.apis.meta.v1.${kind}`
const aggregated = (kind: string): string => `io.k8s.api.apidiscovery.v2.${kind}`

export const apiVersions: Message = root(v1('APIVersions'), 'Versions of the core group.', () => ({
  versions: req(1, list('string'), 'The versions.'),
  serverAddressByClientCIDRs: req(2, list(serverAddressByClientCIDR), 'Where clients reach the server.'),
}))

export const serverAddressByClientCIDR: Message = message(v1('ServerAddressByClientCIDR'), 'Where some clients reach the server.', () => ({
  clientCIDR: req(1, 'string', 'Which clients.'),
  serverAddress: req(2, 'string', 'Where.'),
}))

export const apiGroupList: Message = root(v1('APIGroupList'), 'All groups but the core group.', () => ({
  groups: req(1, list(apiGroup), 'The groups.'),
}))

export const apiGroup: Message = root(v1('APIGroup'), 'A group and its versions.', () => ({
  name: req(1, 'string', 'Name of the group.'),
  versions: req(2, list(groupVersion), 'Its versions.'),
  preferredVersion: opt(3, groupVersion, 'The version to use where there is a choice.'),
  serverAddressByClientCIDRs: opt(4, list(serverAddressByClientCIDR), 'Where clients reach the server.'),
}))

export const groupVersion: Message = message(v1('GroupVersionForDiscovery'), 'One version of a group.', () => ({
  groupVersion: req(1, 'string', 'Group and version.'),
  version: req(2, 'string', 'The version.'),
}))

export const apiResourceList: Message = root(v1('APIResourceList'), 'What is served in one version of a group.', () => ({
  groupVersion: req(1, 'string', 'Group and version.'),
  resources: req(2, list(apiResource), 'The resources and their parts.'),
}))

export const apiResource: Message = message(v1('APIResource'), 'One resource, or a part of one.', () => ({
  name: req(1, 'string', 'Plural name, with the name of the part.'),
  singularName: req(6, 'string', 'Name of one.'),
  namespaced: req(2, 'bool', 'Whether its objects are in namespaces.'),
  group: opt(8, 'string', 'Group of its kind, where it is another.'),
  version: opt(9, 'string', 'Version of its kind, where it is another.'),
  kind: req(3, 'string', 'Kind of its objects.'),
  // A message around the list, as those of ExtraValue are.
  verbs: ptr(4, 'extraValue', 'What can be done.'),
  shortNames: opt(5, list('string'), 'Other names.'),
  categories: opt(7, list('string'), 'Groups of kinds that it belongs to.'),
  storageVersionHash: opt(10, 'string', 'Changes with the version that is stored.'),
}))

export const apiGroupDiscoveryList: Message = root(aggregated('APIGroupDiscoveryList'), 'All that is served.', () => ({
  metadata: opt(1, listMeta, 'Metadata of the list.'),
  items: req(2, list(apiGroupDiscovery), 'The groups.'),
}))

export const apiGroupDiscovery: Message = root(aggregated('APIGroupDiscovery'), 'A group and all that it has.', () => ({
  metadata: opt(1, objectMeta, 'The name is the name of the group.'),
  versions: opt(2, list(apiVersionDiscovery), 'Its versions.'),
}))

export const apiVersionDiscovery: Message = message(aggregated('APIVersionDiscovery'), 'A version of a group and all that it has.', () => ({
  version: req(1, 'string', 'Name of the version.'),
  resources: opt(2, list(apiResourceDiscovery), 'What is served in it.'),
  freshness: opt(3, 'string', 'Current, or Stale where its server did not answer.'),
}))

export const apiResourceDiscovery: Message = message(aggregated('APIResourceDiscovery'), 'A resource and its parts.', () => ({
  resource: req(1, 'string', 'Plural name.'),
  responseKind: ptr(2, groupVersionKind, 'Kind of its objects.'),
  scope: req(3, 'string', 'Cluster or Namespaced.'),
  singularResource: req(4, 'string', 'Name of one.'),
  verbs: req(5, list('string'), 'What can be done.'),
  shortNames: opt(6, list('string'), 'Other names.'),
  categories: opt(7, list('string'), 'Groups of kinds that it belongs to.'),
  subresources: opt(8, list(apiSubresourceDiscovery), 'Its parts.'),
}))

export const apiSubresourceDiscovery: Message = message(aggregated('APISubresourceDiscovery'), 'A part of a resource.', () => ({
  subresource: req(1, 'string', 'Name of the part.'),
  responseKind: ptr(2, groupVersionKind, 'Kind of its answers.'),
  acceptedTypes: opt(3, list(groupVersionKind), 'Kinds that it takes.'),
  verbs: req(4, list('string'), 'What can be done.'),
}))

export const groupVersionKind: Message = message(v1('GroupVersionKind'), 'Names a kind.', () => ({
  group: req(1, 'string', 'Group of the kind.'),
  version: req(2, 'string', 'Version of the kind.'),
  kind: req(3, 'string', 'The kind.'),
}))

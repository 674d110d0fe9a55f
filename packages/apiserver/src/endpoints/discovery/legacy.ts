import { createHash } from 'node:crypto'
import { formatGroupVersion } from '@weft/api'
import type { ResourceType } from '../../registry/index.ts'
import { CUSTOM_VERBS, type ServedGroup, type ServedVersion } from './served-groups.ts'

/** The discovery documents that every Kubernetes client knows: one per group and one per group version. */
export function apiVersions(core: ServedGroup | undefined, serverAddress: string): object {
  return {
    kind: 'APIVersions',
    versions: core?.versions.map(({ version }) => version) ?? [],
    serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress }],
  }
}

export const apiGroupList = (groups: readonly ServedGroup[]): object => ({
  kind: 'APIGroupList',
  apiVersion: 'v1',
  groups: groups.filter(({ name }) => name !== '').map(describeGroup),
})

export const apiGroup = (group: ServedGroup): object => ({ kind: 'APIGroup', apiVersion: 'v1', ...describeGroup(group) })

function describeGroup({ name, versions }: ServedGroup): object {
  const described = versions.map(({ version }) => ({ groupVersion: formatGroupVersion({ group: name, version }), version }))
  return { name, versions: described, preferredVersion: described[0] }
}

export function apiResourceList(group: string, { version, types }: ServedVersion): object {
  return {
    kind: 'APIResourceList',
    // kube-apiserver leaves the version out of the core list, and only there.
    ...(group !== '' && { apiVersion: 'v1' }),
    groupVersion: formatGroupVersion({ group, version }),
    resources: types.flatMap(describeResource),
  }
}

function describeResource(type: ResourceType): object[] {
  const { plural, singular, namespaced, kind, verbs, shortNames, categories } = type
  const own = {
    name: plural,
    singularName: singular,
    namespaced,
    kind,
    verbs: type.custom ? CUSTOM_VERBS : verbs,
    ...(shortNames.length > 0 && { shortNames }),
    ...(categories.length > 0 && { categories }),
    ...(isStored(type) && { storageVersionHash: storageVersionHash(type) }),
  }
  const parts = type.subresources.map((part) => ({
    name: `${plural}/${part.name}`,
    singularName: '',
    namespaced,
    ...(part.kind !== undefined && { group: part.kind.group, version: part.kind.version }),
    kind: part.kind?.kind ?? kind,
    verbs: part.verbs,
  }))
  return [own, ...parts]
}

/** Reviews are answered, never kept. */
const isStored = ({ verbs }: ResourceType): boolean => verbs.includes('get')

/** Tells a storage migrator that the stored form has changed. The same for every version of one kind. */
export function storageVersionHash({ storage }: Pick<ResourceType, 'storage'>): string {
  return createHash('sha256').update(`${storage.group}/${storage.version}/${storage.kind}`).digest().subarray(0, 8).toString('base64')
}

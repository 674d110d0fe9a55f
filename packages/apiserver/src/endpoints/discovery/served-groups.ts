import { compareText, compareVersions } from '@weft/api'
import type { ResourceType } from '../../registry/index.ts'

/** The served resources as clients browse them: groups, most important first, each with its versions, preferred first. */
export interface ServedGroup {
  /** Empty for the core group. */
  readonly name: string
  readonly versions: readonly ServedVersion[]
}

export interface ServedVersion {
  readonly version: string
  /** By plural name. */
  readonly types: readonly ResourceType[]
}

/**
 * kube-apiserver's order of its own groups. Clients resolve a short name that several groups serve by taking the
 * first, so the order decides what `kubectl get events` means. Groups of custom resources follow, by name.
 */
const ORDER: readonly string[] = [
  '',
  'apiregistration.k8s.io',
  'apps',
  'events.k8s.io',
  'authentication.k8s.io',
  'authorization.k8s.io',
  'autoscaling',
  'batch',
  'certificates.k8s.io',
  'networking.k8s.io',
  'policy',
  'rbac.authorization.k8s.io',
  'storage.k8s.io',
  'admissionregistration.k8s.io',
  'apiextensions.k8s.io',
  'scheduling.k8s.io',
  'coordination.k8s.io',
  'node.k8s.io',
  'discovery.k8s.io',
  'resource.k8s.io',
  'flowcontrol.apiserver.k8s.io',
]
const rank = new Map(ORDER.map((name, index) => [name, index]))

/** kube-apiserver lists the verbs of custom resources in an order of its own. */
export const CUSTOM_VERBS: readonly string[] = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch']

export function servedGroups(types: Iterable<ResourceType>): ServedGroup[] {
  const groups = new Map<string, Map<string, ResourceType[]>>()
  for (const type of types) {
    let versions = groups.get(type.group)
    if (versions === undefined) groups.set(type.group, (versions = new Map<string, ResourceType[]>()))
    const served = versions.get(type.version)
    if (served === undefined) versions.set(type.version, [type])
    else served.push(type)
  }
  return [...groups.entries()]
    .sort(([a], [b]) => (rank.get(a) ?? ORDER.length) - (rank.get(b) ?? ORDER.length) || compareText(a, b))
    .map(([name, versions]) => ({
      name,
      versions: [...versions.entries()]
        .sort(([a], [b]) => compareVersions(a, b))
        .map(([version, served]) => ({ version, types: served.sort((a, b) => compareText(a.plural, b.plural)) })),
    }))
}

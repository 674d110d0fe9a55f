import type { KubeObject } from '@weft/api'
import {
  type ClusterRole,
  type ClusterRoleBinding,
  type LiveObject,
  RBAC_GROUP,
  type Role,
  type RoleBinding,
  type RoleSource,
  type ServiceAccountLookup,
} from './auth/index.ts'
import { type Catalog, type ResourceType, scanPrefix, storageKey } from './registry/index.ts'

/** What decides who may do what. */
export const RBAC_PLURALS = ['clusterroles', 'clusterrolebindings', 'roles', 'rolebindings'] as const

/** RBAC's objects, straight from the registry. The generation moves with every change to any of them. */
export function roleSource(catalog: Catalog): RoleSource {
  const type = (plural: string): ResourceType => catalog.builtIn(RBAC_GROUP, plural)
  let generation = 1
  for (const plural of RBAC_PLURALS) {
    const store = catalog.store(type(plural))
    store.follow(store.revision, () => generation++)
  }
  // The authorizer's indexes are keyed by these very arrays: they stay the same until something changes.
  const lists = new Map<string, { readonly generation: number; readonly list: readonly unknown[] }>()
  const all = <T>(plural: string, namespace = ''): readonly T[] => {
    const key = `${plural}/${namespace}`
    const known = lists.get(key)
    if (known?.generation === generation) return known.list as readonly T[]
    const list = [...catalog.store(type(plural)).scan(scanPrefix(type(plural), namespace))].map(({ object }) => object)
    lists.set(key, { generation, list })
    return list as unknown as readonly T[]
  }
  const one = <T>(plural: string, namespace: string, name: string): T | undefined =>
    catalog.store(type(plural)).get(storageKey(type(plural), namespace, name))?.object as T | undefined
  return {
    get generation() {
      return generation
    },
    clusterRoles: () => all<ClusterRole>('clusterroles'),
    clusterRoleBindings: () => all<ClusterRoleBinding>('clusterrolebindings'),
    roles: (namespace) => all<Role>('roles', namespace),
    roleBindings: (namespace) => all<RoleBinding>('rolebindings', namespace),
    clusterRole: (name) => one<ClusterRole>('clusterroles', '', name),
    role: (namespace, name) => one<Role>('roles', namespace, name),
  }
}

/** Looks up what a service-account token depends on. */
export function serviceAccountLookup(catalog: Catalog): ServiceAccountLookup {
  const find = (plural: string, namespace: string, name: string): KubeObject | undefined => {
    const type = catalog.find('', 'v1', plural)
    return type === undefined ? undefined : catalog.store(type).get(storageKey(type, namespace, name))?.object
  }
  const live = (object: KubeObject | undefined): LiveObject | undefined =>
    object === undefined ? undefined : { uid: object.metadata.uid ?? '', deletionTimestamp: object.metadata.deletionTimestamp }
  return {
    serviceAccount: (namespace, name) => live(find('serviceaccounts', namespace, name)),
    boundObject: (kind, namespace, name) => live(find(`${kind.toLowerCase()}s`, namespace, name)),
  }
}

import type { GroupKind, KubeObject } from '@weft/api'
import { type Catalog, type ResourceType, storageKey } from './registry/index.ts'

/** Single objects from memory, for authorizers that live outside the server: they must answer at once. */
export interface ObjectLookup {
  /** A cluster-scoped object of a custom kind, by its plural. */
  ofResource(resource: { readonly group: string; readonly resource: string }, name: string): KubeObject | undefined
  ofKind(
    kind: GroupKind,
    ref: { readonly namespace?: string | undefined; readonly name: string },
  ): { readonly object: KubeObject; readonly plural: string } | undefined
}

export function objectLookup(catalog: Catalog): ObjectLookup {
  const definitions = (): ResourceType => catalog.builtIn('apiextensions.k8s.io', 'customresourcedefinitions')
  const get = (type: ResourceType, namespace: string, name: string): KubeObject | undefined =>
    catalog.store(type).get(storageKey(type, namespace, name))?.object
  return {
    ofResource({ group, resource }, name) {
      const definition = get(definitions(), '', `${resource}.${group}`)
      const { names } = (definition?.['spec'] ?? {}) as { names?: { kind: string } }
      const type = names && catalog.findAnyVersion(group, names.kind)
      return type === undefined || type.namespaced ? undefined : get(type, '', name)
    },
    ofKind({ group, kind }, { namespace = '', name }) {
      const type = catalog.findAnyVersion(group, kind)
      if (type === undefined || type.namespaced !== (namespace !== '')) return undefined
      const object = get(type, namespace, name)
      return object && { object, plural: type.plural }
    },
  }
}

import { formatGroupKind, getOwn, type GroupKind, isJsonObject, type Schema } from '@weft/api'
import { type CustomResourceDefinition, customResourceDefinitionKind, type InformerLease, type SharedInformers } from '@weft/client'
import { conditionOf } from '@weft/composition'
import { managedResourceDefinitionKind } from '../definition/kinds.ts'
import { isActive } from '../managed-definition/managed-definition.ts'

/**
 * The kinds that CustomResourceDefinitions serve, by group and kind, kept up to date by the one shared watch. Asking it costs nothing, where
 * discovery would cost a request for every kind that is not there yet.
 */
export interface KindIndex {
  /** Resolves when it is complete for the first time. */
  readonly synced: Promise<void>
  /** The established definition of a kind. */
  find(kind: GroupKind): CustomResourceDefinition | undefined
  /** The ManagedResourceDefinition of a kind that nobody activated. */
  inactive(kind: GroupKind): string | undefined
  stop(): Promise<void>
}

/** `onServed` is called when a kind begins to be served. */
export function createKindIndex(informers: SharedInformers, onServed: () => void): KindIndex {
  const lease: InformerLease<CustomResourceDefinition> = informers.acquire({ kind: customResourceDefinitionKind })
  const byKind = new Map<string, CustomResourceDefinition>()
  const unsubscribe = lease.informer.subscribe(({ type, object }) => {
    const kind = { group: object.spec.group, kind: object.spec.names.kind }
    const key = formatGroupKind(kind)
    const known = byKind.get(key)
    if (type === 'deleted' || !isEstablished(object)) {
      if (known?.metadata.name === object.metadata.name) byKind.delete(key)
      return
    }
    byKind.set(key, object)
    if (known === undefined) onServed()
  })
  lease.informer.synced.catch(() => undefined)
  const offered = informers.acquire({ kind: managedResourceDefinitionKind })
  offered.informer.synced.catch(() => undefined)
  offered.informer.addIndex(BY_KIND, ({ spec }) => [formatGroupKind({ group: spec.group, kind: String(spec.names['kind']) })])
  return {
    synced: lease.informer.synced,
    find: (kind) => byKind.get(formatGroupKind(kind)),
    inactive: (kind) => offered.informer.byIndex(BY_KIND, formatGroupKind(kind)).find((definition) => !isActive(definition))?.metadata.name,
    async stop() {
      unsubscribe()
      await Promise.all([lease.release(), offered.release()])
    },
  }
}

const BY_KIND = 'composite-kind'

const isEstablished = (crd: CustomResourceDefinition): boolean => conditionOf(crd, 'Established')?.status === 'True'

/** The schema of one served version; undefined when the kind is not served in it. */
export function schemaOf(crd: CustomResourceDefinition, version: string): Schema | undefined {
  const found = crd.spec.versions.find(({ name, served }) => name === version && served)
  const schema = found === undefined ? undefined : getOwn(found, 'schema')
  const root = isJsonObject(schema) ? getOwn(schema, 'openAPIV3Schema') : undefined
  return isJsonObject(root) ? root : undefined
}

/**
 * Can objects of this kind have conditions at all? One whose schema has no place for them is ready once it exists. Undefined: no telling.
 */
export function reportsConditions(crd: CustomResourceDefinition, version: string): boolean | undefined {
  const root = schemaOf(crd, version)
  if (root === undefined || root['x-kubernetes-preserve-unknown-fields'] === true) return undefined
  const status = getOwn(root.properties ?? {}, 'status')
  if (status === undefined) return false
  if (status['x-kubernetes-preserve-unknown-fields'] === true) return undefined
  return getOwn(status.properties ?? {}, 'conditions') !== undefined
}

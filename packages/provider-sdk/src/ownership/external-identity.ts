import { getOwn, isJsonObject, type JsonObject, type KubeObject, specOf } from '@weft/api'
import { externalName, requestedExternalName } from '@weft/composition'
import type { ManagedKind } from '../reconciler/managed-kind.ts'
import type { OwnershipRecord } from './ownership-record.ts'

type Identified = Pick<ManagedKind, 'configKinds' | 'configScope' | 'externalNames' | 'identity'>

/** Which external resource of its kind an object is about. Two objects with equal identities are about the same one. */
export type ExternalIdentity = Pick<OwnershipRecord, 'config' | 'name'>

/** Undefined while the external resource has no name: its system has not given it one, or a reference is not resolved yet. */
export function identityOf(kind: Identified, resource: KubeObject): ExternalIdentity | undefined {
  const name = nameOf(kind, resource)
  return name === undefined || name === '' ? undefined : { config: configOf(kind, resource), name }
}

/** Identities as text, to be filed and compared. Names of configurations have no spaces in them. */
export const identityKey = ({ config, name }: ExternalIdentity): string => `${config} ${name}`

/**
 * Is the external resource named after the object itself? No two objects can be named alike, so such a name needs no reservation. In a
 * namespace they can.
 */
export const hasOwnName = (kind: Identified, resource: KubeObject): boolean =>
  kind.identity === undefined &&
  resource.metadata.namespace === undefined &&
  resource.metadata.name !== undefined &&
  nameOf(kind, resource) === resource.metadata.name

function nameOf({ identity, externalNames }: Identified, resource: KubeObject): string | undefined {
  if (identity !== undefined) return identity(resource)
  return externalNames === 'assigned' && requestedExternalName(resource) === undefined ? undefined : externalName(resource)
}

const DEFAULT_CONFIG = 'default'

/**
 * The provider configuration by its name; its kind only where the reference names one that configurations are not usually of. A Provider
 * and a ProviderConfig of one name count as one: either may be what an unqualified reference leads to. Kinds that use none have one.
 */
function configOf({ configKinds = [], configScope }: Identified, resource: KubeObject): string {
  if (configKinds.length === 0) return ''
  const spec = specOf(resource)
  const ref = objectAt(spec, 'providerConfigRef') ?? objectAt(spec, 'providerRef')
  const name = textAt(ref, 'name') ?? DEFAULT_CONFIG
  const kind = textAt(ref, 'kind')
  const known = kind === undefined || configKinds.some((each) => each.kind === kind)
  const namespaced = configScope === 'Namespaced' && kind?.startsWith('Cluster') !== true
  return [...(known ? [] : [kind]), ...(namespaced ? [resource.metadata.namespace ?? ''] : []), name].join('/')
}

function objectAt(holder: JsonObject, key: string): JsonObject | undefined {
  const value = getOwn(holder, key)
  return isJsonObject(value) ? value : undefined
}

function textAt(holder: JsonObject | undefined, key: string): string | undefined {
  const value = holder === undefined ? undefined : getOwn(holder, key)
  return typeof value === 'string' && value !== '' ? value : undefined
}

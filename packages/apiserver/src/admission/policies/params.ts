import { type KubeObject, matchesLabels, parseGroupVersion, requirementsOf, SelectorError } from '@weft/api'
import { type Catalog, type ResourceType, scanPrefix, storageKey, type StoredObject, viewsOf } from '../../registry/index.ts'
import type { ParamKind, ParamRef } from './policy-objects.ts'

/** A policy or binding that cannot be applied as it is written. What follows is for the failure policy to say. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError'
  readonly code = 'ConfigurationError'
}

export interface ParamQuery {
  readonly paramKind: ParamKind | undefined
  readonly paramRef: ParamRef | undefined
  /** Namespace of the request. */
  readonly namespace: string
}

/** A policy is evaluated once per answer: once without parameters when there are none to have. */
export type Params = readonly (KubeObject | undefined)[]

const WITHOUT: Params = [undefined]

/** The parameter objects that a binding points to. Throws ConfigurationError. */
export async function collectParams(catalog: Catalog, { paramKind, paramRef, namespace }: ParamQuery): Promise<Params> {
  if (paramKind === undefined || paramRef === undefined) return WITHOUT
  const type = paramType(catalog, paramKind)
  const found = find(catalog, type, paramRef, namespaceFor(type, paramRef, namespace))
  if (found.length === 0 && paramRef.parameterNotFoundAction === 'Deny')
    throw new ConfigurationError('no params found for policy binding with `Deny` parameterNotFoundAction')
  return (await viewsOf(type, found)).map(({ object }) => object)
}

export function paramType(catalog: Catalog, { apiVersion, kind }: ParamKind): ResourceType {
  const { group, version } = parseGroupVersion(apiVersion)
  const type = catalog.findKind(group, version, kind)
  if (type === undefined)
    throw new ConfigurationError(`failed to find resource referenced by paramKind: '${group}/${version}, Kind=${kind}'`)
  return type
}

function namespaceFor({ namespaced }: ResourceType, paramRef: ParamRef, requested: string): string {
  const own = paramRef.namespace ?? ''
  if (!namespaced) {
    if (own !== '') throw new ConfigurationError('paramRef.namespace must not be provided for a cluster-scoped `paramKind`')
    return ''
  }
  if (own === '' && requested === '')
    throw new ConfigurationError('cannot use namespaced paramRef in policy binding that matches cluster-scoped resources')
  return own === '' ? requested : own
}

function find(catalog: Catalog, type: ResourceType, { name = '', selector }: ParamRef, namespace: string): readonly StoredObject[] {
  const store = catalog.store(type)
  if (name !== '') {
    const stored = store.get(storageKey(type, namespace, name))
    return stored === undefined ? [] : [stored]
  }
  try {
    const requirements = requirementsOf(selector)
    // Conversion may change labels; Kubernetes selects on what its cache holds, which is converted. Ours are equal but for webhooks.
    return [...store.scan(scanPrefix(type, namespace))].filter(({ object }) => matchesLabels(requirements, object.metadata.labels))
  } catch (error) {
    if (error instanceof SelectorError) throw new ConfigurationError(error.message, { cause: error })
    throw error
  }
}

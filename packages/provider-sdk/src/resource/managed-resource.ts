import {
  type Condition,
  deepEqual,
  getOwn,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type KubeObject,
  setOwn,
  specOf,
} from '@weft/api'
import { MACHINERY_KEYS } from '@weft/composition'

/** An object that stands for one external resource. */
export interface ManagedResource extends KubeObject {
  readonly spec?: JsonObject
  readonly status?: ManagedStatus
}

export type BindingPhase = '' | 'Unbindable' | 'Unbound' | 'Bound' | 'Released'

export interface ManagedStatus {
  readonly conditions?: readonly Condition[]
  readonly bindingPhase?: BindingPhase
  readonly atProvider?: JsonObject
  /** The `crossplane.io/reconcile-requested-at` that was acted upon. */
  readonly lastHandledReconcileAt?: string
  readonly [field: string]: unknown
}

export const statusOf = (resource: ManagedResource): ManagedStatus => (isJsonObject(resource.status) ? resource.status : {})

/** A managed resource that is being deleted. */
export const isBeingDeleted = ({ metadata }: KubeObject): boolean => metadata.deletionTimestamp !== undefined

/** Fields of a spec that are about management, not about the external resource. */
const MANAGEMENT_KEYS: ReadonlySet<string> = new Set([
  ...MACHINERY_KEYS,
  'forProvider',
  'initProvider',
  'importIdentity',
  'managementPolicies',
  'deletionPolicy',
  'reclaimPolicy',
  'publishConnectionDetailsTo',
  'writeConnectionSecretsToNamespace',
])

/**
 * What the external resource should be like: the spec without machinery, overlaid by `spec.forProvider` (B13), objects merged at every
 * depth. Older kinds keep parameters directly in the spec, newer ones in `forProvider`; patches may mix both.
 */
export function parametersOf(resource: KubeObject): JsonObject {
  const spec = specOf(resource)
  const own: Record<string, JsonValue> = {}
  for (const [key, value] of Object.entries(spec)) if (!MANAGEMENT_KEYS.has(key) && value !== undefined) setOwn(own, key, value)
  const given = getOwn(spec, 'forProvider')
  return isJsonObject(given) ? overlay(own, given) : own
}

function overlay(under: JsonObject, over: JsonObject): JsonObject {
  const merged: Record<string, JsonValue> = {}
  for (const [key, value] of Object.entries(under)) if (value !== undefined) setOwn(merged, key, value)
  for (const [key, value] of Object.entries(over)) {
    if (value === undefined) continue
    const below = getOwn(under, key)
    setOwn(merged, key, isJsonObject(below) && isJsonObject(value) ? overlay(below, value) : value)
  }
  return merged
}

/**
 * The resource with what the external system chose filled into `spec.forProvider`, wherever the parameters say nothing. Never changes
 * what somebody set. Answers the very same resource when there is nothing to fill.
 */
export function withLateInit<T extends ManagedResource>(resource: T, chosen: JsonObject): T {
  const spec = specOf(resource)
  const given = getOwn(spec, 'forProvider')
  const forProvider = isJsonObject(given) ? given : {}
  const filled = fill(forProvider, parametersOf(resource), chosen)
  return deepEqual(filled, forProvider) ? resource : { ...resource, spec: { ...spec, forProvider: filled } }
}

function fill(target: JsonObject, known: JsonObject, chosen: JsonObject): JsonObject {
  const next: Record<string, JsonValue | undefined> = { ...target }
  for (const [key, value] of Object.entries(chosen)) {
    if (value === undefined || value === null) continue
    const current = getOwn(known, key)
    if (current === undefined || current === null) setOwn(next, key, value)
    else if (isJsonObject(current) && isJsonObject(value)) {
      const below = getOwn(target, key)
      const filled = fill(isJsonObject(below) ? below : {}, current, value)
      if (Object.keys(filled).length > 0) setOwn(next, key, filled)
    }
  }
  return next
}

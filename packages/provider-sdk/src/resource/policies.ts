import { getOwn, isJsonObject, isPaused, specOf } from '@weft/api'
import { ADOPT, controllerOf } from '@weft/composition'
import { PAUSED } from './annotations.ts'
import type { ManagedResource } from './managed-resource.ts'

/** What may be done to the external resource. */
export interface ManagementPolicy {
  readonly create: boolean
  readonly update: boolean
  readonly delete: boolean
  readonly lateInitialize: boolean
}

const ACTIONS = ['Observe', 'Create', 'Update', 'Delete', 'LateInitialize'] as const
const KNOWN_ACTIONS: ReadonlySet<unknown> = new Set(ACTIONS)
type Action = (typeof ACTIONS)[number]

export type ManagementDecision =
  | { readonly kind: 'manage'; readonly policy: ManagementPolicy }
  | { readonly kind: 'paused'; readonly message: string }
  /** Nothing can be done about it but to correct the spec. */
  | { readonly kind: 'invalid'; readonly message: string }

/** From `crossplane.io/paused` and `spec.managementPolicies`. No policies: everything; none of them (an empty list): paused. */
export function managementOf(resource: ManagedResource): ManagementDecision {
  if (isPaused(resource)) return { kind: 'paused', message: `paused by the annotation ${PAUSED}` }
  const given = getOwn(specOf(resource), 'managementPolicies')
  if (given === undefined || given === null) return EVERYTHING
  if (!Array.isArray(given)) return { kind: 'invalid', message: 'spec.managementPolicies must be a list' }
  if (given.length === 0) return { kind: 'paused', message: 'paused: spec.managementPolicies is empty' }
  if (given.includes('*'))
    return given.length === 1 ? EVERYTHING : { kind: 'invalid', message: 'spec.managementPolicies: "*" must stand alone' }
  const unknown = given.find((action) => !KNOWN_ACTIONS.has(action))
  if (unknown !== undefined)
    return {
      kind: 'invalid',
      message: `spec.managementPolicies: ${JSON.stringify(unknown)} is not one of "*", ${ACTIONS.map((action) => `"${action}"`).join(', ')}`,
    }
  if (!given.includes('Observe'))
    return { kind: 'invalid', message: 'spec.managementPolicies must include "Observe": a resource cannot be managed without observing it' }
  const allows = (action: Action): boolean => given.includes(action)
  return {
    kind: 'manage',
    policy: { create: allows('Create'), update: allows('Update'), delete: allows('Delete'), lateInitialize: allows('LateInitialize') },
  }
}

const EVERYTHING: ManagementDecision = { kind: 'manage', policy: { create: true, update: true, delete: true, lateInitialize: true } }

/** Does the policy let anything be done to the external resource, or only let it be looked at? */
export const takesPart = (policy: ManagementPolicy): boolean => policy.create || policy.update || policy.delete

const CLAIMANTS = ['classRef', 'claimRef', 'aggregateRef', 'compositeRef'] as const

/**
 * Is the external resource to be deleted with the managed resource? Whoever says that it should be kept is right: losing data is
 * worse than leaving something behind. When nobody says anything, what was provisioned for somebody goes, and what an operator made by
 * hand stays (BEHAVIOUR 10, coexistence 7). Kinds with another default have it in their schema (`deletionPolicy`).
 */
export function deletesExternal(resource: ManagedResource, policy: ManagementPolicy): boolean {
  if (!policy.delete) return false
  const spec = specOf(resource)
  const reclaim = getOwn(spec, 'reclaimPolicy')
  const deletion = getOwn(spec, 'deletionPolicy')
  if (reclaim === 'Retain' || deletion === 'Orphan') return false
  if (reclaim === 'Delete' || deletion === 'Delete') return true
  return isMadeForSomebody(resource)
}

/** Was the resource made for a claim, a requirement or a composite, and not by hand? */
export const isMadeForSomebody = (resource: ManagedResource): boolean =>
  controllerOf(resource) !== undefined || CLAIMANTS.some((name) => isJsonObject(getOwn(specOf(resource), name)))

/**
 * May the resource take over an external resource that it did not create? One that somebody made by hand may: that is how external resources
 * are imported. What was made for others may only where the annotation says so, which class, composition or operator put there; it
 * is never copied from a claim or a requirement.
 */
export const mayAdopt = (resource: ManagedResource): boolean =>
  !isMadeForSomebody(resource) || resource.metadata.annotations?.[ADOPT] === 'true'

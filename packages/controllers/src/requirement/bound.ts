import { deepEqual, generateName, getOwn, isJsonObject, type KubeObject, parseGroupVersion, withMeta } from '@weft/api'
import type { Random } from '@weft/client'
import {
  EXTERNAL_NAME,
  intentNamePrefix,
  labelValue,
  machineryOf,
  machineryRef,
  type ObjectRef,
  REQUIREMENT_NAME_LABEL,
  REQUIREMENT_NAMESPACE_LABEL,
  requestedExternalName,
  sameReference,
} from '@weft/composition'
import { BindingError } from '../binding/binding-error.ts'
import { claimantsOf, describe, describeObject, referenceTo } from '../binding/claimant.ts'
import { DEFINITION_FINALIZER } from '../definition/definition.ts'
import type { DefinedKind } from '../definition/definition.ts'
import { withFinalizer } from '../binding/finalizers.ts'
import { userFields, withMachinery } from '../composite/machinery.ts'
import { INFRASTRUCTURE } from '../composite/place.ts'

/** Pure steps of binding a requirement to a composite. Both sides refer to each other; there is no phase (C29). */

/** On a requirement: the composite that was made for it. Only what it names is ever created; any other resourceRef waits for somebody to make it. */
export const PROVISIONED = 'apiextensions.crossplane.io/provisioned-resource'

const PLACE = 'spec.infrastructure'

/** What a requirement refers to: its composite, always of the published kind (C29). */
export function resourceOf(requirement: KubeObject, kind: DefinedKind): string | undefined {
  const ref = machineryRef(requirement, PLACE, 'resourceRef')
  if (!ref.ok) throw new BindingError('Refused', ref.error.message)
  const { name, apiVersion, kind: named } = ref.value ?? {}
  if (name === undefined || name === '') return undefined
  const wrong =
    (named !== undefined && named !== kind.kind) || (apiVersion !== undefined && parseGroupVersion(apiVersion).group !== kind.group)
  if (wrong)
    throw new BindingError(
      'Refused',
      `${PLACE}.resourceRef must be a ${kind.kind}, which is what this requirement is for, not ${describe(ref.value ?? {})}`,
    )
  return name
}

export const isProvisioned = (requirement: KubeObject, name: string): boolean =>
  getOwn(requirement.metadata.annotations ?? {}, PROVISIONED) === name

/** X2: the requirement with a finalizer and the name of its composite, to be written before anything is created. The same object when it has both. */
export function withResource(requirement: KubeObject, kind: DefinedKind, random: Random): KubeObject {
  const given = resourceOf(requirement, kind)
  const name = given ?? generateName(intentNamePrefix(requirement), random)
  const held = withFinalizer(requirement, DEFINITION_FINALIZER)
  const marked = given === undefined ? withMeta(held, { annotations: { ...held.metadata.annotations, [PROVISIONED]: name } }) : held
  const raw = getOwn(machineryOf(requirement, PLACE), 'resourceRef')
  const isObject = isJsonObject(raw) && raw['name'] === name
  return isObject
    ? marked
    : withMachinery(marked, INFRASTRUCTURE, { resourceRef: { apiVersion: apiVersionOf(kind), kind: kind.kind, name } })
}

export const apiVersionOf = ({ group, version }: DefinedKind): string => `${group}/${version}`

/** How a composite refers to its requirement (C17). */
export function requirementRef(requirement: KubeObject): Required<Pick<ObjectRef, 'apiVersion' | 'kind' | 'namespace' | 'name'>> {
  const { name = '', namespace = '' } = requirement.metadata
  return { apiVersion: requirement.apiVersion, kind: requirement.kind, namespace, name }
}

/** C30: the composite that a requirement without resourceRef gets. */
export function provision(requirement: KubeObject, kind: DefinedKind, name: string): KubeObject {
  const machinery = machineryOf(requirement, PLACE)
  const verbatim = Object.fromEntries(
    ['compositionSelector', 'compositionRef'].flatMap((field) => (machinery[field] === undefined ? [] : [[field, machinery[field]]])),
  )
  const external = requestedExternalName(requirement)
  const { namespace = '', name: own = '' } = requirement.metadata
  return {
    apiVersion: apiVersionOf(kind),
    kind: kind.kind,
    metadata: {
      name,
      labels: { [REQUIREMENT_NAMESPACE_LABEL]: labelValue(namespace), [REQUIREMENT_NAME_LABEL]: labelValue(own) },
      ...(external !== undefined && { annotations: { [EXTERNAL_NAME]: external } }),
    },
    spec: {
      ...userFields(requirement, 'infrastructure'),
      infrastructure: { ...verbatim, requirementRef: requirementRef(requirement), reclaimPolicy: 'Delete' },
    },
  }
}

export function isBoundTo(composite: KubeObject, requirement: KubeObject): boolean {
  const ref = machineryRef(composite, PLACE, 'requirementRef')
  return ref.ok && sameReference(ref.value, requirementRef(requirement))
}

/**
 * The composite bound to the requirement, with the fields that the requirement asks for: those that it no longer asks for go (C31), its machinery is left
 * alone. Whatever belongs to somebody else is refused (C33). The same object when there is nothing to change.
 */
export function bindTo(composite: KubeObject, requirement: KubeObject): KubeObject {
  const ref = requirementRef(requirement)
  const other = claimantsOf(composite).find((claimant) => claimant.relation === 'controller' || !sameReference(claimant.ref, ref))
  if (other !== undefined)
    throw new BindingError(
      'Refused',
      `${describe(referenceTo(composite))} is bound to ${describe(other.ref)} already: ${describeObject(requirement)} cannot have it`,
    )
  const bound = withMachinery(composite, INFRASTRUCTURE, { requirementRef: ref })
  const spec = { ...userFields(requirement, 'infrastructure'), infrastructure: machineryOf(bound, PLACE) }
  const external = requestedExternalName(requirement)
  const named =
    external === undefined || external === requestedExternalName(bound)
      ? bound
      : withMeta(bound, { annotations: { ...bound.metadata.annotations, [EXTERNAL_NAME]: external } })
  const next: KubeObject = { ...named, spec }
  return deepEqual(next, composite) ? composite : next
}

/** C25: what happens to the composite when its requirement goes. One that was made for it goes with it unless it says otherwise; one that was there before stays. */
export function reclaimPolicyOf(composite: KubeObject, requirement: KubeObject): 'Delete' | 'Retain' {
  const policy = getOwn(machineryOf(composite, PLACE), 'reclaimPolicy')
  if (policy === 'Delete' || policy === 'Retain') return policy
  return isProvisioned(requirement, composite.metadata.name ?? '') ? 'Delete' : 'Retain'
}

export const released = (composite: KubeObject): KubeObject => withMachinery(composite, INFRASTRUCTURE, { requirementRef: undefined })

/** `MySQLInstance default-sql-dd02m`, for messages. */
export const describeResource = (kind: DefinedKind, name: string): string => `${kind.kind} ${name}`

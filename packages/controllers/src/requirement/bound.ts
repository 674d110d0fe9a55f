import {
  annotationOf,
  deepEqual,
  formatGroupVersion,
  getOwn,
  isJsonObject,
  type KubeObject,
  type Labels,
  parseGroupVersion,
  type Schema,
  statusOf,
  withMeta,
} from '@weft/api'
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
  REQUIREMENT_UID_LABEL,
  requestedExternalName,
  sameReference,
} from '@weft/composition'
import { BindingError } from '../binding/binding-error.ts'
import { claimantsOf, describe, describeObject, referenceTo } from '../binding/claimant.ts'
import { holding, newReference } from '../binding/naming.ts'
import { withMachinery } from '../binding/spec-reference.ts'
import { DEFINITION_FINALIZER } from '../definition/definition.ts'
import type { DefinedKind } from '../definition/definition.ts'
import { withFinalizer } from '../binding/finalizers.ts'
import { userFields } from '../composite/user-fields.ts'
import { type Fields, transfer, written } from './fields.ts'

/** Pure steps of binding a requirement to a composite. Both sides refer to each other; there is no phase (C29). */

/** On a requirement: the composite that was made for it. Only what it names is ever created; any other resourceRef waits for somebody to make it. */
export const PROVISIONED = 'apiextensions.crossplane.io/provisioned-resource'

/** Where composites and requirements keep what the machinery uses. */
export const PLACE = 'spec.infrastructure'

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

/** Was this composite made for the requirement? Its annotation says so; where a replacement took that away, its status does. */
export const isProvisioned = (requirement: KubeObject, name: string): boolean =>
  annotationOf(requirement, PROVISIONED) === name || (recordOf(requirement).resource === name && recordOf(requirement).provisioned === true)

/** What the controller remembers of a requirement in `status.infrastructure`, where no replacement of the object reaches. */
export interface BindingRecord {
  /** The composite that it is bound to. */
  readonly resource?: string
  /** It was made for it. */
  readonly provisioned?: boolean
  /** The fields that travelled to it. */
  readonly fields?: Fields
}

export function recordOf(requirement: KubeObject): BindingRecord {
  const record = getOwn(statusOf(requirement), 'infrastructure')
  return isJsonObject(record) ? (record as BindingRecord) : {}
}

/** The composite that it is bound to, as the controller recorded it. */
export const boundResource = (requirement: KubeObject): string | undefined => recordOf(requirement).resource

/**
 * X2: the requirement with a finalizer and the name of its composite, to be written before anything is created. `kept` is what it is bound to
 * already, whatever it says now. The same object when it has both.
 */
export function withResource(
  requirement: KubeObject,
  kind: DefinedKind,
  { kept, random }: { readonly kept: string | undefined; readonly random: Random },
): KubeObject {
  const given = kept ?? resourceOf(requirement, kind)
  const type = { apiVersion: formatGroupVersion(kind), kind: kind.kind }
  const resourceRef = given === undefined ? newReference(type, { prefix: intentNamePrefix(requirement), random }) : { ...type, name: given }
  const { name } = resourceRef
  const isMarked = annotationOf(requirement, PROVISIONED) === name
  const marked =
    !isMarked && (given === undefined || isProvisioned(requirement, name))
      ? withMeta(requirement, { annotations: { ...requirement.metadata.annotations, [PROVISIONED]: name } })
      : requirement
  const raw = getOwn(machineryOf(requirement, PLACE), 'resourceRef')
  const isObject = isJsonObject(raw) && raw['name'] === name
  return isObject
    ? withFinalizer(marked, DEFINITION_FINALIZER)
    : holding(marked, { place: PLACE, finalizer: DEFINITION_FINALIZER, resourceRef })
}

/** How a composite refers to its requirement (C17). */
export function requirementRef(requirement: KubeObject): Required<ObjectRef> {
  const { name = '', namespace = '', uid = '' } = requirement.metadata
  return { apiVersion: requirement.apiVersion, kind: requirement.kind, namespace, name, uid }
}

/** By these a composite is found by its requirement. The uid alone decides; the others are for people. */
const requirementLabels = ({ metadata: { namespace = '', name = '', uid = '' } }: KubeObject): Labels => ({
  [REQUIREMENT_NAMESPACE_LABEL]: labelValue(namespace),
  [REQUIREMENT_NAME_LABEL]: labelValue(name),
  [REQUIREMENT_UID_LABEL]: uid,
})

/** C30: the composite that a requirement without resourceRef gets. */
export function provision(requirement: KubeObject, kind: DefinedKind, name: string): KubeObject {
  const machinery = machineryOf(requirement, PLACE)
  const verbatim = Object.fromEntries(
    ['compositionSelector', 'compositionRef'].flatMap((field) => (machinery[field] === undefined ? [] : [[field, machinery[field]]])),
  )
  const external = requestedExternalName(requirement)
  return {
    apiVersion: formatGroupVersion(kind),
    kind: kind.kind,
    metadata: {
      name,
      labels: requirementLabels(requirement),
      ...(external !== undefined && { annotations: { [EXTERNAL_NAME]: external } }),
    },
    spec: {
      ...userFields(requirement, 'infrastructure'),
      infrastructure: { ...verbatim, requirementRef: requirementRef(requirement), reclaimPolicy: 'Delete' },
    },
  }
}

/** Do both refer to each other, to this very requirement and not to a namesake of it? */
export function isBoundTo(composite: KubeObject, requirement: KubeObject): boolean {
  const ref = machineryRef(composite, PLACE, 'requirementRef')
  return ref.ok && sameReference(ref.value, requirementRef(requirement))
}

/** What the requirement sends: all of it to a composite that was made for it, to another one only what its author wrote. */
export const sentBy = (requirement: KubeObject, composite: KubeObject, schema: Schema | undefined): Fields => {
  const fields = userFields(requirement, 'infrastructure')
  return isProvisioned(requirement, composite.metadata.name ?? '') ? fields : written(fields, schema)
}

/**
 * The composite bound to the requirement, with the fields that it sends; those that it sent before and no longer does go (C31). Its machinery, and
 * whatever else somebody wrote into it, is left alone. What belongs to somebody else is refused (C33), without a word about whose it is: who may
 * name a composite may not be allowed to see who else has a requirement. The same object when there is nothing to change.
 */
export function bindTo(composite: KubeObject, requirement: KubeObject, sent: Fields): KubeObject {
  const ref = requirementRef(requirement)
  const other = claimantsOf(composite).find((claimant) => claimant.relation === 'controller' || !sameReference(claimant.ref, ref))
  if (other !== undefined)
    throw new BindingError(
      'Refused',
      `${describe(referenceTo(composite))} is already taken: ${describeObject(requirement)} cannot be bound to it; name another in ${PLACE}.resourceRef, or omit it to have one created`,
    )
  const bound = withMachinery(composite, PLACE, { requirementRef: ref })
  const before = recordOf(requirement).resource === composite.metadata.name ? (recordOf(requirement).fields ?? {}) : {}
  const fields = transfer(userFields(bound, 'infrastructure'), { before, now: sent })
  const labels = { ...bound.metadata.labels, ...requirementLabels(requirement) }
  const next: KubeObject = { ...withMeta(bound, { labels }), spec: { ...fields, infrastructure: machineryOf(bound, PLACE) } }
  return deepEqual(next, composite) ? composite : next
}

/** Free again, without a trace of who had it. */
export function released(composite: KubeObject): KubeObject {
  const labels = Object.fromEntries(Object.entries(composite.metadata.labels ?? {}).filter(([key]) => !REQUIREMENT_LABELS.has(key)))
  return withMachinery(withMeta(composite, { labels }), PLACE, { requirementRef: undefined })
}

const REQUIREMENT_LABELS: ReadonlySet<string> = new Set([REQUIREMENT_NAMESPACE_LABEL, REQUIREMENT_NAME_LABEL, REQUIREMENT_UID_LABEL])

/** `MySQLInstance default-sql-dd02m`, for messages. */
export const describeResource = (kind: DefinedKind, name: string): string => `${kind.kind} ${name}`

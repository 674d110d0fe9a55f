import { getOwn, type GroupKind, gvkOf, isJsonObject, type KubeObject, specOf, SYSTEM_NAMESPACE, withMeta } from '@weft/api'
import { connectionSecretRef, withConnectionSecretRef } from '@weft/composition'
import { withClaimRecord } from '../binding/claim-record.ts'
import { referenceTo } from '../binding/claimant.ts'
import { specRef, withSpec } from '../binding/spec-reference.ts'
import { natureOf } from '../definition/nature.ts'
import type { ClaimTask } from './services.ts'

type Served = Pick<ClaimTask, 'served'>

/** Is it a kind that a CompositeResourceDefinition defines? Claims may have those too; they are Crossplane's, and keep whose they are in an annotation. */
export function isCompositeResource({ served }: Served, kind: GroupKind): boolean {
  const definition = served.definitionOf(kind)
  return definition !== undefined && natureOf(definition) === 'composite resource'
}

/** Where an object of this kind is that the claim has, or is to have: a composite resource that lives in namespaces is in that of the claim. */
export const namespaceFor = (task: Served, kind: GroupKind, claim: KubeObject): string | undefined =>
  isCompositeResource(task, kind) && task.served.isNamespaced(kind) === true ? claim.metadata.namespace : undefined

/** What was rendered for the claim, as the kind of a composite resource keeps it: what managed resources say in their spec is in its record. */
export function claimedComposite(task: Served, rendered: KubeObject, claim: KubeObject): KubeObject {
  const kind = gvkOf(rendered)
  const { reclaimPolicy = 'Delete' } = specOf(rendered) as { readonly reclaimPolicy?: string }
  const recorded = withClaimRecord(rendered, { classRef: specRef(rendered, 'classRef'), reclaimPolicy })
  const bare = withSpec(
    recorded,
    Object.fromEntries(NOT_ITS_OWN.filter((field) => !hasField(task, kind, field)).map((field) => [field, undefined])),
  )
  const placed = withMeta(bare, { namespace: namespaceFor(task, kind, claim) })
  return claimedBy(task, withPlaceOfSecret(placed), claim)
}

const NOT_ITS_OWN = ['claimRef', 'classRef', 'reclaimPolicy'] as const

/** With the claim as its claimant, wherever its kind keeps that. */
export function claimedBy(task: Served, object: KubeObject, claim: KubeObject): KubeObject {
  const self = referenceTo(claim)
  const kind = gvkOf(object)
  if (!isCompositeResource(task, kind)) return withSpec(object, { claimRef: self })
  const { uid: _uid, ...named } = self
  // Whoever reads only the spec, as the claims of its definition do, sees that it is taken.
  const told = hasField(task, kind, 'claimRef') ? withSpec(object, { claimRef: named }) : object
  return withClaimRecord(told, { claimRef: self })
}

/** Its kind asks for both parts of the reference. */
function withPlaceOfSecret(object: KubeObject): KubeObject {
  const ref = connectionSecretRef(object)
  return ref?.name === undefined || ref.namespace !== undefined || object.metadata.namespace !== undefined
    ? object
    : withConnectionSecretRef(object, { ...ref, namespace: SYSTEM_NAMESPACE })
}

/** Does the kind itself, or its author, have this field in the spec? */
function hasField({ served }: Served, kind: GroupKind & { readonly version: string }, field: string): boolean {
  const version = served.definitionOf(kind)?.spec.versions.find(({ name }) => name === kind.version)
  return (
    ['schema', 'openAPIV3Schema', 'properties', 'spec', 'properties', field].reduce<unknown>(
      (node, key) => (isJsonObject(node) ? getOwn(node, key) : undefined),
      version,
    ) !== undefined
  )
}

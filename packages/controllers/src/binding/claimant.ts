import { formatGroupKind, gvkOf, type KubeObject, parseGroupVersion } from '@weft/api'
import { controllerOf, machineryOf, type MachineryPlace, type ObjectRef, sameReference, singleReference } from '@weft/composition'
import { claimRecordOf } from './claim-record.ts'

/**
 * The one notion of who an object belongs to. Whatever the relation (a claim, an aggregate, a composite of seed 001, a controller, a requirement),
 * the rule is the same: an object with any claimant other than the caller is refused.
 */
export type ClaimantField = 'claimRef' | 'aggregateRef' | 'compositeRef' | 'requirementRef'
export type Relation = ClaimantField | 'controller'

export interface Claimant {
  readonly relation: Relation
  readonly ref: ObjectRef
}

const FIELDS: readonly (readonly [ClaimantField, MachineryPlace])[] = [
  ['claimRef', 'spec'],
  ['aggregateRef', 'spec'],
  ['compositeRef', 'spec'],
  ['requirementRef', 'spec'],
  ['requirementRef', 'spec.infrastructure'],
]

/** Everyone who has a hold on `object`. A reference that cannot be read counts: what is not understood must not be taken over. */
export function claimantsOf(object: KubeObject): readonly Claimant[] {
  const claimants: Claimant[] = []
  for (const [field, place] of FIELDS) {
    const ref = singleReference(machineryOf(object, place)[field], field)
    if (!ref.ok) claimants.push({ relation: field, ref: {} })
    else if (ref.value !== undefined && ref.value.name !== undefined && ref.value.name !== '')
      claimants.push({ relation: field, ref: ref.value })
  }
  const recorded = claimRecordOf(object)?.claimRef
  if (recorded !== undefined) addRecorded(claimants, recorded)
  const controller = controllerOf(object)
  if (controller !== undefined) claimants.push({ relation: 'controller', ref: controller })
  return claimants
}

/** Where the spec names it as well, as far as it can, there is one claimant: the record tells it from its namesakes. */
function addRecorded(claimants: Claimant[], ref: ObjectRef): void {
  const at = claimants.findIndex((each) => each.relation === 'claimRef' && sameReference(each.ref, ref))
  claimants.splice(at < 0 ? claimants.length : at, at < 0 ? 0 : 1, { relation: 'claimRef', ref })
}

/** The first claimant that is not `self`, by whatever relation. Undefined: free, or ours already. */
export const otherClaimant = (object: KubeObject, self: ObjectRef): Claimant | undefined =>
  claimantsOf(object).find(({ ref }) => !sameReference(ref, self))

/** Is `self` the claimant of `object` by this relation? */
export const isClaimedBy = (object: KubeObject, relation: Relation, self: ObjectRef): boolean =>
  claimantsOf(object).some((claimant) => claimant.relation === relation && sameReference(claimant.ref, self))

/** A reference to an object, with everything that identifies it. */
export function referenceTo(object: KubeObject): ObjectRef & { readonly apiVersion: string; readonly kind: string; readonly name: string } {
  const { name = '', namespace, uid } = object.metadata
  return {
    apiVersion: object.apiVersion,
    kind: object.kind,
    ...(namespace !== undefined && { namespace }),
    name,
    ...(uid !== undefined && { uid }),
  }
}

/** `MySQLInstance.database.crossplane.io default/sql`, for messages. */
export function describe(ref: ObjectRef): string {
  return `${describeKind(ref)} ${ref.namespace === undefined || ref.namespace === '' ? '' : `${ref.namespace}/`}${ref.name ?? ''}`
}

const describeKind = ({ apiVersion = '', kind }: ObjectRef): string =>
  kind === undefined ? 'an object' : formatGroupKind({ group: parseGroupVersion(apiVersion).group, kind })

/** `MySQLServer/default-sql-3d093`: short, where the kind is enough. */
export const describeObject = (object: KubeObject): string => `${gvkOf(object).kind}/${object.metadata.name ?? ''}`

const RELATION_TEXT: Readonly<Record<Relation, string>> = {
  claimRef: 'is claimed by',
  aggregateRef: 'belongs to',
  compositeRef: 'belongs to',
  requirementRef: 'is required by',
  controller: 'is controlled by',
}

/**
 * Why `object` is refused to `reader`, in one sentence. The reader's own namespace is no secret to it; of others it learns the kind alone: names tell who
 * they are, and what they have.
 */
export const refusal = (object: KubeObject, { relation, ref }: Claimant, reader: ObjectRef): string => {
  const isNear = ref.namespace !== undefined && ref.namespace === reader.namespace
  const whose = isNear ? describe(ref) : `${describeKind(ref)} of somebody else`
  return `${describe(referenceTo(object))} ${RELATION_TEXT[relation]} ${whose}`
}

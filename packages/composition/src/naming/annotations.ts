/** Labels and annotations with a meaning (BEHAVIOUR appendix A). */
export const EXTERNAL_NAME = 'crossplane.io/external-name'
export const EXTERNAL_NAME_PREFIX = 'crossplane.io/external-name-prefix'
export const EXTERNAL_NAME_SUFFIX = 'crossplane.io/external-name-suffix'
/** Prepended to a member's keys in the secret of its aggregate (A21). */
export const CONNECTION_SECRET_PREFIX = 'aggregation.crossplane.io/connection-secret-prefix'
/** An annotation, not a label, with the value "true" (S8). */
export const IS_DEFAULT_CLASS = 'resourceclass.crossplane.io/is-default-class'

export const CLAIM_NAMESPACE_LABEL = 'resourceclaim.crossplane.io/namespace'
export const CLAIM_NAME_LABEL = 'resourceclaim.crossplane.io/name'
export const CLAIM_UID_LABEL = 'resourceclaim.crossplane.io/uid'

export const COMPOSITE_LABEL = 'crossplane.io/composite'
/** On what is composed: which template, or which resource of a function, made it. By it one is found again whose reference was lost. */
export const RESOURCE_NAME = 'crossplane.io/composition-resource-name'
export const REQUIREMENT_NAME_LABEL = 'crossplane.io/requirement-name'
export const REQUIREMENT_NAMESPACE_LABEL = 'crossplane.io/requirement-namespace'
/** The uid of the requirement that a composite is bound to: what was made for it is found again by it. */
export const REQUIREMENT_UID_LABEL = 'crossplane.io/requirement-uid'

/**
 * "true" on a class, in the base of a composition, or on a managed resource: it may take over an external resource that it did not create.
 * Never taken from a claim or a requirement.
 */
export const ADOPT = 'weft.dev/adopt'

/** Notes of the managed reconciler about creating the external resource, and about which one is its own. */
export const CREATE_PENDING = 'crossplane.io/external-create-pending'
export const CREATE_SUCCEEDED = 'crossplane.io/external-create-succeeded'
export const CREATE_FAILED = 'crossplane.io/external-create-failed'
export const OWNERSHIP = 'weft.dev/external-resource'
/** Set to "true" by an operator: what is gone since a restore from a backup may be created again, empty. */
export const CREATE_AGAIN = 'weft.dev/create-again'

/** On members of a composite whose members go in order: a finalizer that stays until it is their turn. What stands behind a member is left alone till then. */
export const DELETION_TURN = 'weft.dev/deletion-turn'

/** Annotations and finalizers of the managed reconciler. */
export const FINALIZER = 'finalizer.managedresource.crossplane.io'
export { PAUSED, RECONCILE_REQUESTED_AT } from '@weft/api'
export { ADOPT, CREATE_AGAIN, CREATE_FAILED, CREATE_PENDING, CREATE_SUCCEEDED, DELETION_TURN, OWNERSHIP } from '@weft/composition'

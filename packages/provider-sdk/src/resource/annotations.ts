/** Annotations and finalizers of the managed reconciler. */
export const FINALIZER = 'finalizer.managedresource.crossplane.io'
export const PAUSED = 'crossplane.io/paused'
export const RECONCILE_REQUESTED_AT = 'crossplane.io/reconcile-requested-at'
export { ADOPT, CREATE_AGAIN, CREATE_FAILED, CREATE_PENDING, CREATE_SUCCEEDED, OWNERSHIP } from '@weft/composition'

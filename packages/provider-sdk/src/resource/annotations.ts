/** Annotations and finalizers of the managed reconciler. */
export const FINALIZER = 'finalizer.managedresource.crossplane.io'
export const PAUSED = 'crossplane.io/paused'
export const RECONCILE_REQUESTED_AT = 'crossplane.io/reconcile-requested-at'
export const CREATE_PENDING = 'crossplane.io/external-create-pending'
export const CREATE_SUCCEEDED = 'crossplane.io/external-create-succeeded'
export const CREATE_FAILED = 'crossplane.io/external-create-failed'

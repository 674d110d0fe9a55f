/** Annotations by which users speak to controllers: Crossplane's names for them. */
export const PAUSED = 'crossplane.io/paused'
export const RECONCILE_REQUESTED_AT = 'crossplane.io/reconcile-requested-at'

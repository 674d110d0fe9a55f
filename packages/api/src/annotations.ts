import { getOwn, type KubeObject } from './meta.ts'

/** Annotations by which users speak to controllers, whatever the kind: Crossplane's names for them. */

/** `"true"`: leave the object as it is, its deletion included. */
export const PAUSED = 'crossplane.io/paused'

/** A time: look at the object now. */
export const RECONCILE_REQUESTED_AT = 'crossplane.io/reconcile-requested-at'

export const isPaused = ({ metadata }: KubeObject): boolean => getOwn(metadata.annotations ?? {}, PAUSED) === 'true'

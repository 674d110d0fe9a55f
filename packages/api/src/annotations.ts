import { getOwn, type KubeObject } from './meta.ts'

/** Annotations by which users speak to controllers, whatever the kind: Crossplane's names for them. */

/** `"true"`: leave the object as it is, its deletion included. */
export const PAUSED = 'crossplane.io/paused'

/** A time: look at the object now. */
export const RECONCILE_REQUESTED_AT = 'crossplane.io/reconcile-requested-at'

/** What an annotation says; undefined where it says nothing, or no text. */
export const annotationOf = ({ metadata }: Pick<KubeObject, 'metadata'>, name: string): string | undefined => {
  const value = getOwn(metadata?.annotations ?? {}, name)
  return typeof value === 'string' && value !== '' ? value : undefined
}

export const isPaused = (object: KubeObject): boolean => annotationOf(object, PAUSED) === 'true'

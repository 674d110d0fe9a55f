import { annotationOf, type KubeObject } from '@weft/api'

/**
 * On an object whose deletion takes others along: how many its author knows of. It confirms the deletion of as many, and no more: whatever
 * came since has to be confirmed again.
 */
export const CONFIRM_DELETION = 'weft.dev/confirm-deletion'

/** However many there are. */
export const CONFIRM_ALL = '999999999'

export function confirmedCount(object: KubeObject): number {
  const text = annotationOf(object, CONFIRM_DELETION) ?? ''
  return /^[0-9]{1,9}$/.test(text) ? Number(text) : 0
}

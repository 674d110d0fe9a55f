import { getOwn, type KubeObject } from '@weft/api'

/**
 * On an object whose deletion takes others along: how many its author knows of. It confirms the deletion of as many, and no more: whatever
 * came since has to be confirmed again.
 */
export const CONFIRM_DELETION = 'weft.dev/confirm-deletion'

/** However many there are. */
export const CONFIRM_ALL = '999999999'

export function confirmedCount({ metadata }: KubeObject): number {
  const text = getOwn(metadata.annotations ?? {}, CONFIRM_DELETION)
  return typeof text === 'string' && /^[0-9]{1,9}$/.test(text) ? Number(text) : 0
}

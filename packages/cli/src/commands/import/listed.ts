const SHOWN = 3

/** Addresses of resources, as many as one reads. */
export const listed = (addresses: readonly string[]): string =>
  addresses.length <= SHOWN ? addresses.join(', ') : `${addresses.slice(0, SHOWN).join(', ')} and ${addresses.length - SHOWN} more`

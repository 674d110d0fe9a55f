/** The `restored` record of the `meta` table: the store was made from a backup, and nobody was told yet. */
export interface Restored {
  /** When, in milliseconds since 1970. */
  readonly at: number
  /** The revision of the backup: what was written after it is not in the store. */
  readonly revision: number
}

export const RESTORED = 'restored'

export const encodeRestored = (restored: Restored): Uint8Array => Buffer.from(JSON.stringify(restored))

export function decodeRestored(bytes: Uint8Array | undefined): Restored | undefined {
  return bytes && (JSON.parse(Buffer.from(bytes).toString('utf8')) as Restored)
}

/**
 * Order of resource versions of one resource: decimal, compared by length then text, so that 64 bits need no bigint.
 * Something that is not a number (no server of today sends it) counts as oldest.
 */
export function compareResourceVersions(a: string | undefined, b: string | undefined): number {
  const x = normal(a)
  const y = normal(b)
  if (x.length !== y.length) return x.length - y.length
  return x < y ? -1 : x > y ? 1 : 0
}

const DECIMAL = /^[1-9]\d*$/

const normal = (version: string | undefined): string => (version !== undefined && DECIMAL.test(version) ? version : '')

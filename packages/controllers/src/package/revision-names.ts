import { createHash } from 'node:crypto'

const DIGITS = 12
/** A label's value, and so the name of a package, may not be longer. */
const LONGEST = 63

/** The name of the revision of a package that has this digest: known before the revision is made, so that it is made once. */
export function revisionName(packageName: string, digest: string): string {
  const suffix = digest.replace(/^sha256:/, '').slice(0, DIGITS)
  return `${packageName.slice(0, LONGEST - DIGITS - 1)}-${suffix}`
}

/** The name of a package that is installed because another needs it: `crossplane-contrib-provider-nop`. */
export function dependencyName(source: string): string {
  const parts = source.toLowerCase().split('/')
  const path = parts.length > 1 ? parts.slice(1) : parts
  const name = path
    .join('-')
    .replaceAll(/[^a-z0-9-]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
  if (name.length <= LONGEST - DIGITS - 1) return name
  // Cut, two may become one: what was cut decides.
  return `${name.slice(0, LONGEST - DIGITS - 10).replace(/-+$/, '')}-${createHash('sha256').update(source).digest('hex').slice(0, 8)}`
}

import { compare, Range, SemVer, valid } from 'semver'
import { isDigest } from '../digest.ts'
import { PackageError } from '../package-error.ts'

/** Which versions of a package will do. */
export interface VersionRange {
  readonly text: string
  /** Set when the range is one digest, or one tag that is no version. */
  readonly exact?: string
  includes(version: string): boolean
}

type Test = (version: string) => boolean

const ANY = /^[*xX]?$/
/** Operator and version, as in Go's Masterminds/semver, which Crossplane uses; `=>`, `=<` and `!=` are not known to npm. */
const COMPARATOR = /(!=|>=|=>|<=|=<|~>|[=<>~^])?\s*(v?[0-9xX*][0-9A-Za-z.*+-]*)/y

/**
 * Reads a range of `dependsOn`: `>=v0.1.0`, `v1.x`, `^1.2`, `~1.2`, `1.2 - 1.4`, `!=1.3.0`; a comma or a space means and, `||` means or.
 * A digest or a tag that is no version means exactly that one. Pre-releases are taken only by a range that mentions one.
 */
export function parseRange(text: string): VersionRange {
  const given = text.trim()
  if (isDigest(given)) return { text: given, exact: given, includes: (version) => version === given }
  const alternatives = given.split('||')
  const tests = alternatives.flatMap((part) => parseAll(part.trim(), given) ?? [])
  if (tests.length < alternatives.length) {
    if (/^[A-Za-z_][A-Za-z0-9._-]*$/.test(given)) return { text: given, exact: given, includes: (version) => version === given }
    throw new PackageError(
      'Malformed',
      `${JSON.stringify(text)} is not a range of versions; write for example ">=v1.2.0", "v1.x" or a digest`,
    )
  }
  return { text: given, includes: (version) => tests.some((test) => test(version)) }
}

/** Comparators that must all hold. Undefined: not a range. */
function parseAll(text: string, whole: string): Test | undefined {
  if (ANY.test(text)) return (version) => valid(version) !== null && !isPrerelease(version)
  const hyphen = /^(v?[0-9][^\s,]*)\s+-\s+(v?[0-9][^\s,]*)$/.exec(text)
  if (hyphen !== null) return comparison(`${hyphen[1]} - ${hyphen[2]}`, whole)
  const tests: Test[] = []
  COMPARATOR.lastIndex = 0
  while (COMPARATOR.lastIndex < text.length) {
    const match = COMPARATOR.exec(text)
    if (match === null) return undefined
    const [, operator = '', version = ''] = match
    const test = comparator(operator, version, whole)
    if (test === undefined) return undefined
    tests.push(test)
    COMPARATOR.lastIndex += /^[\s,]*/.exec(text.slice(COMPARATOR.lastIndex))?.[0].length ?? 0
  }
  return (version) => tests.every((test) => test(version))
}

function comparator(operator: string, version: string, whole: string): Test | undefined {
  switch (operator) {
    case '!=': {
      const same = comparison(version, whole)
      return same && ((candidate) => valid(candidate) !== null && !same(candidate) && (whole.includes('-') || !isPrerelease(candidate)))
    }
    case '=>':
      return comparison(`>=${version}`, whole)
    case '=<':
      return comparison(`<=${version}`, whole)
    case '~>':
      return comparison(`~${version}`, whole)
    default:
      return comparison(`${operator}${version}`, whole)
  }
}

function comparison(text: string, whole: string): Test | undefined {
  try {
    const range = new Range(text, { includePrerelease: /\d-/.test(whole.replace(/\s-\s/, ' ')) })
    return (version) => valid(version) !== null && range.test(version)
  } catch {
    return undefined
  }
}

const isPrerelease = (version: string): boolean => new SemVer(version).prerelease.length > 0

/** Tags that are versions, newest first. */
export function newestFirst(tags: readonly string[]): string[] {
  return tags.filter((tag) => valid(tag) !== null).toSorted((a, b) => compare(b, a) || (a < b ? -1 : 1))
}

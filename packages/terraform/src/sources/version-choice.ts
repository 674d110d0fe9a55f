import { PackageError } from '@weft/xpkg'
import semver from 'semver'

/**
 * The newest of `available` that `wanted` allows: a version (`6.2.0`), the beginning of one (`6`, `6.2`), or conditions as Terraform writes
 * them (`~> 6.1`, `>= 5.0, < 7.0, != 6.0.1`). Versions that are not meant for everybody (`6.0.0-beta1`) only when they are named.
 */
export function chooseVersion(provider: string, available: readonly string[], wanted?: string): string {
  const known = available.flatMap((text) => semver.parse(text.replace(/^v/, '')) ?? []).toSorted(semver.rcompare)
  const exact = wanted === undefined ? null : semver.parse(wanted.replace(/^[=v\s]+/, ''))
  if (exact !== null) {
    const same = known.find((each) => each.compare(exact) === 0)
    if (same !== undefined) return same.version
    throw new PackageError('NotFound', `${provider} has no version ${exact.version}; ${listed(known)}`)
  }
  const allows = wanted === undefined ? () => true : conditionsOf(provider, wanted)
  const found = known.find((each) => each.prerelease.length === 0 && allows(each))
  if (found !== undefined) return found.version
  const what = wanted === undefined ? 'no stable version' : `no version that is ${wanted}`
  throw new PackageError('NotFound', `${provider} has ${what}; ${listed(known)}`)
}

function listed(known: readonly semver.SemVer[]): string {
  if (known.length === 0) return 'none is offered'
  const named = known.slice(0, 5).map(({ version }) => version)
  return `there ${known.length === 1 ? 'is' : 'are'} ${named.join(', ')}${known.length > named.length ? ` and ${known.length - named.length} more` : ''}`
}

const CONDITION = /^(=|!=|>=|<=|>|<|~>)?\s*v?(\d+(?:\.\d+){0,2})(?:\.[x*])*$/

function conditionsOf(provider: string, text: string): (version: semver.SemVer) => boolean {
  const conditions = text.split(',').map((part) => {
    const match = CONDITION.exec(part.trim())
    if (match === null)
      throw new PackageError(
        'Malformed',
        `${provider}: ${JSON.stringify(text)} is not a version: write 6.2.0, the beginning of one (6), or conditions such as "~> 6.1" or ">= 5.0, < 7"`,
      )
    return condition(match[1] ?? '', (match[2] ?? '').split('.').map(Number))
  })
  return (version) => conditions.every((allows) => allows(version))
}

function condition(operator: string, parts: readonly number[]): (version: semver.SemVer) => boolean {
  const [major = 0, minor = 0, patch = 0] = parts
  const bound = new semver.SemVer(`${major}.${minor}.${patch}`)
  switch (operator) {
    // Without an operator a beginning stands for all that begin so.
    case '':
      return ({ major: a, minor: b, patch: c }) => [a, b, c].slice(0, parts.length).every((part, i) => part === parts[i])
    case '=':
      return (version) => version.compare(bound) === 0
    case '!=':
      return (version) => version.compare(bound) !== 0
    case '>=':
      return (version) => version.compare(bound) >= 0
    case '<=':
      return (version) => version.compare(bound) <= 0
    case '>':
      return (version) => version.compare(bound) > 0
    case '<':
      return (version) => version.compare(bound) < 0
    default:
      // Only the last part that was written may grow.
      return (version) => version.compare(bound) >= 0 && version.major === major && (parts.length < 3 || version.minor === minor)
  }
}

import { STRING_FACTOR, scale } from '../cost/interval.ts'
import { Fault } from '../eval/fault.ts'
import { OpaqueValue, intFromBigInt, sizeOf, type Value } from '../eval/value.ts'
import { BOOL, INT, STRING, opaqueType, type OpaqueType } from '../types/type.ts'
import { fn, memberOverload, overload, type FunctionDecl, type Library, type Overload } from './library.ts'

/** Semantic versions: `semver('1.2.3').isLessThan(semver('2.0.0'))`. */
const SEMVER_TYPE: OpaqueType = opaqueType('kubernetes.Semver')

interface Version {
  readonly numbers: readonly [bigint, bigint, bigint]
  readonly pre: readonly string[]
}

class SemverValue extends OpaqueValue {
  readonly type: OpaqueType = SEMVER_TYPE
  readonly version: Version
  constructor(version: Version) {
    super()
    this.version = version
  }
  equals(other: OpaqueValue): boolean {
    return other instanceof SemverValue && order(this, other) === 0
  }
}

const NAMES = ['major', 'minor', 'patch'] as const

function parse(text: string): Version | { readonly error: string } {
  if (text === '') return { error: 'Version string empty' }
  const match = /^([^.]*)\.([^.]*)\.([^-+]*)(?:-([^+]*))?(?:\+(.*))?$/s.exec(text)
  if (match === null) return { error: 'No Major.Minor.Patch elements found' }
  const numbers: bigint[] = []
  for (const [i, name] of NAMES.entries()) {
    const part = match[i + 1] ?? ''
    const title = name[0]?.toUpperCase() + name.slice(1)
    if (!/^\d+$/.test(part)) return { error: `Invalid character(s) found in ${name} number ${JSON.stringify(part)}` }
    if (part.length > 1 && part.startsWith('0')) return { error: `${title} number must not contain leading zeroes ${JSON.stringify(part)}` }
    const value = BigInt(part)
    if (value >= 2n ** 64n) return { error: `strconv.ParseUint: parsing ${JSON.stringify(part)}: value out of range` }
    numbers.push(value)
  }
  const pre = match[4] === undefined ? [] : match[4].split('.')
  for (const part of pre) {
    if (part === '') return { error: 'Prerelease is empty' }
    if (!/^[0-9A-Za-z-]+$/.test(part)) return { error: `Invalid character(s) found in prerelease ${JSON.stringify(part)}` }
    if (/^0\d+$/.test(part)) return { error: `Numeric PreRelease version must not contain leading zeroes ${JSON.stringify(part)}` }
  }
  for (const part of match[5] === undefined ? [] : match[5].split('.')) {
    if (part === '') return { error: 'Build meta data is empty' }
    if (!/^[0-9A-Za-z-]+$/.test(part)) return { error: `Invalid character(s) found in build meta data ${JSON.stringify(part)}` }
  }
  return { numbers: numbers as [bigint, bigint, bigint], pre }
}

/** Drops a leading `v` and leading zeros, and fills a short version up with zeros. */
function normalize(text: string): Version | { readonly error: string } {
  const [major = '', minor, ...rest] = text.replace(/^v/, '').split('.')
  const parts = [major, ...(minor === undefined ? [] : [minor]), ...(rest.length === 0 ? [] : [rest.join('.')])]
  const trimmed = parts.map((part) => (part.length > 1 ? part.replace(/^0+(?=\d)/, '') : part))
  if (trimmed.length < 3) {
    if (/[-+]/.test(trimmed.at(-1) ?? '')) return { error: 'short version cannot contain PreRelease/Build meta data' }
    while (trimmed.length < 3) trimmed.push('0')
  }
  return parse(trimmed.join('.'))
}

const read = (text: string, normalized: boolean): Version | { readonly error: string } => (normalized ? normalize(text) : parse(text))

function toSemver(text: string, normalized = false): SemverValue {
  const version = read(text, normalized)
  if ('error' in version) throw new Fault(version.error)
  return new SemverValue(version)
}

const isSemver = (text: string, normalized = false): boolean => !('error' in read(text, normalized))

function order(a: SemverValue, b: SemverValue): number {
  for (const i of [0, 1, 2] as const) {
    const [x, y] = [a.version.numbers[i], b.version.numbers[i]]
    if (x !== y) return x < y ? -1 : 1
  }
  return orderPre(a.version.pre, b.version.pre)
}

/** A version without prerelease comes after one with; numbers come before names. */
function orderPre(a: readonly string[], b: readonly string[]): number {
  if (a.length === 0 || b.length === 0) return a.length === b.length ? 0 : a.length === 0 ? 1 : -1
  for (const [i, x] of a.entries()) {
    const y = b[i]
    if (y === undefined) return 1
    if (x === y) continue
    const [numericX, numericY] = [/^\d+$/.test(x), /^\d+$/.test(y)]
    if (numericX && numericY) return BigInt(x) < BigInt(y) ? -1 : 1
    if (numericX !== numericY) return numericX ? -1 : 1
    return x < y ? -1 : 1
  }
  return a.length < b.length ? -1 : 0
}

const parsing: Pick<Overload, 'cost' | 'estimate'> = {
  cost: ([text]) => Math.ceil(sizeOf(text as Value) * STRING_FACTOR),
  estimate: ({ args: [text] }) => (text === undefined ? undefined : { cost: scale(text.size, STRING_FACTOR) }),
}
const PAIR = [SEMVER_TYPE, SEMVER_TYPE]
const number = (name: string, index: 0 | 1 | 2): FunctionDecl =>
  fn(
    name,
    memberOverload(`semver_${name}`, [SEMVER_TYPE], INT, (value: SemverValue) =>
      intFromBigInt(BigInt.asIntN(64, value.version.numbers[index])),
    ),
  )

export const SEMVER: Library = {
  name: 'kubernetes.semver',
  types: { 'kubernetes.Semver': SEMVER_TYPE },
  functions: [
    fn(
      'semver',
      overload('string_to_semver', [STRING], SEMVER_TYPE, toSemver, parsing),
      overload('string_bool_to_semver', [STRING, BOOL], SEMVER_TYPE, toSemver, parsing),
    ),
    fn(
      'isSemver',
      overload('is_semver_string', [STRING], BOOL, isSemver, parsing),
      overload('is_semver_string_bool', [STRING, BOOL], BOOL, isSemver, parsing),
    ),
    fn(
      'isGreaterThan',
      memberOverload('semver_is_greater_than', PAIR, BOOL, (a: SemverValue, b: SemverValue) => order(a, b) > 0),
    ),
    fn(
      'isLessThan',
      memberOverload('semver_is_less_than', PAIR, BOOL, (a: SemverValue, b: SemverValue) => order(a, b) < 0),
    ),
    fn('compareTo', memberOverload('semver_compare_to', PAIR, INT, order)),
    number('major', 0),
    number('minor', 1),
    number('patch', 2),
  ],
}

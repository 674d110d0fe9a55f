import { isDns1035Label, isDns1123Label, isDns1123Subdomain, isLabelValue, isQualifiedName } from '@weft/api'
import { REGEX_FACTOR, STRING_FACTOR, scale } from '../cost/interval.ts'
import { decodeBase64 } from '../eval/base64.ts'
import { parseDate, parseTimestamp } from '../eval/time.ts'
import { ArrayList, OPTIONAL_NONE, OpaqueValue, OptionalValue, sizeOf, type Value } from '../eval/value.ts'
import { STRING, listType, opaqueType, optionalType, type OpaqueType } from '../types/type.ts'
import { fn, memberOverload, overload, type Library } from './library.ts'
import { parseRequestUri } from './url.ts'

/** Named formats: `!format.dns1123Label().validate(name).hasValue()`. */
const FORMAT_TYPE: OpaqueType = opaqueType('kubernetes.NamedFormat')

class FormatValue extends OpaqueValue {
  readonly type: OpaqueType = FORMAT_TYPE
  readonly name: string
  readonly problems: (text: string) => readonly string[]
  /** The length of a regular expression that would do the check: what the cost model goes by. */
  readonly patternSize: number
  constructor(name: string, problems: (text: string) => readonly string[], patternSize: number) {
    super()
    this.name = name
    this.problems = problems
    this.patternSize = patternSize
  }
  equals(other: OpaqueValue): boolean {
    return other instanceof FormatValue && other.name === this.name
  }
}

/** A name that will get a suffix may end in a dash. */
const asPrefix =
  (check: (text: string) => string[]) =>
  (text: string): string[] =>
    check(text.length > 1 && text.endsWith('-') ? `${text.slice(0, -2)}a` : text)
const only =
  (message: string, valid: (text: string) => boolean) =>
  (text: string): string[] =>
    valid(text) ? [] : [message]
const UUID = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i

function uriProblems(text: string): string[] {
  const parsed = parseRequestUri(text)
  return 'error' in parsed ? [parsed.error] : []
}

const FORMATS: ReadonlyMap<string, FormatValue> = new Map(
  (
    [
      ['dns1123Label', isDns1123Label, 30],
      ['dns1123Subdomain', isDns1123Subdomain, 60],
      ['dns1035Label', isDns1035Label, 30],
      ['qualifiedName', isQualifiedName, 60],
      ['dns1123LabelPrefix', asPrefix(isDns1123Label), 30],
      ['dns1123SubdomainPrefix', asPrefix(isDns1123Subdomain), 60],
      ['dns1035LabelPrefix', asPrefix(isDns1035Label), 30],
      ['labelValue', isLabelValue, 40],
      ['uri', uriProblems, 1000],
      ['uuid', only('does not match the UUID format', (text) => UUID.test(text)), 80],
      ['byte', only('invalid base64', (text) => decodeBase64(text) !== undefined), 100],
      ['date', only('invalid date', (text) => parseDate(text) !== undefined), 80],
      ['datetime', only('invalid datetime', (text) => parseTimestamp(text) !== undefined), 80],
    ] as const
  ).map(([name, problems, size]) => [name, new FormatValue(name, problems, size)]),
)

const MAX_PATTERN = 128

function validate(format: FormatValue, text: string): Value {
  const problems = format.problems(text)
  return problems.length === 0 ? OPTIONAL_NONE : new OptionalValue(new ArrayList(problems))
}

export const FORMAT: Library = {
  name: 'kubernetes.format',
  types: { 'kubernetes.NamedFormat': FORMAT_TYPE },
  functions: [
    fn(
      'validate',
      memberOverload('format-validate', [FORMAT_TYPE, STRING], optionalType(listType(STRING)), validate, {
        cost: ([format, text]) =>
          Math.ceil((1 + sizeOf(text as Value)) * STRING_FACTOR) * Math.ceil((format as FormatValue).patternSize * REGEX_FACTOR),
        estimate: ({ args: [text] }) =>
          text === undefined ? undefined : { cost: scale(scale(text.size, STRING_FACTOR), MAX_PATTERN * REGEX_FACTOR) },
      }),
    ),
    fn(
      'format.named',
      overload('format-named', [STRING], optionalType(FORMAT_TYPE), (name: string) => {
        const format = FORMATS.get(name)
        return format === undefined ? OPTIONAL_NONE : new OptionalValue(format)
      }),
    ),
    ...Array.from(FORMATS, ([name, format]) =>
      fn(
        `format.${name}`,
        overload(`format.${name}`, [], FORMAT_TYPE, () => format),
      ),
    ),
  ],
}

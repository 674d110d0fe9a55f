import { childPath, field, type JsonObject } from '@weft/api'
import { choice, type Errors, optionalNumber, optionalString, requiredObject, requiredString, requiredText } from '../document.ts'
import { failure, type Result, success } from '../result.ts'
import { CONVERSIONS, type Conversion, convertString } from './string-convert.ts'
import { compileFormat, tooLong } from './format.ts'
import { compilePattern } from './pattern.ts'
import type { Transform, TransformReader } from './transform.ts'
import { aKind, MAX_TEXT_LENGTH, plainText } from './value.ts'

const TYPES = ['Format', 'Convert', 'TrimPrefix', 'TrimSuffix', 'Regexp', 'Join', 'Replace'] as const
type StringType = (typeof TYPES)[number]

const READERS: Readonly<Record<StringType, TransformReader>> = {
  Format: readFormat,
  Convert: readConversion,
  TrimPrefix: (config, path, errors) => {
    const trim = requiredText(config, 'trim', path, errors)
    return trim === undefined ? undefined : ofText((text) => (text.startsWith(trim) ? text.slice(trim.length) : text))
  },
  TrimSuffix: (config, path, errors) => {
    const trim = requiredText(config, 'trim', path, errors)
    return trim === undefined ? undefined : ofText((text) => (text.endsWith(trim) ? text.slice(0, text.length - trim.length) : text))
  },
  Regexp: readRegexp,
  Join: readJoin,
  Replace: readReplace,
}

/** `string`: one of seven operations on text; anything that is not text is first printed as Go's `%v`. Without `type`, `fmt` is meant (C6). */
export const readString: TransformReader = (config, path, errors) => {
  const type = choice(config, 'type', { path, errors, allowed: TYPES, fallback: 'Format' })
  return type === undefined ? undefined : READERS[type](config, path, errors)
}

const ofText =
  (work: (text: string) => string): Transform['apply'] =>
  (input) =>
    success(work(plainText(input)))

function readFormat(config: JsonObject, path: string, errors: Errors): Transform['apply'] | undefined {
  const text = requiredText(config, 'fmt', path, errors)
  if (text === undefined) return undefined
  const format = compileFormat(text)
  if (format.ok) return (input) => format.value.render([input])
  errors.push(field.invalid(childPath(path, 'fmt'), text, format.error.message))
  return undefined
}

function readConversion(config: JsonObject, path: string, errors: Errors): Transform['apply'] | undefined {
  const conversion: Conversion | undefined = choice(config, 'convert', { path, errors, allowed: CONVERSIONS, fallback: undefined })
  return conversion && ((input) => convertString(conversion, input))
}

function readRegexp(config: JsonObject, path: string, errors: Errors): Transform['apply'] | undefined {
  const regexp = requiredObject(config, 'regexp', path, errors)
  if (regexp === undefined) return undefined
  const at = childPath(path, 'regexp')
  const text = requiredText(regexp, 'match', at, errors)
  const pattern = text === undefined ? undefined : compilePattern(text, childPath(at, 'match'), errors)
  const group = Number(optionalNumber(regexp, 'group', at, errors) ?? 0)
  if (!Number.isInteger(group) || group < 0) errors.push(field.invalid(childPath(at, 'group'), group, 'must be a whole number, 0 or above'))
  if (pattern === undefined) return undefined
  return (input) => {
    const found = pattern.groups(plainText(input))?.[group]
    return found === undefined
      ? failure('TransformFailed', `regexp ${JSON.stringify(pattern.text)} had no matches for group ${group}`)
      : success(found)
  }
}

function readJoin(config: JsonObject, path: string, errors: Errors): Transform['apply'] | undefined {
  const join = requiredObject(config, 'join', path, errors)
  const separator = join && (optionalString(join, 'separator', childPath(path, 'join'), errors) ?? '')
  if (separator === undefined) return undefined
  return (input) => {
    if (!Array.isArray(input)) return failure('TransformFailed', `takes a list, but the value is ${aKind(input)}`)
    return joined(input.map(plainText), separator)
  }
}

function readReplace(config: JsonObject, path: string, errors: Errors): Transform['apply'] | undefined {
  const replace = requiredObject(config, 'replace', path, errors)
  if (replace === undefined) return undefined
  const search = requiredString(replace, 'search', childPath(path, 'replace'), errors)
  const by = optionalString(replace, 'replace', childPath(path, 'replace'), errors) ?? ''
  return search === undefined ? undefined : (input) => joined(plainText(input).split(search), by)
}

function joined(parts: readonly string[], separator: string): Result<string> {
  const length = parts.reduce((sum, part) => sum + part.length, 0) + separator.length * Math.max(parts.length - 1, 0)
  return length > MAX_TEXT_LENGTH ? tooLong() : success(parts.join(separator))
}

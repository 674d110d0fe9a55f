import { createHash } from 'node:crypto'
import { adler32 } from '@weft/composition'
import { illegalBase64 } from '../../go/base64.ts'
import { GoError, must, wrapping } from '../../go/go-error.ts'
import { marshalJson } from '../../go/json.ts'
import { quote } from '../../go/quote.ts'
import { MAX_TEXT, plainText, sprintf, TextTooLong } from '../../go/sprintf.ts'
import { bytesText, changeCase, textBytes } from '../../go/text.ts'
import { type GoValue, isGoArray } from '../../go/value.ts'
import type { StringTransform } from './input.ts'
import { compileRegexp, submatches } from './regexp.ts'

export function transformString(string: StringTransform, input: GoValue): string {
  const { type = '', fmt, convert, trim, regexp, join, replace } = string
  const unset = (field: string): never => {
    throw new GoError(`string transform of type ${type} ${field} is not set`)
  }
  switch (type) {
    case 'Format':
      return fmt === undefined ? unset('fmt') : sprintf(fmt, input)
    case 'Convert':
      return convert === undefined ? unset('convert') : convertString(convert, input)
    case 'TrimPrefix':
    case 'TrimSuffix':
      return trim === undefined ? unset('trim') : trimmed(plainText(input), type, trim)
    case 'Regexp':
      return regexp === undefined ? unset('regexp') : extract(input, regexp)
    case 'Join':
      return join === undefined ? unset('join') : joined(input, join.separator ?? '')
    case 'Replace':
      return replace === undefined ? unset('replace') : replaced(plainText(input), replace.search ?? '', replace.replace ?? '')
    default:
      throw new GoError(`type ${type} is not supported for string transform type`)
  }
}

function convertString(convert: string, input: GoValue): string {
  switch (convert) {
    case 'ToUpper':
      return changeCase(plainText(input), 'upper')
    case 'ToLower':
      return changeCase(plainText(input), 'lower')
    case 'ToJson':
      return wrapping('cannot marshal to JSON', () => must(marshalJson(input)))
    case 'ToBase64':
      return Buffer.from(textBytes(plainText(input))).toString('base64')
    case 'FromBase64': {
      const bytes = textBytes(plainText(input))
      const illegal = illegalBase64(bytes)
      if (illegal !== undefined) throw new GoError(`string is not valid base64: illegal base64 data at input byte ${illegal}`)
      return bytesText(Buffer.from(bytesText(bytes), 'base64'))
    }
    case 'ToSha1':
    case 'ToSha256':
    case 'ToSha512':
      return createHash(convert.slice(2).toLowerCase()).update(hashed(input, 'cannot generate hash')).digest('hex')
    case 'ToAdler32':
      return String(adler32(hashed(input, 'unable to generate Adler checksum')))
    default:
      throw new GoError(`type ${convert} is not supported for string convert`)
  }
}

/** A text is hashed as it is, anything else as JSON. */
const hashed = (input: GoValue, doing: string): Uint8Array =>
  typeof input === 'string' ? textBytes(input) : textBytes(wrapping(`${doing}: cannot marshal to JSON`, () => must(marshalJson(input))))

function trimmed(text: string, type: string, trim: string): string {
  if (type === 'TrimPrefix') return text.startsWith(trim) ? text.slice(trim.length) : text
  return text.endsWith(trim) ? text.slice(0, text.length - trim.length) : text
}

function extract(input: GoValue, { match = '', group = 0n }: { match?: string; group?: bigint }): string {
  const pattern = wrapping('could not compile regexp', () => must(compileRegexp(match)))
  const groups = submatches(pattern, plainText(input))
  // In Go this ends the program.
  if (groups !== undefined && group < 0n) throw new GoError(`regexp ${quote(match)} has no group ${group}: groups are counted from 0`)
  const found = groups?.[Number(group)]
  if (found === undefined) throw new GoError(`regexp ${quote(match)} had no matches for group ${group}`)
  return found
}

/** The separator follows every element, and then the last byte goes: one, however long the separator is. */
function joined(input: GoValue, separator: string): string {
  if (!isGoArray(input)) throw new GoError('could not parse input array')
  if (input.length === 0) return ''
  const texts = input.map(plainText)
  bounded(texts.reduce((sum, text) => sum + text.length + separator.length, 0))
  const text = texts.map((item) => item + separator).join('')
  return separator === '' ? text : bytesText(textBytes(text).subarray(0, -1))
}

function replaced(text: string, search: string, replacement: string): string {
  if (search === '') return Array.from(text).reduce((out, rune) => bounded(out.length, out + rune + replacement), replacement)
  const pieces = text.split(search)
  bounded(text.length + (pieces.length - 1) * replacement.length)
  return pieces.join(replacement)
}

function bounded(length: number): void
function bounded(length: number, text: string): string
function bounded(length: number, text?: string): string | void {
  if (length > MAX_TEXT) throw new TextTooLong()
  return text
}

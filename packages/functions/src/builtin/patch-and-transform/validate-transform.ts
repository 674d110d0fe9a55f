import { invalid, required, unknownWord, within } from './field-error.ts'
import type { MatchPattern, MathTransform, StringTransform, Transform } from './input.ts'
import { compileRegexp } from './regexp.ts'

export function validateTransform(transform: Transform, path: string): void {
  const { type = '', math, map, match, string, convert } = transform
  const needed = (): never => {
    throw required(within(path, type), `given transform type ${type} requires configuration`)
  }
  switch (type) {
    case 'math':
      return math === undefined ? needed() : validateMath(math, within(path, 'math'))
    case 'map':
      if (map === undefined) return needed()
      if (Object.keys(map).length === 0)
        throw required(within(path, 'map.pairs'), 'at least one pair must be specified if a map transform is specified')
      return
    case 'match': {
      if (match === undefined) return needed()
      const patterns = match.patterns ?? []
      if (patterns.length === 0)
        throw required(within(path, 'match.patterns'), 'at least one pattern must be specified if a match transform is specified')
      patterns.forEach((pattern, i) => validatePattern(pattern, within(path, `match.patterns[${i}]`)))
      return
    }
    case 'string':
      return string === undefined ? needed() : validateString(string, within(path, 'string'))
    case 'convert':
      return convert === undefined ? needed() : validateConvert(convert, within(path, 'convert'))
    default:
      throw unknownWord(within(path, 'type'), type, 'unknown transform type')
  }
}

export function validateMath(math: MathTransform, path: string): void {
  const { type = '' } = math
  const operand = (field: string, value: bigint | undefined, name: string): void => {
    if (value === undefined) throw required(within(path, field), `must specify a value if a ${name} math transform is specified`)
  }
  if (type === '') throw required(within(path, 'type'), 'math transform type is required')
  if (type === 'Multiply') operand('multiply', math.multiply, 'multiply')
  else if (type === 'ClampMin') operand('clampMin', math.clampMin, 'clamp min')
  else if (type === 'ClampMax') operand('clampMax', math.clampMax, 'clamp max')
  else throw unknownWord(within(path, 'type'), type, 'unknown math transform type')
}

function validatePattern({ type = '', literal, regexp }: MatchPattern, path: string): void {
  if (type === 'literal' || type === '') {
    if (literal === undefined) throw required(within(path, 'literal'), 'literal pattern type requires a literal')
  } else if (type === 'regexp') {
    if (regexp === undefined) throw required(within(path, 'regexp'), 'regexp pattern type requires a regexp')
    if ('error' in compileRegexp(regexp)) throw invalid(within(path, 'regexp'), regexp, 'invalid regexp')
  } else throw unknownWord(within(path, 'type'), type, 'unknown pattern type')
}

function validateString(string: StringTransform, path: string): void {
  const { type = '', regexp, replace } = string
  if (type === '') throw required(within(path, 'type'), 'string transform type is required')
  switch (type) {
    case 'Format':
      if (string.fmt === undefined) throw required(within(path, 'fmt'), 'format transform requires a format')
      return
    case 'Convert':
      if (string.convert === undefined) throw required(within(path, 'convert'), 'convert transform requires a conversion type')
      return
    case 'TrimPrefix':
    case 'TrimSuffix':
      if (string.trim === undefined) throw required(within(path, 'trim'), 'trim transform requires a trim value')
      return
    case 'Regexp':
      if (regexp === undefined) throw required(within(path, 'regexp'), 'regexp transform requires a regexp')
      if ((regexp.match ?? '') === '') throw required(within(path, 'regexp.match'), 'regexp transform requires a match')
      if ('error' in compileRegexp(regexp.match ?? '')) throw invalid(within(path, 'regexp.match'), regexp.match, 'invalid regexp')
      return
    case 'Join':
      if (string.join === undefined) throw required(within(path, 'join'), 'join transform requires a join')
      return
    case 'Replace':
      if (replace === undefined) throw required(within(path, 'replace'), 'replace transform requires a replace')
      if ((replace.search ?? '') === '') throw required(within(path, 'replace.search'), 'replace transform requires a search')
      return
    default:
      throw unknownWord(within(path, 'type'), type, 'unknown string transform type')
  }
}

const IO_TYPES: ReadonlySet<string> = new Set(['string', 'bool', 'int', 'int64', 'float64', 'object', 'array'])

export function validateConvert({ toType = '', format }: { toType?: string; format?: string }, path: string): void {
  if (!['none', 'quantity', 'json'].includes(format ?? 'none')) throw unknownWord(within(path, 'format'), format, 'invalid format')
  if (!IO_TYPES.has(toType)) throw unknownWord(within(path, 'toType'), toType, 'invalid type')
}

import { childPath, field } from '@weft/api'
import { asObject, choice, type Errors, optionalList, requiredText } from '../document.ts'
import { failure, success } from '../result.ts'
import { compilePattern } from './pattern.ts'
import type { TransformReader } from './transform.ts'
import { aKind } from './value.ts'

interface Case {
  readonly matches: (input: string) => boolean
  readonly result: unknown
}

/**
 * `match`: the result of the first pattern that fits. Otherwise `fallbackValue` (null when there is none), or the input itself with
 * `fallbackTo: Input`. Patterns are asked of text only; without patterns any input goes to the fallback.
 */
export const readMatch: TransformReader = (config, path, errors) => {
  const before = errors.length
  const fallbackTo = choice(config, 'fallbackTo', { path, errors, allowed: ['Value', 'Input'], fallback: 'Value' })
  const fallbackValue = config['fallbackValue'] ?? null
  if (fallbackTo === 'Input' && fallbackValue !== null)
    errors.push(field.forbidden(childPath(path, 'fallbackValue'), 'may not be set together with fallbackTo: Input'))
  const cases = (optionalList(config, 'patterns', path, errors) ?? []).map((raw, i) => readCase(raw, `${path}.patterns[${i}]`, errors))
  if (errors.length > before) return undefined
  return (input) => {
    if (cases.length > 0 && typeof input !== 'string') return failure('TransformFailed', `takes a string, but the value is ${aKind(input)}`)
    const found = cases.find((one) => one?.matches(input as string))
    if (found !== undefined) return success(found.result)
    return success(fallbackTo === 'Input' ? input : fallbackValue)
  }
}

function readCase(raw: unknown, path: string, errors: Errors): Case | undefined {
  const pattern = asObject(raw, path, errors)
  if (pattern === undefined) return undefined
  const type = choice(pattern, 'type', { path, errors, allowed: ['literal', 'regexp'], fallback: 'literal' })
  if (type === undefined) return undefined
  const text = requiredText(pattern, type, path, errors)
  const result = pattern['result'] ?? null
  if (text === undefined) return undefined
  if (type === 'literal') return { matches: (input) => input === text, result }
  const compiled = compilePattern(text, childPath(path, type), errors)
  return compiled && { matches: (input) => compiled.test(input), result }
}

import { getOwn } from '@weft/api'
import { failure, success } from '../result.ts'
import type { TransformReader } from './transform.ts'
import { aKind, kindOf, plainText } from './value.ts'

const SHOWN = 10

/**
 * `map`: the input is a key, its value the output, whatever its type. A number or a boolean is looked up by its text, because YAML
 * makes `engineVersion: 5.7` a number (B33). An unknown key is an error: silently passing it on would provision the wrong thing.
 */
export const readMap: TransformReader = (pairs) => {
  return (input) => {
    const kind = kindOf(input)
    if (kind !== 'string' && kind !== 'integer' && kind !== 'number' && kind !== 'boolean')
      return failure('TransformFailed', `takes a string, a number or a boolean as key, but the value is ${aKind(input)}`)
    const key = plainText(input)
    const value = getOwn(pairs, key)
    if (value !== undefined) return success(value)
    const keys = Object.keys(pairs)
    const known =
      keys
        .slice(0, SHOWN)
        .map((known) => JSON.stringify(known))
        .join(', ') + (keys.length > SHOWN ? ', ...' : '')
    return failure('TransformFailed', `key ${JSON.stringify(key)} is not in the map (keys: ${known === '' ? 'none' : known})`)
  }
}

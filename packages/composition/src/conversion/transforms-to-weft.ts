import { childPath, type FieldError, getOwn, indexPath, isJsonObject, type JsonObject } from '@weft/api'
import { parseTransforms } from '../transforms/parse.ts'
import { joinedTail } from './joined-tail.ts'
import type { Tell } from './loss.ts'

/** Weft knows every transform of the function; what it takes for granted is left out. Undefined: the patch would write something else. */
export function transformsToWeft(
  transforms: readonly JsonObject[],
  { path, tell }: { path: string; tell: Tell },
): readonly JsonObject[] | undefined {
  const result: JsonObject[] = []
  for (let i = 0; i < transforms.length; i++) {
    const transform = transforms[i] as JsonObject
    const at = indexPath(path, i)
    const made = toWeft(transform)
    const checked = parseTransforms([made], '')
    if (!checked.ok) {
      const { path: where, message } = checked.error[0] as FieldError
      tell(`${at}${where.replace(/^\[0\]/, '')}`, `${message}: the patch is left out`)
      return undefined
    }
    result.push(made)
    const join = stringOf(transform, 'Join')?.['join']
    const tail = isJsonObject(join) ? joinedTail(String(getOwn(join, 'separator') ?? '')) : ''
    if (tail === '') continue
    // Whoever takes the rest of the separator off means what Weft does by itself.
    if (tail !== undefined && stringOf(transforms[i + 1], 'TrimSuffix')?.['trim'] === tail) i++
    else
      tell(
        childPath(at, 'string.join.separator'),
        `function-patch-and-transform leaves a part of the separator behind the last item, and Weft does not`,
      )
  }
  return result
}

function stringOf(transform: JsonObject | undefined, type: string): JsonObject | undefined {
  const config = transform?.['type'] === 'string' ? getOwn(transform, 'string') : undefined
  return isJsonObject(config) && config['type'] === type ? config : undefined
}

function toWeft(transform: JsonObject): JsonObject {
  const given = getOwn(transform, String(transform['type']))
  const { type: kind, ...rest } = isJsonObject(given) ? given : {}
  if (transform['type'] === 'string' && kind === 'Format') return { type: 'string', string: rest }
  if (transform['type'] === 'math' && Object.keys(rest).length === 1) return { type: 'math', math: rest }
  return transform
}

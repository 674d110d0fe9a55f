import { field } from '@weft/api'
import { asObject, choice, type Errors, type Parsed, parsed } from '../document.ts'
import { failure, type Result, success } from '../result.ts'
import { readConvert } from './convert.ts'
import { readMap } from './map.ts'
import { tooLong } from './format.ts'
import { readMatch } from './match.ts'
import { readMath } from './math.ts'
import { readString } from './string.ts'
import { type Transform, type TransformReader, TRANSFORM_TYPES, type TransformType } from './transform.ts'
import { MAX_TEXT_LENGTH } from './value.ts'

const READERS: Readonly<Record<TransformType, TransformReader>> = {
  map: readMap,
  math: readMath,
  string: readString,
  convert: readConvert,
  match: readMatch,
}

export function parseTransforms(raw: unknown, path = 'transforms'): Parsed<readonly Transform[]> {
  const errors: Errors = []
  return parsed(readTransforms(raw, path, errors), errors)
}

/** Absent is no transforms. Every mistake of every transform is noted. */
export function readTransforms(raw: unknown, path: string, errors: Errors): readonly Transform[] {
  if (raw === undefined || raw === null) return []
  if (!Array.isArray(raw)) {
    errors.push(field.typeInvalid(path, raw, 'must be a list'))
    return []
  }
  return raw.map((item: unknown, index) => readTransform(item, `${path}[${index}]`, errors)).filter((transform) => transform !== undefined)
}

function readTransform(raw: unknown, path: string, errors: Errors): Transform | undefined {
  const transform = asObject(raw, path, errors)
  if (transform === undefined) return undefined
  const type = choice(transform, 'type', { path, errors, allowed: TRANSFORM_TYPES, fallback: undefined })
  if (type === undefined) return undefined
  const configPath = `${path}.${type}`
  const config = asObject(transform[type], configPath, errors)
  const apply = config === undefined ? undefined : READERS[type](config, configPath, errors)
  return apply === undefined ? undefined : { type, apply }
}

/** C6: stacked, in order. The error says which transform refused. */
export function applyTransforms(transforms: readonly Transform[], input: unknown): Result<unknown> {
  let value = input
  for (let i = 0; i < transforms.length; i++) {
    const transform = transforms[i] as Transform
    const result = transform.apply(value)
    if (!result.ok)
      return failure('TransformFailed', `transforms[${i}] (${transform.type}): ${result.error.message}`, { cause: result.error })
    value = result.value
    if (typeof value === 'string' && value.length > MAX_TEXT_LENGTH) return tooLong()
  }
  return success(value)
}

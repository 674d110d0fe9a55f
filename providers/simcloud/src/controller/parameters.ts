import { deepEqual, getOwn, isJsonObject, type JsonObject, type JsonValue, setOwn } from '@weft/api'
import type { FieldRule } from '../catalogue/simulated-kind.ts'

const REFERENCE = /.(Refs?|Selectors?)$/

/** The parameters without what only says where they come from: `networkRef` and `networkSelector` beside `network`. */
export function withoutReferences(parameters: JsonObject): JsonObject {
  const rest: Record<string, JsonValue> = {}
  for (const [key, value] of Object.entries(parameters)) {
    if (value === undefined || (REFERENCE.test(key) && typeof value === 'object')) continue
    setOwn(rest, key, stripped(value))
  }
  return rest
}

const stripped = (value: JsonValue): JsonValue =>
  Array.isArray(value) ? value.map((item: JsonValue) => stripped(item)) : isJsonObject(value) ? withoutReferences(value) : value

/** Paths of the parameters that are wanted and differ. What the cloud has besides is its own business. */
export function differences(wanted: JsonObject, actual: JsonObject, at = ''): string[] {
  return Object.entries(wanted).flatMap(([key, value]) => {
    const path = at === '' ? key : `${at}.${key}`
    const current = getOwn(actual, key)
    if (isJsonObject(value) && isJsonObject(current)) return differences(value, current, path)
    return value === undefined || value === null || deepEqual(value, current) ? [] : [path]
  })
}

/** What the cloud chose by default: the candidates for late initialisation. */
export function chosenByCloud(fields: readonly FieldRule[], actual: JsonObject): JsonObject {
  let chosen: JsonObject = {}
  for (const { path, default: preset } of fields) {
    if (preset === undefined) continue
    const segments = path.split('.')
    const value = at(actual, segments)
    if (value !== undefined) chosen = put(chosen, segments, value)
  }
  return chosen
}

/** The parameter under a dotted path. */
function at(parameters: JsonObject, [first = '', ...rest]: readonly string[]): JsonValue | undefined {
  const value = getOwn(parameters, first)
  if (rest.length === 0) return value
  return isJsonObject(value) ? at(value, rest) : undefined
}

function put(parameters: JsonObject, [first = '', ...rest]: readonly string[], value: JsonValue): JsonObject {
  const next: Record<string, JsonValue | undefined> = { ...parameters }
  const below = getOwn(parameters, first)
  setOwn(next, first, rest.length === 0 ? value : put(isJsonObject(below) ? below : {}, rest, value))
  return next
}

/** Where a resource goes that says nothing itself: its Provider's region, if the kind has such a field. */
export function withRegion(parameters: JsonObject, fields: readonly FieldRule[], region: string | undefined): JsonObject {
  if (region === undefined) return parameters
  const field = fields.find(({ path, required }) => (path === 'region' || path === 'location') && required)?.path
  return field === undefined || getOwn(parameters, field) !== undefined ? parameters : { ...parameters, [field]: region }
}

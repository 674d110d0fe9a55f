import { setOwn } from '@weft/api'
import { GoError } from './go-error.ts'
import { asInteger } from './json.ts'
import { quote } from './quote.ts'
import { parseTime } from './time.ts'
import { type GoValue, isGoArray, isGoObject } from './value.ts'

/**
 * Reading a Struct into Go's types, strictly: a name that the type does not have is refused, and so is a value of another type. Null is
 * the type's zero, which here is undefined. Go words its refusals differently from time to time; these are always the same.
 */
export type Decoder<T> = (value: GoValue) => T | undefined

const refuse = (value: GoValue, type: string, why = ''): never => {
  throw new GoError(`json: cannot unmarshal JSON ${kindOf(value)} into Go value of type ${type}${why}`)
}

function kindOf(value: GoValue): string {
  if (typeof value === 'number' || typeof value === 'bigint') return 'number'
  if (typeof value === 'object') return value === null ? 'null' : isGoArray(value) ? 'array' : 'object'
  return typeof value
}

export const text: Decoder<string> = (value) => (value === null ? undefined : typeof value === 'string' ? value : refuse(value, 'string'))

export const flag: Decoder<boolean> = (value) => (value === null ? undefined : typeof value === 'boolean' ? value : refuse(value, 'bool'))

export const integer: Decoder<bigint> = (value) => {
  if (value === null) return undefined
  if (typeof value !== 'number') return refuse(value, 'int64')
  const whole = asInteger(value)
  if (typeof whole === 'bigint') return whole
  // A double is written in digits up to 1e21, and must fit 64 bits.
  return refuse(
    value,
    'int64',
    `: cannot parse ${quote(String(value))} as signed integer: ${Number.isInteger(value) && Math.abs(value) < 1e21 ? 'value out of range' : 'invalid syntax'}`,
  )
}

/** Any JSON, as it stands; null is nothing. */
export const anything: Decoder<NonNullable<GoValue>> = (value) => (value === null ? undefined : value)

export const list =
  <T>(item: Decoder<T>, type: string): Decoder<readonly (T | undefined)[]> =>
  (value) =>
    value === null ? undefined : isGoArray(value) ? value.map(item) : refuse(value, type)

export const mapOf =
  <T>(item: Decoder<T>, type: string): Decoder<Readonly<Record<string, T | undefined>>> =>
  (value) => {
    if (value === null) return undefined
    if (!isGoObject(value)) return refuse(value, type)
    const map: Record<string, T | undefined> = {}
    for (const key of Object.keys(value)) setOwn(map, key, item(value[key] as GoValue))
    return map
  }

export const struct =
  <T extends object>(type: string, fields: { readonly [K in keyof T]-?: Decoder<NonNullable<T[K]>> }): Decoder<T> =>
  (value) => {
    if (value === null) return undefined
    if (!isGoObject(value)) return refuse(value, type)
    const out: Record<string, unknown> = {}
    for (const key of Object.keys(value)) {
      if (!Object.hasOwn(fields, key)) throw new GoError(`json: cannot unmarshal Go value of type ${type}: unknown name ${quote(key)}`)
      const decoded = fields[key as keyof T](value[key] as GoValue)
      if (decoded !== undefined) out[key] = decoded
    }
    return out as T
  }

const time: Decoder<string> = (value) => {
  const given = text(value)
  if (given !== undefined && parseTime(given) === undefined)
    throw new GoError(`json: cannot unmarshal JSON string into Go value of type v1.Time: parsing time ${quote(given)}`)
  return given
}

const texts = mapOf(text, 'map[string]string')

/** What every input has besides its own. */
export const typeFields: { readonly apiVersion: Decoder<string>; readonly kind: Decoder<string>; readonly metadata: Decoder<object> } = {
  apiVersion: text,
  kind: text,
  metadata: struct('v1.ObjectMeta', {
    name: text,
    generateName: text,
    namespace: text,
    selfLink: text,
    uid: text,
    resourceVersion: text,
    generation: integer,
    creationTimestamp: time,
    deletionTimestamp: time,
    deletionGracePeriodSeconds: integer,
    labels: texts,
    annotations: texts,
    ownerReferences: list(
      struct('v1.OwnerReference', { apiVersion: text, kind: text, name: text, uid: text, controller: flag, blockOwnerDeletion: flag }),
      '[]v1.OwnerReference',
    ),
    finalizers: list(text, '[]string'),
    managedFields: list(
      struct('v1.ManagedFieldsEntry', {
        manager: text,
        operation: text,
        apiVersion: text,
        time,
        fieldsType: text,
        fieldsV1: anything,
        subresource: text,
      }),
      '[]v1.ManagedFieldsEntry',
    ),
  }),
}

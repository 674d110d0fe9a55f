import { isTime } from '../../go/decode.ts'
import { type GoObject, type GoValue, isGoArray, isGoObject } from '../../go/value.ts'

/**
 * Some kinds are read into Go's types before they are judged; a field of another type makes the whole object unreadable, and so unhealthy.
 * Checked are the fields that are looked at, and what every object has: an API server stores none of another type.
 */
export class Unreadable extends Error {}

export type Maybe = GoValue | undefined

function member<T>(object: GoObject | undefined, key: string, is: (value: GoValue) => value is T & GoValue): T | undefined {
  const value = object !== undefined && Object.hasOwn(object, key) ? (object[key] as GoValue) : null
  if (value === null) return undefined
  if (!is(value)) throw new Unreadable(key)
  return value
}

export const objectAt = (object: GoObject | undefined, key: string): GoObject | undefined => member(object, key, isGoObject)

export const text = (object: GoObject | undefined, key: string): string =>
  member(object, key, (v): v is string => typeof v === 'string') ?? ''

export const boolean = (object: GoObject | undefined, key: string): boolean | undefined =>
  member(object, key, (v): v is boolean => typeof v === 'boolean')

export const int = (object: GoObject | undefined, key: string): number | undefined =>
  member(object, key, (v): v is number => Number.isInteger(v))

/** In milliseconds. */
export function time(object: GoObject | undefined, key: string): number | undefined {
  const given = member(object, key, (v): v is string => typeof v === 'string' && isTime(v))
  return given === undefined ? undefined : Date.parse(given)
}

/** The members of a list; null is one without anything in it. */
export const objectsAt = (object: GoObject | undefined, key: string): readonly (GoObject | undefined)[] =>
  (member(object, key, isGoArray) ?? []).map((item) => {
    if (item !== null && !isGoObject(item)) throw new Unreadable(key)
    return item ?? undefined
  })

export const conditionsAt = (status: GoObject | undefined): readonly { readonly type: string; readonly status: string }[] =>
  objectsAt(status, 'conditions').map((condition) => {
    time(condition, 'lastTransitionTime')
    return { type: text(condition, 'type'), status: text(condition, 'status') }
  })

const TEXTS = ['name', 'generateName', 'namespace', 'selfLink', 'uid', 'resourceVersion'] as const

/** A check of an object that is read into a Go type of its own. */
export const typed =
  (check: (object: GoObject) => boolean) =>
  (object: GoObject): boolean => {
    const metadata = objectAt(object, 'metadata')
    for (const key of TEXTS) text(metadata, key)
    for (const key of ['creationTimestamp', 'deletionTimestamp']) time(metadata, key)
    for (const key of ['labels', 'annotations']) {
      const texts = objectAt(metadata, key)
      for (const name of Object.keys(texts ?? {})) text(texts, name)
    }
    int(metadata, 'generation')
    for (const key of ['spec', 'status']) objectAt(object, key)
    return check(object)
  }

import { formatFieldPath, type Segment, WILDCARD } from '../fieldpath/path.ts'
import { AuthoringError } from './authoring-error.ts'

/** The two objects that a patch is between. */
export type Side = 'composite' | 'composed'

declare const READ: unique symbol
declare const WRITE: unique symbol
declare const SIDE: unique symbol

/**
 * A field of an object that does not exist yet: where it will be, not what it holds. `V` is what is read from it; what may be written to it is
 * kept apart, because the two vary in opposite directions.
 */
export interface Field<V, S extends Side> {
  readonly [READ]: V
  readonly [WRITE]: (value: V) => void
  readonly [SIDE]: S
}

/** A field that values of type `V` can be read from. */
export interface Readable<V, S extends Side> {
  readonly [READ]: V
  readonly [SIDE]: S
}

/** A field that takes values of type `V`. */
export interface Writable<V, S extends Side> {
  readonly [WRITE]: (value: V) => void
  readonly [SIDE]: S
}

/** A field and all below it: `fields.spec.forProvider.region`. Only what the type names; what an open object may hold besides is reached with `at`. */
export type Fields<T, S extends Side> = Field<T, S> & Members<T, S>

type Members<T, S extends Side> = T extends readonly (infer E)[]
  ? { readonly [index: number]: Fields<E, S> }
  : T extends object
    ? { readonly [K in Named<T>]-?: Fields<NonNullable<T[K]>, S> }
    : unknown

/** The keys that are spelled out; of a plain map, any. */
type Named<T> = [Spelled<T>] extends [never] ? keyof T : Spelled<T>
type Spelled<T> = keyof { [K in keyof T as string extends K ? never : K]: never }

/** One object that fields are recorded of. Two resources of a kind are two roots. */
export interface Root {
  readonly side: Side
  /** For messages. */
  readonly label: string
}

export interface Recorded {
  readonly root: Root
  readonly segments: readonly Segment[]
  readonly text: string
}

const recorded = new WeakMap<object, Recorded>()

/** All fields of one object. */
export const fieldsOf = <T, S extends Side>(root: Root & { readonly side: S }): Fields<T, S> => record(root, []) as Fields<T, S>

/** What a field stands for; undefined for any other value. */
export const recordedField = (value: unknown): Recorded | undefined =>
  typeof value === 'object' && value !== null ? recorded.get(value) : undefined

/** A field below an object whose type does not name it. Nothing is known of its value: give it a type with `.as`, or convert it. */
export function at<S extends Side>(parent: Readable<unknown, S> | undefined, ...names: readonly (string | number)[]): Field<unknown, S> {
  const { root, segments } = requireField(parent, 'at')
  return record(root, [...segments, ...names]) as Field<unknown, S>
}

/** Every element of a list, as the target of a patch: `each(server.spec.rules).port`. */
export function each<E, S extends Side>(list: Readable<readonly E[], S> | undefined): Fields<E, S> {
  const { root, segments } = requireField(list, 'each')
  return record(root, [...segments, WILDCARD]) as Fields<E, S>
}

export function requireField(value: unknown, by: string): Recorded {
  const field = recordedField(value)
  if (field === undefined) throw new AuthoringError(`${by} takes a field, such as composite.spec.region; it was given ${describe(value)}`)
  return field
}

const describe = (value: unknown): string => (value === undefined ? 'undefined' : (JSON.stringify(value) ?? typeof value))

function record(root: Root, segments: readonly Segment[]): object {
  const self: Recorded = { root, segments, text: formatFieldPath(segments) }
  const name = `${root.label}${self.text === '' ? '' : `.${self.text}`}`
  const proxy = new Proxy(Object.freeze({}), {
    get(_target, key) {
      // Printed into a text, compared or added up: at that time there is no value yet.
      if (key === Symbol.toPrimitive) throw new AuthoringError(`${name} is a field, not a value: print it with combine() or .format()`)
      if (typeof key === 'symbol') return undefined
      return record(root, [...segments, /^\d+$/.test(key) ? Number(key) : key])
    },
    set(_target, key) {
      throw new AuthoringError(`${name}.${String(key)} cannot be assigned: write from(...).to(...) in patches`)
    },
  })
  recorded.set(proxy, self)
  return proxy
}

import type { JsonObject, JsonValue } from '@weft/api'
import type { Conversion } from '../transforms/string-convert.ts'
import { AuthoringError } from './authoring-error.ts'
import { type Readable, type Recorded, requireField, type Root, type Side, type Writable } from './fields.ts'

declare const VALUE: unique symbol

/** A patch as it will stand in the document, and the objects it is between. */
export interface AuthoredPatch {
  readonly document: JsonObject
  readonly roots: readonly Root[]
}

type Opposite<S extends Side> = S extends 'composite' ? 'composed' : 'composite'

/** How a value of type `V` is looked up in a map: every value an enumeration allows needs an entry. */
type MapKey<V> = unknown extends V ? string : V extends string ? V : V extends number | boolean ? `${V}` : never

interface Converted {
  readonly string: string
  readonly int64: number
  readonly float64: number
  readonly bool: boolean
  readonly object: Readonly<Record<string, unknown>>
  readonly array: readonly unknown[]
}

export type MergeChoice = 'MergeObjects' | 'MergeObjectsAppendArrays' | 'ForceMergeObjects' | 'ForceMergeObjectsAppendArrays'

/**
 * A value on its way from a field to another: what is read, and the transforms so far (C6: in order). Immutable; each method answers a longer one.
 * A transform that does not take the value is an error of the compiler where types tell, and otherwise of the patch.
 */
export interface Flow<V, S extends Side> {
  readonly [VALUE]: V
  /** Looks the value up. A value that is not a key makes the patch fail. */
  map<const U extends JsonValue>(pairs: Readonly<Record<MapKey<V>, U>>): Flow<U, S>
  multiply(this: Carrying<number, S>, factor: number): Flow<number, S>
  clampMin(this: Carrying<number, S>, least: number): Flow<number, S>
  clampMax(this: Carrying<number, S>, most: number): Flow<number, S>
  /** Prints the value, as Go's fmt: `%s-server`, `%05d`. */
  format(fmt: string): Flow<string, S>
  convert<T extends keyof Converted>(type: T, format?: 'quantity' | 'json'): Flow<Converted[T], S>
  /** `ToUpper`, `ToBase64`, `ToSha256` and so on. */
  text(conversion: Conversion): Flow<string, S>
  trimPrefix(prefix: string): Flow<string, S>
  trimSuffix(suffix: string): Flow<string, S>
  /** What a group of a regular expression (RE2) matched; group 0 is all of it. */
  capture(pattern: string, group?: number): Flow<string, S>
  replace(search: string, by: string): Flow<string, S>
  join(this: Carrying<readonly unknown[], S>, separator: string): Flow<string, S>
  /** The result of the first pattern that fits: a text itself, or a regular expression (RE2). */
  match<const U extends JsonValue>(
    this: Carrying<string, S>,
    cases: readonly ({ readonly literal: string; readonly result: U } | { readonly regexp: string; readonly result: U })[],
    fallback: U,
  ): Flow<U, S>
  /** Tells the compiler what it cannot know. Changes nothing else. */
  as<U>(): Flow<U, S>
  /** Nothing to read is an error; otherwise the patch is skipped. */
  required(): Flow<V, S>
  /** Ends the patch: writes the value, or merges it into what is there. */
  to(target: Writable<V, Opposite<S>> | undefined, merge?: MergeChoice): AuthoredPatch
}

/** As much of a Flow as a method needs to know what it carries. */
interface Carrying<V, S extends Side> {
  readonly [VALUE]: V
  to(target: Writable<never, Opposite<S>> | undefined): AuthoredPatch
}

/** Reads one field. */
export function from<V, S extends Side>(source: Readable<V, S> | undefined): Flow<V, S> {
  const field = requireField(source, 'from')
  return flow({ fields: [field], input: { fromFieldPath: field.text }, combined: false, transforms: [], required: false })
}

/** Prints several fields of one object into one text. One that is missing makes the whole patch skip. */
export function combine<S extends Side>(fmt: string, ...sources: readonly (Readable<unknown, S> | undefined)[]): Flow<string, S> {
  const fields = sources.map((source) => requireField(source, 'combine'))
  if (fields.length === 0) throw new AuthoringError(`combine(${JSON.stringify(fmt)}) needs at least one field to print`)
  const variables = fields.map(({ text }) => ({ fromFieldPath: text }))
  return flow({
    fields,
    input: { combine: { strategy: 'string', variables, string: { fmt } } },
    combined: true,
    transforms: [],
    required: false,
  })
}

interface Steps {
  readonly fields: readonly Recorded[]
  readonly input: JsonObject
  readonly combined: boolean
  readonly transforms: readonly JsonObject[]
  readonly required: boolean
}

function flow<V, S extends Side>(steps: Steps): Flow<V, S> {
  const then = (type: string, config: JsonObject): Flow<never, S> =>
    flow({ ...steps, transforms: [...steps.transforms, { type, [type]: config }] })
  const methods = {
    map: (pairs: JsonObject) => then('map', pairs),
    multiply: (factor: number) => then('math', { multiply: factor }),
    clampMin: (least: number) => then('math', { type: 'ClampMin', clampMin: least }),
    clampMax: (most: number) => then('math', { type: 'ClampMax', clampMax: most }),
    format: (fmt: string) => then('string', { fmt }),
    convert: (toType: string, format?: string) => then('convert', { toType, ...(format !== undefined && { format }) }),
    text: (convert: Conversion) => then('string', { type: 'Convert', convert }),
    trimPrefix: (trim: string) => then('string', { type: 'TrimPrefix', trim }),
    trimSuffix: (trim: string) => then('string', { type: 'TrimSuffix', trim }),
    capture: (match: string, group = 0) => then('string', { type: 'Regexp', regexp: { match, group } }),
    replace: (search: string, replace: string) => then('string', { type: 'Replace', replace: { search, replace } }),
    join: (separator: string) => then('string', { type: 'Join', join: { separator } }),
    match: (cases: readonly JsonObject[], fallbackValue: JsonValue) =>
      then('match', {
        patterns: cases.map((one) => ({ type: 'regexp' in one ? 'regexp' : 'literal', ...one })),
        fallbackValue,
      }),
    as: () => flow(steps),
    required: () => flow({ ...steps, required: true }),
    to: (target: unknown, merge?: MergeChoice) => finish(steps, requireField(target, 'to'), merge),
  }
  return methods as unknown as Flow<V, S>
}

function finish({ fields, input, combined, transforms, required }: Steps, target: Recorded, merge?: MergeChoice): AuthoredPatch {
  const roots = [...new Set([...fields.map(({ root }) => root), target.root])]
  const [source] = fields
  const sides = new Set(fields.map(({ root }) => root.side))
  if (source === undefined || sides.size > 1) throw new AuthoringError('a patch reads fields of one object: the composite, or the resource')
  if (source.root.side === target.root.side)
    throw new AuthoringError(
      `a patch is between the composite and a resource, not from ${source.root.label} to ${target.root.label}: go through a field of the composite`,
    )
  const upward = target.root.side === 'composite'
  const type = combined ? (upward ? 'CombineToComposite' : 'CombineFromComposite') : upward ? 'ToCompositeFieldPath' : undefined
  const policy = { ...(required && { fromFieldPath: 'Required' }), ...(merge !== undefined && { toFieldPath: merge }) }
  const document = {
    ...(type !== undefined && { type }),
    ...input,
    toFieldPath: target.text,
    ...(transforms.length > 0 && { transforms }),
    ...(Object.keys(policy).length > 0 && { policy }),
  }
  return { document, roots }
}

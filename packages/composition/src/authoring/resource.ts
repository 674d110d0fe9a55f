import { isJsonObject, type JsonObject } from '@weft/api'
import { AuthoringError } from './authoring-error.ts'
import { type Fields, fieldsOf, type Readable, recordedField, requireField, type Root } from './fields.ts'
import type { AuthoredPatch } from './flow.ts'
import type { Kind, Resource } from './kind.ts'

/** What patches start from (F7: of its metadata only labels and annotations count). Required fields are required, even those a patch sets (F6). */
export type Base<R extends Resource> = Omit<R, keyof Resource | 'status'> & {
  readonly metadata?: { readonly labels?: Readonly<Record<string, string>>; readonly annotations?: Readonly<Record<string, string>> }
}

declare const KEY: unique symbol

/** Where the value of a connection detail comes from. `Key`: the key of the resource's own connection secret, if that is where. */
export interface DetailSource<Key extends string = never> {
  readonly [KEY]?: Key
  readonly document: JsonObject
  readonly root?: Root
}

export interface AuthoredReadinessCheck {
  readonly document: JsonObject
  readonly root?: Root
}

/** What connects a resource with its composite. */
export interface Wiring<Keys extends string, Details extends string> {
  readonly patches?: readonly AuthoredPatch[]
  /** By the name under which the composite publishes them. */
  readonly connectionDetails?: { readonly [name in Details]?: DetailSource<Keys> }
  /** All must hold; without any, what counts is the resource's own Ready condition. */
  readonly readinessChecks?: readonly AuthoredReadinessCheck[]
}

/** One entry of a Composition's `to`; `Details` are the names of the connection details it provides. */
export interface ComposedResource<Details extends string = string> {
  readonly document: JsonObject
  readonly details: readonly Details[]
  /** The composites whose fields it uses: must be the one it is composed for. */
  readonly roots: readonly Root[]
}

export function resource<R extends Resource, Keys extends string, Details extends string = never>(
  kind: Kind<R, Keys>,
  base: Base<R>,
  wire?: (resource: Fields<R, 'composed'>) => Wiring<NoInfer<Keys>, Details>,
): ComposedResource<Details> {
  const root = { side: 'composed', label: kind.kind } as const
  refuseFields(base, kind.kind)
  const { patches = [], connectionDetails = {}, readinessChecks = [] } = wire?.(fieldsOf<R, 'composed'>(root)) ?? {}
  const details = Object.entries(connectionDetails as Readonly<Record<string, DetailSource>>)
  const uses = [...patches.flatMap(({ roots }) => roots), ...[...details.map(([, source]) => source), ...readinessChecks].map(rootOf)]
  for (const used of uses)
    if (used?.side === 'composed' && used !== root)
      throw new AuthoringError(`${kind.kind} uses a field of another resource (${used.label}): resources see only the composite`)
  return {
    document: {
      base: { apiVersion: kind.apiVersion, kind: kind.kind, ...base } as unknown as JsonObject,
      ...(patches.length > 0 && { patches: patches.map(({ document }) => document) }),
      ...(details.length > 0 && { connectionDetails: details.map(([name, { document }]) => ({ name, ...document })) }),
      ...(readinessChecks.length > 0 && { readinessChecks: readinessChecks.map(({ document }) => document) }),
    } as unknown as JsonObject,
    details: details.map(([name]) => name as Details),
    roots: uses.filter((used): used is Root => used?.side === 'composite'),
  }
}

const rootOf = ({ root }: { readonly root?: Root }): Root | undefined => root

/** A field where a value belongs would be written as an empty object. */
function refuseFields(value: unknown, path: string): void {
  const field = recordedField(value)
  if (field !== undefined) throw new AuthoringError(`${path} is given the field ${field.text}: a base holds values, fields go in patches`)
  if (Array.isArray(value)) value.forEach((item, i) => refuseFields(item, `${path}[${i}]`))
  else if (isJsonObject(value)) for (const [key, member] of Object.entries(value)) refuseFields(member, `${path}.${key}`)
}

/** A key of the resource's own connection secret. */
export const secretKey = <const Key extends string>(key: Key): DetailSource<Key> => ({ document: { fromConnectionSecretKey: key } })

/** A field of the resource, as text. */
export function fieldValue(source: Readable<unknown, 'composed'> | undefined): DetailSource {
  const { root, text } = requireField(source, 'fieldValue')
  return { document: { type: 'FromFieldPath', fromFieldPath: text }, root }
}

/** Always the same text. Everybody who can read the Composition can read it: not for secrets. */
export const fixedValue = (value: string): DetailSource => ({ document: { type: 'FromValue', value } })

/** Ready when the field is there and says so. */
export function readyWhen(source: Readable<unknown, 'composed'> | undefined, equals?: string | number | boolean): AuthoredReadinessCheck {
  const { root, text: fieldPath } = requireField(source, 'readyWhen')
  if (equals === undefined) return { document: { type: 'NonEmpty', fieldPath }, root }
  if (typeof equals === 'boolean') return { document: { type: equals ? 'MatchTrue' : 'MatchFalse', fieldPath }, root }
  if (typeof equals === 'string') return { document: { type: 'MatchString', fieldPath, matchString: equals }, root }
  return { document: { type: 'MatchInteger', fieldPath, matchInteger: equals }, root }
}

/** Ready when a condition has a status. */
export const readyOn = (type: string, status: 'True' | 'False' | 'Unknown' = 'True'): AuthoredReadinessCheck => ({
  document: { type: 'MatchCondition', matchCondition: { type, status } },
})

/** Ready as soon as it exists. */
export const alwaysReady: AuthoredReadinessCheck = { document: { type: 'None' } }

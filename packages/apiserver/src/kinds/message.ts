import type { JsonValue } from '@weft/api'

/**
 * The language in which built-in kinds are described. One description of a message serves four readers: the schema
 * that validates and merges (`schema.ts`), the OpenAPI component, the protobuf codec (`../protobuf`) and the typed
 * reading of JSON (`typed-json.ts`). Field numbers, names and list types are Kubernetes' own and must stay exact.
 *
 * Fields are given as a function, so that importing the table costs one closure per message and nothing is built
 * before the first request that needs it; it also lets messages refer to themselves.
 */
export type Scalar = 'string' | 'bool' | 'int32' | 'int64' | 'double' | 'bytes'
/** Messages on the wire that are a single value in JSON. `extraValue` is a wrapped list of strings. */
export type Wrapped = 'time' | 'microTime' | 'quantity' | 'intOrString' | 'rawExtension' | 'json' | 'fieldsV1' | 'extraValue'
export type Element = Scalar | Wrapped | Message | SchemaOr

export interface ListOf {
  readonly list: Element
  readonly listType?: 'atomic' | 'set' | 'map'
  readonly mapKeys?: readonly string[]
}
/** Keys are always strings in Kubernetes. */
export interface MapOf {
  readonly map: Element
}
/** The three either-or types of JSONSchemaProps: a schema, or a list of schemas / a boolean / a list of names. */
export interface SchemaOr {
  readonly schemaOr: 'list' | 'bool' | 'names'
  readonly schema: Message
}
export type FieldType = Element | ListOf | MapOf

/**
 * When JSON carries a field:
 * - `value`: scalars, lists and maps when not empty; messages always (Go's omitempty does not drop structs).
 * - `always`: also when zero (Go without omitempty). Lists and maps are still dropped when empty: Go writes null there,
 *   which means the same to every reader, and null is no list.
 * - `pointer`: whenever set, zero included.
 */
export type Presence = 'value' | 'always' | 'pointer'

export interface Field {
  readonly name: string
  readonly number: number
  readonly type: FieldType
  readonly presence: Presence
  readonly required: boolean
  readonly description: string
  /** A message of its own on the wire whose fields stand beside ours in JSON. */
  readonly inline: boolean
  readonly default?: JsonValue
  readonly mapType?: 'atomic' | 'granular'
  readonly patchStrategy?: string
  readonly patchMergeKey?: string
}

export interface FieldOptions {
  readonly required?: boolean
  readonly default?: JsonValue
  readonly mapType?: 'atomic' | 'granular'
  readonly patchStrategy?: string
  readonly patchMergeKey?: string
}

/** A field before it knows its name. */
export type FieldSpec = Omit<Field, 'name'>

export interface MessageOptions {
  /** Merged and owned as a whole. */
  readonly mapType?: 'atomic'
  /** Carries apiVersion and kind in JSON (Go's TypeMeta); on the wire they travel in the envelope. */
  readonly typed?: boolean
}

export class Message {
  /** OpenAPI component name: `io.k8s.api.core.v1.ConfigMap`. */
  readonly name: string
  readonly description: string
  readonly mapType: 'atomic' | undefined
  readonly typed: boolean
  readonly #specs: () => Readonly<Record<string, FieldSpec>>
  #fields: readonly Field[] | undefined
  #descending: readonly Field[] | undefined
  #byNumber: ReadonlyMap<number, Field> | undefined
  #byName: ReadonlyMap<string, Field> | undefined

  constructor(name: string, description: string, specs: () => Readonly<Record<string, FieldSpec>>, options: MessageOptions = {}) {
    this.name = name
    this.description = description
    this.mapType = options.mapType
    this.typed = options.typed ?? false
    this.#specs = specs
  }

  /** As declared, inlined messages as one field. */
  get fields(): readonly Field[] {
    this.#fields ??= Object.entries(this.#specs()).map(([name, spec]) => ({ ...spec, name }))
    return this.#fields
  }

  /** By number, the greatest first: the order in which they are written, from the end. */
  get descending(): readonly Field[] {
    this.#descending ??= [...this.fields].sort((a, b) => b.number - a.number)
    return this.#descending
  }

  get byNumber(): ReadonlyMap<number, Field> {
    this.#byNumber ??= new Map(this.fields.map((field) => [field.number, field]))
    return this.#byNumber
  }

  /** As JSON shows them: the fields of inlined messages in place of the message. Safe for any key a user sends. */
  get byName(): ReadonlyMap<string, Field> {
    this.#byName ??= new Map(this.fields.flatMap((field) => (field.inline ? [...inlined(field).byName] : [[field.name, field] as const])))
    return this.#byName
  }
}

export function inlined(field: Field): Message {
  if (field.type instanceof Message) return field.type
  throw new TypeError(`field ${field.name} is marked inline and is no message`)
}

export const message = (
  name: string,
  description: string,
  specs: () => Readonly<Record<string, FieldSpec>>,
  options?: MessageOptions,
): Message => new Message(name, description, specs, options)

/** A message with apiVersion and kind. */
export const root = (name: string, description: string, specs: () => Readonly<Record<string, FieldSpec>>): Message =>
  new Message(name, description, specs, { typed: true })

const spec =
  (presence: Presence, required: boolean) =>
  (number: number, type: FieldType, description = '', options: FieldOptions = {}): FieldSpec => ({
    number,
    type,
    presence,
    required,
    description,
    inline: false,
    ...options,
  })

type Declare = (number: number, type: FieldType, description?: string, options?: FieldOptions) => FieldSpec
/** Optional; absent and zero are the same. */
export const opt: Declare = spec('value', false)
/** Optional; absent and zero differ. */
export const ptr: Declare = spec('pointer', false)
/** Required; JSON shows it even when zero. */
export const req: Declare = spec('always', true)
export const inline = (number: number, type: Message): FieldSpec => ({ ...spec('value', false)(number, type), inline: true })

/** `list(T)` is atomic unless told otherwise by `'set'` or by the keys that identify an item. `undeclared`: no list type published. */
export function list(of: Element, how: 'atomic' | 'set' | 'undeclared' | readonly string[] = 'atomic'): ListOf {
  if (how === 'undeclared') return { list: of }
  return typeof how === 'string' ? { list: of, listType: how } : { list: of, listType: 'map', mapKeys: how }
}
export const map = (of: Element): MapOf => ({ map: of })
export const schemaOr = (other: SchemaOr['schemaOr'], schema: Message): SchemaOr => ({ schemaOr: other, schema })

export const isList = (type: FieldType): type is ListOf => typeof type === 'object' && 'list' in type
export const isMap = (type: FieldType): type is MapOf => typeof type === 'object' && 'map' in type
export const isSchemaOr = (type: FieldType): type is SchemaOr => typeof type === 'object' && 'schemaOr' in type

/** Every message that `roots` publish, themselves included, by component name. A message that is only ever inlined has no component. */
export function reachable(roots: Iterable<Message>): Map<string, Message> {
  const found = new Map<string, Message>()
  const pending = [...roots]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (found.has(next.name)) continue
    found.set(next.name, next)
    for (const field of next.byName.values()) {
      const element = isList(field.type) ? field.type.list : isMap(field.type) ? field.type.map : field.type
      if (element instanceof Message) pending.push(element)
      else if (isSchemaOr(element)) pending.push(element.schema)
    }
  }
  return found
}

/**
 * Static types. An object type carries its fields, so no registry is needed to look them up; `param` is a type
 * variable of an overload or of an empty literal.
 */
export type CelType = SimpleType | ListType | MapType | TypeType | OpaqueType | ObjectType | ParamType

export type SimpleKind = 'dyn' | 'error' | 'null' | 'bool' | 'int' | 'uint' | 'double' | 'string' | 'bytes' | 'duration' | 'timestamp'

export interface SimpleType {
  readonly kind: SimpleKind
}
export interface ListType {
  readonly kind: 'list'
  readonly elem: CelType
}
export interface MapType {
  readonly kind: 'map'
  readonly key: CelType
  readonly value: CelType
}
/** The type of a type: `type(int)`. */
export interface TypeType {
  readonly kind: 'type'
  readonly of: CelType | undefined
}
export interface OpaqueType {
  readonly kind: 'opaque'
  readonly name: string
  readonly params: readonly CelType[]
}
export interface ObjectType {
  readonly kind: 'object'
  readonly name: string
  readonly fields: ReadonlyMap<string, CelType>
  /** The type of every field that is not declared; absent: there are no others. */
  readonly others?: CelType
}
export interface ParamType {
  readonly kind: 'param'
  readonly name: string
}

const simple = (kind: SimpleKind): SimpleType => ({ kind })

export const DYN: SimpleType = simple('dyn')
export const ERROR: SimpleType = simple('error')
export const NULL: SimpleType = simple('null')
export const BOOL: SimpleType = simple('bool')
export const INT: SimpleType = simple('int')
export const UINT: SimpleType = simple('uint')
export const DOUBLE: SimpleType = simple('double')
export const STRING: SimpleType = simple('string')
export const BYTES: SimpleType = simple('bytes')
export const DURATION: SimpleType = simple('duration')
export const TIMESTAMP: SimpleType = simple('timestamp')

export const listType = (elem: CelType): ListType => ({ kind: 'list', elem })
export const mapType = (key: CelType, value: CelType): MapType => ({ kind: 'map', key, value })
export const typeType = (of?: CelType): TypeType => ({ kind: 'type', of })
export const opaqueType = (name: string, ...params: CelType[]): OpaqueType => ({ kind: 'opaque', name, params })
export const optionalType = (of: CelType): OpaqueType => opaqueType('optional_type', of)
export const paramType = (name: string): ParamType => ({ kind: 'param', name })
export const objectType = (name: string, fields: Iterable<readonly [string, CelType]>): ObjectType => ({
  kind: 'object',
  name,
  fields: new Map(fields),
})

/** The element type of an optional; undefined for any other type. */
export function optionalElement(type: CelType): CelType | undefined {
  return type.kind === 'opaque' && type.name === 'optional_type' ? (type.params[0] ?? DYN) : undefined
}

/** A type as cel-go writes it in messages. */
export function formatType(type: CelType): string {
  switch (type.kind) {
    case 'list':
      return `list(${formatType(type.elem)})`
    case 'map':
      return `map(${formatType(type.key)}, ${formatType(type.value)})`
    case 'type':
      return type.of === undefined ? 'type' : `type(${formatType(type.of)})`
    case 'opaque':
      return type.params.length === 0 ? type.name : `${type.name}(${type.params.map(formatType).join(', ')})`
    case 'object':
    case 'param':
      return type.name
    case 'error':
      return '!error!'
    default:
      return type.kind
  }
}

/** Are two types the same? Objects are the same by name. */
export function sameType(a: CelType, b: CelType): boolean {
  if (a === b) return true
  if (a.kind !== b.kind) return false
  switch (a.kind) {
    case 'list':
      return sameType(a.elem, (b as ListType).elem)
    case 'map':
      return sameType(a.key, (b as MapType).key) && sameType(a.value, (b as MapType).value)
    case 'type': {
      const other = (b as TypeType).of
      return a.of === other || (a.of !== undefined && other !== undefined && sameType(a.of, other))
    }
    case 'opaque': {
      const other = b as OpaqueType
      return (
        a.name === other.name && a.params.length === other.params.length && a.params.every((p, i) => sameType(p, other.params[i] ?? DYN))
      )
    }
    case 'object':
    case 'param':
      return a.name === (b as ObjectType | ParamType).name
    default:
      return true
  }
}

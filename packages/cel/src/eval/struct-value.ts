import type { ObjectType } from '../types/type.ts'
import { equals } from './equality.ts'
import { OpaqueValue, type Value } from './value.ts'
import { compareElements } from './work.ts'

/** A value written `Name{field: value}`. */
export class StructValue extends OpaqueValue {
  readonly type: ObjectType
  readonly fields: ReadonlyMap<string, Value>

  constructor(type: ObjectType, fields: ReadonlyMap<string, Value>) {
    super()
    this.type = type
    this.fields = fields
  }

  equals(other: OpaqueValue): boolean {
    if (!(other instanceof StructValue) || other.type.name !== this.type.name || other.fields.size !== this.fields.size) return false
    compareElements(this.fields.size)
    for (const [name, value] of this.fields) {
      const theirs = other.fields.get(name)
      if (theirs === undefined || !equals(value, theirs)) return false
    }
    return true
  }
}

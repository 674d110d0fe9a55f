import { isJsonObject } from '@weft/api'
import { Fault } from '../eval/fault.ts'
import { bindDynamic } from '../eval/json.ts'
import { SchemaObject, type ObjectFields } from '../eval/schema-map.ts'
import { parseTimestamp } from '../eval/time.ts'
import { Timestamp, type Value } from '../eval/value.ts'
import { TIMESTAMP, objectType, type CelType } from '../types/type.ts'

/** An object type of the server's own, with fields under their plain names, and how to read JSON as it. */
export interface TypedObject {
  readonly type: CelType
  bind(json: unknown): Value
}

export function typedObject(name: string, fields: Readonly<Record<string, CelType | TypedObject>>): TypedObject {
  const byIdentifier = new Map<string, { readonly key: string; readonly bind: (json: unknown) => Value }>()
  const byKey: Map<string, { readonly identifier: string; readonly bind: (json: unknown) => Value }> = new Map()
  const types: [string, CelType][] = []
  for (const [key, field] of Object.entries(fields)) {
    const nested = 'bind' in field
    const bind = nested ? field.bind : field === TIMESTAMP ? bindTimestamp : bindDynamic
    types.push([key, nested ? field.type : field])
    byIdentifier.set(key, { key, bind })
    byKey.set(key, { identifier: key, bind })
  }
  const known: ObjectFields = { byIdentifier, byKey }
  return {
    type: objectType(name, types),
    bind: (json) => (isJsonObject(json) ? new SchemaObject(json, known) : bindDynamic(json)),
  }
}

function bindTimestamp(json: unknown): Value {
  const nanos = typeof json === 'string' ? parseTimestamp(json) : undefined
  if (nanos === undefined) throw new Fault(`Invalid date-time formatted string ${String(json)}`)
  return new Timestamp(nanos)
}

import { CelRuntimeError } from '../eval/fault.ts'
import { StructValue } from '../eval/struct-value.ts'
import { toJson } from '../eval/to-json.ts'
import { ListValue, MapValue, type Value } from '../eval/value.ts'
import type { JsonObject } from '@weft/api'

/** The configuration that an expression of type `Object` made. Throws CelRuntimeError. */
export function configurationOf(value: Value, limit: number): JsonObject {
  // First, because it has a limit: the names are looked at in every place where a shared part stands.
  const configuration = toJson(value, limit) as JsonObject
  checkTypeNames(value)
  return configuration
}

/** The operations that an expression of type `list(JSONPatch)` made. Throws CelRuntimeError. */
export function operationsOf(value: Value, limit: number): readonly JsonObject[] {
  const operations = toJson(value, limit) as readonly JsonObject[]
  if (value instanceof ListValue) for (const operation of value) checkTypeNames((operation as StructValue).fields.get('value') ?? null)
  // Kubernetes writes both whether or not they were given, and `from` only with something in it.
  return operations.map(({ op = '', path = '', from = '', ...rest }) => ({ op, path, ...(from !== '' && { from }), ...rest }))
}

/** `Object.spec{…}` belongs into `spec`: the name of a type is the path to the field that it is given to. */
function checkTypeNames(value: Value): void {
  if (!(value instanceof StructValue)) return
  const wrong: string[] = []
  mistyped(value, value.type.name, wrong)
  if (wrong.length > 0) throw new CelRuntimeError(`type mismatch: ${wrong.join('\n')}`, 0)
}

const MAX_MISMATCHES = 100

function mistyped(value: Value, path: string, wrong: string[]): void {
  if (wrong.length > MAX_MISMATCHES) return
  if (value instanceof StructValue) {
    const { name } = value.type
    if (name !== path) wrong.push(`unexpected type name "${name}", expected "${path}", which matches field name path from root Object type`)
    for (const [field, member] of value.fields) mistyped(member, `${path}.${field}`, wrong)
  } else if (value instanceof ListValue) for (const item of value) mistyped(item, path, wrong)
  else if (value instanceof MapValue) for (const key of value.keys()) mistyped(value.find(key) ?? null, path, wrong)
}

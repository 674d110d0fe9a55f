import { Fault } from './fault.ts'
import { showKey } from './operators.ts'
import { Double, mapKey, type MapKey, type Value } from './value.ts'

/** Adds an entry to a map being built; an absent value is left out, a repeated key refused. */
export function insert(map: Map<MapKey, readonly [Value, Value]>, key: Value, value: Value | undefined): void {
  const stored = key instanceof Double ? undefined : mapKey(key)
  if (stored === undefined) throw new Fault('unsupported key type')
  if (value === undefined) return
  if (map.has(stored)) throw new Fault(`insert failed: key '${showKey(key)}' already exists`)
  map.set(stored, [key, value])
}

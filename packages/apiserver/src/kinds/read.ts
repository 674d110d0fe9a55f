import { type JsonObject, getOwn, isJsonObject } from '@weft/api'

/**
 * Reading of objects whose shape the typed reader (`typed-json.ts`) has checked, but which the compiler only knows as
 * JSON. What is missing or of another type reads as empty, so a strategy never throws on odd input.
 */
export function at(value: unknown, ...path: readonly string[]): unknown {
  let current = value
  for (const key of path) {
    if (!isJsonObject(current)) return undefined
    current = getOwn(current, key)
  }
  return current
}

export function textAt(value: unknown, ...path: readonly string[]): string {
  const found = at(value, ...path)
  return typeof found === 'string' ? found : ''
}

export function numberAt(value: unknown, ...path: readonly string[]): number | undefined {
  const found = at(value, ...path)
  return typeof found === 'number' ? found : typeof found === 'bigint' ? Number(found) : undefined
}

export function listAt(value: unknown, ...path: readonly string[]): readonly unknown[] {
  const found = at(value, ...path)
  return Array.isArray(found) ? (found as readonly unknown[]) : []
}

export const textsAt = (value: unknown, ...path: readonly string[]): readonly string[] =>
  listAt(value, ...path).filter((item): item is string => typeof item === 'string')

export function recordAt(value: unknown, ...path: readonly string[]): JsonObject {
  const found = at(value, ...path)
  return isJsonObject(found) ? found : {}
}

/** Go cannot tell an absent value from null. */
export const isSet = (value: unknown): boolean => value !== undefined && value !== null

import { isJsonObject, stringifyJson, type KubeObject, withMeta } from '@weft/api'
import { sortKeys } from '../jsonpath/index.ts'

/** Bookkeeping of who owns which field is left out unless asked for: it is longer than the object. */
export const withoutManagedFields = <T extends KubeObject>(object: T): T =>
  object.metadata?.managedFields === undefined ? object : withMeta(object, { managedFields: undefined })

/** Indented by four spaces with sorted keys, as kubectl prints it. */
export const formatJson = (value: unknown): string => escaped(`${indented(sortKeys(value), '')}\n`)

function indented(value: unknown, indent: string): string {
  const inner = `${indent}    `
  if (Array.isArray(value)) {
    if (value.length === 0) return '[]'
    return `[\n${value.map((item) => inner + indented(item, inner)).join(',\n')}\n${indent}]`
  }
  // Not JSON.stringify: it knows no integers beyond 2^53.
  if (!isJsonObject(value)) return stringifyJson(value ?? null)
  const entries = Object.entries(value).filter(([, member]) => member !== undefined)
  if (entries.length === 0) return '{}'
  return `{\n${entries.map(([key, member]) => `${inner}${JSON.stringify(key)}: ${indented(member, inner)}`).join(',\n')}\n${indent}}`
}

/**
 * JSON need not escape these, but some terminals obey them. Both languages write them only within double quotes, where the escape means
 * the same.
 */
export const escaped = (text: string): string =>
  text.replace(/[\u007F-\u009F]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)

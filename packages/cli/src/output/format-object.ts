import { randomUUID } from 'node:crypto'
import { isJsonObject, stringifyJson, type KubeObject, withMeta } from '@weft/api'
import { stringify } from 'yaml'
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

/** Sorted keys, and text quoted that Kubernetes' reader (YAML 1.1) would take for something else. */
export function formatYaml(value: unknown): string {
  const text = stringify(withMergeKeysMarked(sortKeys(value)), {
    version: '1.1',
    indentSeq: false,
    lineWidth: 0,
    aliasDuplicateObjects: false,
    directives: false,
    blockQuote: 'literal',
  })
  return escaped(text.replaceAll(MERGE_MARK, '"<<"'))
}

/** Stands for the key `<<`, which the writer leaves bare: it would be read as a merge, and the object come back as another. */
const MERGE_MARK = `merge-${randomUUID()}`

function withMergeKeysMarked(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withMergeKeysMarked)
  if (!isJsonObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key === '<<' ? MERGE_MARK : key, withMergeKeysMarked(member)]))
}

/**
 * JSON need not escape these, but some terminals obey them. Both languages write them only within double quotes, where the escape means
 * the same.
 */
const escaped = (text: string): string =>
  text.replace(/[\u007F-\u009F]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)

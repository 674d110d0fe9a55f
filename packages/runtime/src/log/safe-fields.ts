import { isJsonObject, type KubeObject, setOwn, StatusError } from '@weft/api'
import type { LogFields, LogValue } from './log.ts'

const CREDENTIAL = /pass(word|phrase)?$|secret$|token|credential|authorization|private.?key|api.?key|connection.?details/i
const MASK = '•••'
const MAX_TEXT = 4096
const MAX_ITEMS = 32

/** What may be written down of the fields: nothing that is an object with contents, nothing that sounds like a credential. */
export function safeFields(fields: LogFields): Readonly<Record<string, LogValue>> {
  const safe: Record<string, LogValue> = {}
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined) setOwn(safe, name, CREDENTIAL.test(name) && value !== null ? MASK : safeValue(value))
  }
  return safe
}

function safeValue(value: unknown): LogValue {
  switch (typeof value) {
    case 'string':
      return value.length > MAX_TEXT ? `${value.slice(0, MAX_TEXT)}…` : value
    case 'number':
    case 'boolean':
      return value
    case 'bigint':
      return value.toString()
    case 'object':
      break
    default:
      return typeof value
  }
  if (value === null) return null
  if (value instanceof Error) return describeError(value)
  if (Array.isArray(value)) return value.slice(0, MAX_ITEMS).map(safeValue)
  if (isJsonObject(value) && isJsonObject(value['metadata'])) return referenceOf(value as unknown as KubeObject)
  return isJsonObject(value) && typeof value['name'] === 'string' ? nameOf(value['namespace'], value['name']) : '{…}'
}

/** `Kind namespace/name`: enough to find the object, nothing of what it holds. */
function referenceOf({ kind, metadata }: KubeObject): string {
  return `${typeof kind === 'string' ? kind : 'object'} ${nameOf(metadata.namespace, metadata.name ?? metadata.generateName ?? '')}`
}

const nameOf = (namespace: unknown, name: string): string =>
  typeof namespace === 'string' && namespace !== '' ? `${namespace}/${name}` : name

/** Messages of the whole chain of causes, outermost first. */
export function describeError(error: unknown): string {
  const parts: string[] = []
  // Whoever wraps an error often says what it said.
  const add = (message: string, text = message): void => {
    if (!parts.some((part) => part.includes(message))) parts.push(text)
  }
  for (let at: unknown = error, depth = 0; at !== undefined && depth < 5; at = (at as { cause?: unknown }).cause, depth++) {
    if (!(at instanceof Error)) {
      add(typeof at === 'string' ? at : typeof at)
      break
    }
    add(at.message, at instanceof StatusError && at.reason !== '' ? `${at.message} (${at.reason})` : at.message)
  }
  return parts.join(': ').slice(0, MAX_TEXT)
}

import { expandsTooMuch, isJsonObject, JsonSyntaxError, type JsonValue, messageOf, parseJson, setOwn } from '@weft/api'
import { LineCounter, parseDocument } from 'yaml'
import { PackageError } from '../package-error.ts'

/** One document of a YAML stream. */
export interface YamlDocument {
  /** For messages: `package.yaml: document 3 (line 120)`. */
  readonly place: string
  /** Undefined for a document that holds nothing but comments. */
  readonly value: JsonValue | undefined
}

/**
 * Reads a stream document by document, so that a caller with a large one can let others run in between. YAML as Kubernetes reads it:
 * version 1.1, where `yes` and `on` are booleans, but what looks like a date is text. Documents that are JSON, as `weft package build`
 * writes them, take the engine's parser.
 */
export function* yamlDocuments(text: string, file: string): Generator<YamlDocument> {
  let number = 0
  for (const { body, line } of split(text)) {
    if (body.trim() === '') continue
    number++
    const place = `${file}: document ${number} (line ${line})`
    yield { place, value: parseOne(body, { file, number, line }) }
  }
}

/** `---` at the start of a line is a marker wherever it stands; YAML allows it in no scalar. */
function* split(text: string): Generator<{ body: string; line: number }> {
  const marker = /^---(?=\s|$).*$/gm
  let start = 0
  let line = 1
  for (const match of text.matchAll(marker)) {
    const body = text.slice(start, match.index)
    if (start > 0 || !body.split('\n').every((row) => row === '' || /^[%#]/.test(row))) yield { body, line }
    line += newLines(body)
    // What follows the marker on its line belongs to the document: a comment, a tag, a value.
    start = match.index + 3
  }
  yield { body: text.slice(start), line }
}

function newLines(text: string): number {
  let count = 0
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count++
  return count
}

interface Place {
  readonly file: string
  readonly number: number
  readonly line: number
}

function parseOne(body: string, { file, number, line }: Place): JsonValue | undefined {
  const refuse = (at: number, why: string): never => {
    throw new PackageError('Malformed', `${file}: document ${number}, line ${line + at - 1}: ${why}`)
  }
  if (/^\s*\{/.test(body)) {
    const json = asJson(body)
    if (json !== undefined) return json
  }
  const lines = new LineCounter()
  try {
    const document = parseDocument(body, {
      version: '1.1',
      schema: 'yaml-1.1',
      customTags: (tags) => tags.filter((tag) => typeof tag === 'string' || !isDateOrTime(tag)),
      intAsBigInt: true,
      lineCounter: lines,
      prettyErrors: false,
      logLevel: 'silent',
    })
    const [error] = document.errors
    if (error !== undefined) return refuse(lines.linePos(error.pos[0]).line, error.message)
    if (document.contents === null) return undefined
    const value: unknown = document.toJS({ maxAliasCount: 100 })
    return expandsTooMuch(value, body) ? refuse(1, 'its aliases make it too large') : plain(value, 0)
  } catch (error) {
    if (error instanceof PackageError) throw error
    return refuse(1, messageOf(error))
  }
}

/** Neither dates nor `12:30` (which YAML 1.1 takes for a number to the base of sixty) mean anything but text to Kubernetes. */
const isDateOrTime = ({ tag, format }: { readonly tag: string; readonly format?: string }): boolean =>
  tag === 'tag:yaml.org,2002:timestamp' || format === 'TIME'

function asJson(text: string): JsonValue | undefined {
  try {
    return parseJson(text).value
  } catch (error) {
    if (error instanceof JsonSyntaxError) return undefined
    throw error
  }
}

const MAX_DEPTH = 512

/** Only what JSON can say, with integers as everywhere else: numbers where they fit, otherwise bigint. */
function plain(value: unknown, depth: number): JsonValue {
  if (depth > MAX_DEPTH) throw new Error(`nested more than ${MAX_DEPTH} deep`)
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value
  if (typeof value === 'number' && !Number.isFinite(value)) throw new Error('numbers must be finite')
  if (Array.isArray(value)) return value.map((item) => plain(item, depth + 1))
  if (isJsonObject(value)) {
    if (value instanceof Uint8Array || value instanceof Set || value instanceof Map)
      throw new Error('binary values, sets and ordered maps are not supported')
    const copy: Record<string, JsonValue> = {}
    for (const [key, item] of Object.entries(value)) setOwn(copy, key, plain(item, depth + 1))
    return copy
  }
  return value === undefined ? null : (value as JsonValue)
}

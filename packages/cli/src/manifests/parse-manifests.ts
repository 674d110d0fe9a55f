import { expandsTooMuch, isJsonObject, type JsonObject, type KubeObject, messageOf, parseJson } from '@weft/api'
import { type Document, isMap, isNode, isScalar, isSeq, parseAllDocuments, type ParsedNode } from 'yaml'
import { kubernetesTags } from './kubernetes-tags.ts'

/** An object as it stands in a file. */
export interface Manifest {
  readonly object: KubeObject
  readonly source: Source
  /** Where a field of the object stands; where it would, when it is not there. */
  locate(path: readonly (string | number)[]): Position
}

/** Where something was read; `file` is `-` for standard input. */
export interface Source {
  readonly file: string
  readonly line: number
}

/** Both count from 1. */
export interface Position {
  readonly line: number
  readonly column: number
}

/** Something that cannot be read, and where. */
export interface ManifestProblem extends Source {
  readonly column?: number
  readonly message: string
}

export interface ParsedManifests {
  readonly manifests: readonly Manifest[]
  readonly problems: readonly ManifestProblem[]
}

/**
 * Objects of one file: YAML as Kubernetes reads it (version 1.1, without dates), or JSON; several documents; lists are
 * taken apart. What is wrong is collected, not thrown, so that one run tells everything.
 */
export function parseManifests(text: string, file: string): ParsedManifests {
  const manifests: Manifest[] = []
  const problems: ManifestProblem[] = []
  for (const { value, line, problem, locate } of documentsOf(text)) {
    const source = { file, line }
    if (problem !== undefined) problems.push({ ...source, ...problem })
    else if (value !== null && value !== undefined) {
      const found = objectsOf(value)
      if (typeof found === 'string') problems.push({ ...source, message: found })
      else
        manifests.push(
          ...found.map(({ object, at }) => ({ object, source, locate: (path: readonly (string | number)[]) => locate([...at, ...path]) })),
        )
    }
  }
  return { manifests, problems }
}

/** What the first document says, whatever it is, read as objects are: with all digits of integers. Throws what is wrong with it. */
export function parseValue(text: string): unknown {
  const [first] = documentsOf(text)
  if (first?.problem !== undefined) throw new Error(first.problem.message)
  return first?.value
}

interface ParsedDocument {
  readonly value?: unknown
  readonly line: number
  readonly problem?: { readonly line: number; readonly column?: number; readonly message: string }
  readonly locate: Manifest['locate']
}

function documentsOf(text: string): readonly ParsedDocument[] {
  const json = /^\s*[{[]/.test(text) ? parseWholeJson(text) : undefined
  if (json !== undefined)
    return [{ value: json, line: 1, locate: (path) => yamlDocuments(text)[0]?.locate(path) ?? { line: 1, column: 1 } }]
  return yamlDocuments(text)
}

function yamlDocuments(text: string): readonly ParsedDocument[] {
  const documents = parseAllDocuments(text, {
    version: '1.1',
    intAsBigInt: true,
    prettyErrors: false,
    // What is wrong is told with its place; the library would print warnings of its own.
    logLevel: 'error',
    customTags: kubernetesTags,
  })
  if (!Array.isArray(documents)) return []
  const positionOf = positionIndex(text)
  return (documents as Document.Parsed<ParsedNode>[]).map((document) => readDocument(document, text, positionOf))
}

function readDocument(document: Document.Parsed<ParsedNode>, text: string, positionOf: (offset: number) => Position): ParsedDocument {
  const { line } = positionOf(document.contents?.range[0] ?? document.range[0])
  const locate: Manifest['locate'] = (path) => positionOf(offsetOf(document, path))
  const [error] = document.errors
  if (error !== undefined)
    return { line, locate, problem: { ...positionOf(error.pos[0]), message: `not valid YAML: ${firstLine(error.message)}` } }
  try {
    const value: unknown = document.toJS({ maxAliasCount: MAX_ALIASES })
    if (expandsTooMuch(value, text)) throw new Error('its aliases make it too large: write out what you need')
    return { line, locate, value: settled(value) }
  } catch (error_) {
    return { line, locate, problem: { line, message: `not valid YAML: ${firstLine(messageOf(error_))}` } }
  }
}

/** Of the key of a field, or of an item of a list; of the nearest thing around it that is there. */
function offsetOf(document: Document.Parsed<ParsedNode>, path: readonly (string | number)[]): number {
  const start = document.contents?.range[0] ?? document.range[0]
  if (path.length === 0) return start
  const parent: unknown = path.length === 1 ? document.contents : document.getIn(path.slice(0, -1), true)
  const last = path.at(-1)
  const key: unknown = isMap(parent)
    ? parent.items.find((pair) => isScalar(pair.key) && String(pair.key.value) === String(last))?.key
    : undefined
  const node: unknown = key ?? (isSeq(parent) ? parent.items[Number(last)] : undefined)
  return isNode(node) && node.range ? node.range[0] : offsetOf(document, path.slice(0, -1))
}

const MAX_ALIASES = 1000

function parseWholeJson(text: string): unknown {
  try {
    const { value, duplicates } = parseJson(text)
    // The YAML reader says where the second one is.
    return duplicates.length > 0 ? undefined : value
  } catch {
    return undefined
  }
}

/** Integers are read exactly; those that a number can hold become one. Keys are strings in JSON. */
function settled(value: unknown): unknown {
  if (typeof value === 'bigint')
    return value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : value
  if (typeof value === 'number' && !Number.isFinite(value)) throw new Error(`${value} is not a number in JSON`)
  if (Array.isArray(value)) return value.map(settled)
  if (typeof value !== 'object' || value === null) return value
  const entries = value instanceof Map ? [...(value as Map<unknown, unknown>)] : Object.entries(value)
  return Object.fromEntries(entries.map(([key, member]) => [String(key), settled(member)]))
}

/** An object of a document, and where in it. */
interface Found {
  readonly object: KubeObject
  readonly at: readonly (string | number)[]
}

function objectsOf(value: unknown): readonly Found[] | string {
  if (!isJsonObject(value)) return 'not an object: a document is a mapping with apiVersion, kind and metadata'
  const { apiVersion, kind } = value
  if (typeof apiVersion !== 'string' || apiVersion === '') return 'apiVersion is missing: say which one the object is of'
  if (typeof kind !== 'string' || kind === '') return 'kind is missing: say what the object is'
  if (kind.endsWith('List') && Array.isArray(value['items'])) return listItems(value['items'])
  const { metadata } = value
  if (!isJsonObject(metadata)) return `${kind} has no metadata: give it a name`
  const { name, generateName, namespace } = metadata
  if (!isText(name) && !isText(generateName)) return `${kind} has no metadata.name: give it one`
  if (namespace !== undefined && namespace !== null && typeof namespace !== 'string')
    return `${kind} "${String(name)}" has a metadata.namespace that is not text: put it in quotes`
  return [{ object: value as unknown as KubeObject, at: [] }]
}

function listItems(items: readonly unknown[]): readonly Found[] | string {
  const all: Found[] = []
  for (const [index, item] of items.entries()) {
    const found = objectsOf(item as JsonObject)
    if (typeof found === 'string') return `items[${index}]: ${found}`
    all.push(...found.map(({ object, at }) => ({ object, at: ['items', index, ...at] })))
  }
  return all
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''

const firstLine = (text: string): string => text.split('\n', 1)[0] ?? text

function positionIndex(text: string): (offset: number) => Position {
  const starts = [0]
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return (offset) => {
    let low = 0
    let high = starts.length
    while (high - low > 1) {
      const middle = (low + high) >> 1
      if ((starts[middle] ?? 0) <= offset) low = middle
      else high = middle
    }
    return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 }
  }
}

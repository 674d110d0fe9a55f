import { compareText, getOwn, goQuote, isJsonObject, parseJson, stringifyJson } from '@weft/api'

/**
 * One step of a field path, in the text form that FieldsV1 uses as a key: `f:name` (a field), `k:{"name":"a"}` (the
 * list item with these keys), `v:"x"` (the set member with this value), `i:0` (a list index). The text is canonical:
 * equal steps have equal text, so sets of steps are plain string-keyed objects. `.` marks the parent itself.
 */
export type PathElement = string

export const SELF = '.'

export type ParsedElement =
  | { readonly type: 'f'; readonly name: string }
  | { readonly type: 'k'; readonly fields: readonly (readonly [name: string, value: unknown])[] }
  | { readonly type: 'v'; readonly value: unknown }
  | { readonly type: 'i'; readonly index: number }

const MOST_REMEMBERED = 16_384

/** `make` with a memory: the same names, keys and values come again on every write, in object after object. */
function remembering<T>(make: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>()
  return (text) => {
    let made = known.get(text)
    if (made === undefined) {
      made = make(text)
      if (known.size >= MOST_REMEMBERED) known.clear()
      known.set(text, made)
    }
    return made
  }
}

/** A known element costs less than building and hashing its text again. */
export const fieldElement: (name: string) => PathElement = remembering((name) => `f:${name}`)
export const valueElement = (value: unknown): PathElement => `v:${elementValue(value)}`
export const indexElement = (index: number): PathElement => `i:${index}`

/** `fields` must be sorted by name. */
export function keyElement(fields: readonly (readonly [name: string, value: unknown])[]): PathElement {
  return `k:{${fields.map(([name, value]) => `${JSON.stringify(name)}:${elementValue(value)}`).join(',')}}`
}

// Kubernetes escapes these inside element text; the text must match byte for byte to mean the same element.
const escapedInGo = /[<>&\u2028\u2029]|\\[bf]/
const escapedInGoAll = /[<>&\u2028\u2029]|\\[bf]/g

/** JSON text of a key's value, as Kubernetes writes it inside an element. */
export function elementValue(value: unknown): string {
  const text =
    typeof value === 'object' && value !== null ? sortedJson(value) : typeof value === 'bigint' ? String(value) : JSON.stringify(value)
  if (!escapedInGo.test(text)) return text
  return text.replace(escapedInGoAll, (match) => {
    if (match === '\\b') return '\\u0008'
    if (match === '\\f') return '\\u000c'
    return `\\u${match.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
}

function sortedJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(sortedJson).join(',')}]`
  if (!isJsonObject(value)) return stringifyJson(value)
  return `{${Object.keys(value)
    .sort(compareText)
    .map((key) => `${JSON.stringify(key)}:${sortedJson(getOwn(value, key))}`)
    .join(',')}}`
}

/** JSON text that stands for itself, as most members of sets do: a long one has hundreds of thousands. */
// oxlint-disable-next-line no-control-regex -- JSON text has none
const PLAIN_TEXT = /^"[^"\\\u0000-\u001f]*"$/

/** Undefined for a type of element that this version does not know; throws when the text is malformed. */
export function parseElement(text: PathElement): ParsedElement | undefined {
  if (text.length < 2) throw new Error('key must be 2 characters long:')
  if (text[1] !== ':') throw new Error(`missing colon: ${text}`)
  const rest = text.slice(2)
  switch (text[0]) {
    case 'f':
      return { type: 'f', name: rest }
    case 'v':
      return { type: 'v', value: PLAIN_TEXT.test(rest) ? rest.slice(1, -1) : parseJson(rest).value }
    case 'i':
      if (!/^[+-]?\d+$/.test(rest)) throw new Error(`invalid index: ${text}`)
      return { type: 'i', index: Number(rest) }
    case 'k': {
      const keys = parseJson(rest).value
      if (!isJsonObject(keys)) throw new Error(`expected an object: ${text}`)
      const fields = Object.keys(keys).map((name) => [name, getOwn(keys, name)] as const)
      return { type: 'k', fields: fields.sort(([a], [b]) => compareText(a, b)) }
    }
    default:
      return undefined
  }
}

/** The canonical text of an element that a client wrote; undefined when its type is unknown. Throws when malformed. */
export const canonicalElement = (text: PathElement): PathElement | undefined => (text.startsWith('f:') ? text : rewritten(text))

const rewritten = remembering((text) => {
  const element = parseElement(text)
  switch (element?.type) {
    case 'k':
      return keyElement(element.fields)
    case 'v':
      return valueElement(element.value)
    case 'i':
      return indexElement(element.index)
    default:
      return undefined
  }
})

/** `.name`, `[name="a",port=1]`, `[="x"]`, `[0]`: as paths appear in messages. */
export function formatElement(text: PathElement): string {
  const parsed = parseElement(text)
  switch (parsed?.type) {
    case 'f':
      return `.${parsed.name}`
    case 'k':
      return `[${parsed.fields.map(([name, value]) => `${name}=${formatValue(value)}`).join(',')}]`
    case 'v':
      return `[=${formatValue(parsed.value)}]`
    case 'i':
      return `[${parsed.index}]`
    case undefined:
      return '{{invalid path element}}'
  }
}

export const formatPath = (path: readonly PathElement[]): string => path.map(formatElement).join('')

function formatValue(value: unknown): string {
  if (value === null) return 'null'
  if (typeof value === 'string') return goQuote(value)
  if (Array.isArray(value)) return `[${value.map(formatValue).join(',')}]`
  if (isJsonObject(value)) {
    return Object.keys(value)
      .map((key) => `${key}=${formatValue(getOwn(value, key))}`)
      .join('')
  }
  return String(value)
}

/** Kubernetes' order: fields, then keys, values and indices, each by its content. `.` comes first. */
export function compareElements(a: PathElement, b: PathElement): number {
  const ta = a.charCodeAt(0)
  const tb = b.charCodeAt(0)
  if (ta !== tb) return rank(ta) - rank(tb)
  if (ta === 0x66) return compareText(a, b)
  return compareParsed(a, parsed(a), b, parsed(b))
}

/** In Kubernetes' order. Each is read once: a long list of items would be read again for every comparison. Names of fields are compared as they are. */
export function sortElements(elements: readonly PathElement[]): PathElement[] {
  if (elements.every(isName)) return elements.toSorted(compareText)
  const read = elements.map((element) => ({
    element,
    rank: rank(element.charCodeAt(0)),
    parsed: element === SELF ? undefined : parseElement(element),
  }))
  read.sort((a, b) => a.rank - b.rank || compareParsed(a.element, a.parsed, b.element, b.parsed))
  return read.map(({ element }) => element)
}

/** A field, or the parent itself, which comes first. */
const isName = (element: PathElement): boolean => element === SELF || element.startsWith('f:')

function compareParsed(a: PathElement, pa: ParsedElement | undefined, b: PathElement, pb: ParsedElement | undefined): number {
  if (pa?.type === 'k' && pb?.type === 'k') return compareFields(pa.fields, pb.fields)
  if (pa?.type === 'v' && pb?.type === 'v') return compareValues(pa.value, pb.value)
  if (pa?.type === 'i' && pb?.type === 'i') return pa.index - pb.index
  return compareText(a, b)
}

function rank(type: number): number {
  switch (type) {
    case 0x2e: // .
      return 0
    case 0x66: // f
      return 1
    case 0x6b: // k
      return 2
    case 0x76: // v
      return 3
    default:
      return 4
  }
}

const parsed = remembering(parseElement)

type Fields = readonly (readonly [name: string, value: unknown])[]

function compareFields(a: Fields, b: Fields): number {
  for (let i = 0; ; i++) {
    const fa = a[i]
    const fb = b[i]
    if (fa === undefined || fb === undefined) return fa === fb ? 0 : fa === undefined ? -1 : 1
    const order = compareText(fa[0], fb[0]) || compareValues(fa[1], fb[1])
    if (order !== 0) return order
  }
}

/** Numbers, then strings, booleans, lists, maps, null. */
function compareValues(a: unknown, b: unknown): number {
  const order = valueRank(a) - valueRank(b)
  if (order !== 0) return order
  if (typeof a === 'string') return compareText(a, b as string)
  if (typeof a === 'object') return compareText(sortedJson(a), sortedJson(b))
  const x = a as number | bigint | boolean
  const y = b as number | bigint | boolean
  return x < y ? -1 : x > y ? 1 : 0
}

function valueRank(value: unknown): number {
  switch (typeof value) {
    case 'number':
    case 'bigint':
      return 0
    case 'string':
      return 1
    case 'boolean':
      return 2
    default:
      return Array.isArray(value) ? 3 : value === null ? 5 : 4
  }
}

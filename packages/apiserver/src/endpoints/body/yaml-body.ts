import { expandsTooMuch, JsonSyntaxError, messageOf, parseJson, setOwn, stringifyJson } from '@weft/api'
import {
  defineMappingTag,
  defineScalarTag,
  load,
  mergeTag,
  NOT_RESOLVED,
  nullYaml11Tag,
  Schema,
  seqTag,
  strTag,
  YAMLException,
} from 'js-yaml'
import { type Parsed, SyntaxFault } from './parsed.ts'
import { repeatedKeys } from './repeated-keys.ts'

/**
 * YAML as Kubernetes reads it: version 1.1, where `yes`, `no`, `on`, `off`, `y` and `n` are booleans, `010` is eight, and
 * what looks like a date is a string. Throws SyntaxFault.
 */
export function parseYamlBody(text: string): Parsed {
  if (text.trim() === '') return { value: null, problems: [] }
  const json = parseAsJson(text)
  if (json !== undefined) return json
  try {
    return asJson(load(text, { schema: KUBERNETES_YAML, json: false }), text)
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error
    const { line = 0 } = (error as { mark?: { line?: number } }).mark ?? {}
    if (error.reason !== 'duplicated mapping key') throw new SyntaxFault(`yaml: line ${line + 1}: ${error.reason ?? error.message}`)
    // The last one counts; only strict decoding minds.
    const { value } = asJson(load(text, { schema: KUBERNETES_YAML, json: true }), text)
    return { value, problems: repeatedKeys(text), isSorted: true }
  }
}

/** Most YAML that programs send is JSON, and that parser is much faster. */
function parseAsJson(text: string): Parsed | undefined {
  if (!/^\s*\{/.test(text)) return undefined
  try {
    const { value, duplicates } = parseJson(text)
    return { value, problems: duplicates.length === 0 ? [] : repeatedKeys(text), isSorted: true }
  } catch (error) {
    if (error instanceof JsonSyntaxError) return undefined
    throw error
  }
}

/** Through text: what JSON cannot say is refused, and large integers end up as everywhere else. */
function asJson(value: unknown, text: string): Parsed {
  if (expandsTooMuch(value, text)) throw new SyntaxFault('yaml: document contains excessive aliasing')
  assertNumbers(value, new Set())
  try {
    return { value: parseJson(stringifyJson(value ?? null)).value, problems: [], isSorted: true }
  } catch (error) {
    throw new SyntaxFault(messageOf(error))
  }
}

function assertNumbers(value: unknown, seen: Set<object>): void {
  if (typeof value === 'number' && Number.isNaN(value)) throw new SyntaxFault('error converting YAML to JSON: json: unsupported value: NaN')
  if (typeof value !== 'object' || value === null || seen.has(value)) return
  seen.add(value)
  for (const inner of Object.values(value)) assertNumbers(inner, seen)
}

const TRUE = new Set(['y', 'Y', 'yes', 'Yes', 'YES', 'true', 'True', 'TRUE', 'on', 'On', 'ON'])
const FALSE = new Set(['n', 'N', 'no', 'No', 'NO', 'false', 'False', 'FALSE', 'off', 'Off', 'OFF'])

const booleans = defineScalarTag('tag:yaml.org,2002:bool', {
  implicit: true,
  resolve: (source) => (TRUE.has(source) ? true : FALSE.has(source) ? false : NOT_RESOLVED),
  identify: () => false,
})

const INTEGER = /^[-+]?(0[xX][0-9a-fA-F_]+|0[bB][01_]+|0[oO]?[0-7_]+|[1-9][0-9_]*|0)$/
const FLOAT = /^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$/

/** Numbers in YAML, but not in JSON. */
const NOT_FINITE = /^([-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN))$/

const integers = defineScalarTag<number | bigint>('tag:yaml.org,2002:int', {
  implicit: true,
  resolve: (source) => (INTEGER.test(source) ? integerOf(source) : NOT_RESOLVED),
  identify: () => false,
})

const floats = defineScalarTag<number>('tag:yaml.org,2002:float', {
  implicit: true,
  resolve(source) {
    const plain = source.replaceAll('_', '')
    if (FLOAT.test(plain)) return Number(plain)
    return NOT_FINITE.test(plain) ? Number.NaN : NOT_RESOLVED
  },
  identify: () => false,
})

/** Of a 64-bit integer in base two, with its prefix. */
const MAX_DIGITS = 66

function integerOf(source: string): number | bigint {
  const digits = source.replaceAll('_', '').replace(/^[-+]/, '')
  // No 64-bit integer is as long, and reading it exactly would take the square of its length.
  if (digits.length > MAX_DIGITS) return Number(source.replaceAll('_', ''))
  const value = BigInt(/^0[0-7]+$/.test(digits) ? `0o${digits.slice(1)}` : digits)
  const signed = source.startsWith('-') ? -value : value
  return Number.isSafeInteger(Number(signed)) ? Number(signed) : signed
}

/** JSON knows text keys only: every other scalar becomes its text. */
const maps = defineMappingTag<Record<string, unknown>>('tag:yaml.org,2002:map', {
  create: () => ({}),
  addPair(target, key, value) {
    if (typeof key === 'object' && key !== null) return 'invalid map key'
    setOwn(target, String(key), value)
    return ''
  },
  has: (target, key) => Object.hasOwn(target, String(key)),
  keys: (target) => Object.keys(target),
  get: (target, key) => (Object.hasOwn(target, String(key)) ? target[String(key)] : null),
  identify: () => false,
})

const KUBERNETES_YAML = new Schema([strTag, seqTag, maps, nullYaml11Tag, booleans, integers, floats, mergeTag])

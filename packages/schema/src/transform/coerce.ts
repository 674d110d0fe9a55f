import { compareText, deepEqual, type FieldError, setOwn } from '@weft/api'
import { invalid, under } from '../messages.ts'
import type { SchemaNode } from '../node.ts'
import { decodeObjectMeta } from '../object-meta.ts'

export interface CoerceOptions {
  /** The value itself is a resource, not only what the schema marks as embedded. Default false. */
  readonly root?: boolean
  /** Drop what is malformed instead of failing: for objects already stored. Default false. */
  readonly dropInvalid?: boolean
  /** Told the path of each unknown field of a metadata, sorted. */
  readonly collect?: (path: string) => void
}

export interface Coerced {
  /** The value with every metadata in canonical form; the very same value when nothing changed. */
  readonly value: unknown
  /** The first malformed field. Never set with `dropInvalid`. */
  readonly error?: FieldError
}

/**
 * Brings the metadata of embedded resources into the form of a typed ObjectMeta, as kube-apiserver does on reading:
 * unknown and empty members go, times are normalised, and apiVersion and kind must be strings.
 */
export function coerceMetadata(
  node: SchemaNode,
  value: unknown,
  { root = false, dropInvalid = false, collect }: CoerceOptions = {},
): Coerced {
  if (!root && !hasEmbedded(node)) return { value }
  const coercer = new Coercer(dropInvalid)
  const coerced = coercer.coerce(node, value, '', root || node.isEmbedded)
  if (collect !== undefined) for (const path of coercer.unknown.sort(compareText)) collect(path)
  return coercer.error === undefined ? { value: coerced } : { value, error: coercer.error }
}

/** Kubernetes tells of all; nobody reads more than these. */
const MAX_TOLD = 1000

const embeddedBelow = new WeakMap<SchemaNode, boolean>()

/** Most schemas embed nothing; they are scanned once, without making nodes. */
function hasEmbedded(node: SchemaNode): boolean {
  let answer = embeddedBelow.get(node)
  if (answer === undefined) {
    answer = scan(node.schema)
    embeddedBelow.set(node, answer)
  }
  return answer
}

function scan(schema: SchemaNode['schema'] | boolean | undefined): boolean {
  if (typeof schema !== 'object') return false
  if (schema['x-kubernetes-embedded-resource'] === true) return true
  return scan(schema.items) || scan(schema.additionalProperties) || Object.values(schema.properties ?? {}).some(scan)
}

class Coercer {
  readonly unknown: string[] = []
  error: FieldError | undefined
  readonly #dropInvalid: boolean

  constructor(dropInvalid: boolean) {
    this.#dropInvalid = dropInvalid
  }

  coerce(node: SchemaNode | undefined, value: unknown, path: string, isResource: boolean): unknown {
    if (node === undefined || typeof value !== 'object' || value === null || this.error !== undefined) return value
    if (Array.isArray(value)) {
      const next = value.map((item: unknown, index) => this.coerce(node.items, item, `${path}[${index}]`, node.items?.isEmbedded === true))
      return next.some((item, index) => item !== value[index]) ? next : value
    }
    const object = value as Readonly<Record<string, unknown>>
    let copy: Record<string, unknown> | undefined
    for (const key in object) {
      const current = object[key]
      if (current === undefined) continue
      let next = isResource ? this.#metaField(key, current, path) : current
      const property = node.property(key)
      if (next !== undefined && property !== undefined) next = this.coerce(property, next, under(path, key), property.isEmbedded)
      else if (next !== undefined && node.additional !== undefined) {
        next = this.coerce(node.additional, next, `${path}[${key}]`, node.additional.isEmbedded)
      }
      if (next === current) continue
      copy ??= { ...object }
      if (next === undefined) delete copy[key]
      else setOwn(copy, key, next)
    }
    return copy ?? object
  }

  #metaField(key: string, value: unknown, path: string): unknown {
    if (key === 'apiVersion' || key === 'kind') {
      if (typeof value === 'string') return value
      if (!this.#dropInvalid) this.error ??= invalid(under(path, key), value, 'must be a string')
      return undefined
    }
    return key === 'metadata' ? this.#metadata(value, under(path, key)) : value
  }

  #metadata(value: unknown, path: string): unknown {
    const decoded = decodeObjectMeta(value)
    const [mismatch] = decoded.mismatches
    if (mismatch !== undefined && !this.#dropInvalid) {
      this.error ??= invalid(path, value, mismatch.message)
      return value
    }
    if (mismatch?.path === '') return value
    for (const field of decoded.unknown) if (this.unknown.length < MAX_TOLD) this.unknown.push(`${path}.${field}`)
    return deepEqual(decoded.value, value) ? value : dropWholeFields(value, decoded)
  }
}

/** A field of metadata that is malformed anywhere inside is dropped as a whole. */
function dropWholeFields(value: unknown, { value: meta, mismatches }: ReturnType<typeof decodeObjectMeta>): unknown {
  if (mismatches.length === 0) return meta
  const bad = new Set(mismatches.map(({ path }) => path.split(/[.[]/, 1)[0]))
  return Object.fromEntries(Object.entries(meta).filter(([key]) => !bad.has(key)))
}

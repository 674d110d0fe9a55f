import { compareText, setOwn } from '@weft/api'
import type { SchemaNode } from '../node.ts'
import { shownKey } from '../walk.ts'

export interface PruneOptions {
  /** The value is a whole object: its apiVersion, kind and metadata stay although the schema need not declare them. Default true. */
  readonly root?: boolean
  /** Told the path of each dropped field, sorted: `spec.list[0].x`. */
  readonly collect?: (path: string) => void
}

/** The value without the fields that the schema does not know; the very same value when there are none. */
export function pruneValue(node: SchemaNode, value: unknown, { root = true, collect }: PruneOptions = {}): unknown {
  const pruner = new Pruner(collect !== undefined)
  const pruned = pruner.prune(node, value, root || node.isEmbedded)
  if (collect !== undefined) for (const path of pruner.dropped.sort(compareText)) collect(path)
  return pruned
}

/** Kubernetes tells of all; nobody reads more than these. */
const MAX_TOLD = 1000

const isMetaField = (key: string): boolean => key === 'apiVersion' || key === 'kind' || key === 'metadata'

class Pruner {
  readonly dropped: string[] = []
  readonly #tracks: boolean
  readonly #path: (string | number)[] = []

  constructor(tracks: boolean) {
    this.#tracks = tracks
  }

  /** Without a schema nothing is known: members of objects go, scalars and items of lists stay. */
  prune(node: SchemaNode | undefined, value: unknown, isResource = node?.isEmbedded === true): unknown {
    if (typeof value !== 'object' || value === null) return value
    if (Array.isArray(value))
      return this.#list(value, (item) =>
        node?.preservesUnknown === true ? this.#preserve(node.items, item) : this.prune(node?.items, item),
      )
    return this.#object(node, value as Readonly<Record<string, unknown>>, isResource)
  }

  /** Items of a list that preserves unknown fields preserve them too, whatever they declare themselves. */
  #preserve(node: SchemaNode | undefined, value: unknown): unknown {
    if (node === undefined || typeof value !== 'object' || value === null) return value
    if (Array.isArray(value)) return this.#list(value, (item) => this.#preserve(node.items, item))
    return this.#object(node, value as Readonly<Record<string, unknown>>, node.isEmbedded, true)
  }

  #object(
    node: SchemaNode | undefined,
    object: Readonly<Record<string, unknown>>,
    isResource: boolean,
    preserves = node?.preservesUnknown === true,
  ): unknown {
    let copy: Record<string, unknown> | undefined
    for (const key in object) {
      const value = object[key]
      if (value === undefined || (isResource && isMetaField(key))) continue
      const property = node?.property(key)
      const keeps = property !== undefined || node?.hasAdditionalProperties === true
      if (!keeps && preserves) continue
      if (!keeps) {
        this.#drop(key)
        copy ??= { ...object }
        delete copy[key]
        continue
      }
      this.#path.push(key)
      const pruned = this.prune(property ?? node?.additional, value)
      this.#path.pop()
      if (pruned === value) continue
      copy ??= { ...object }
      setOwn(copy, key, pruned)
    }
    return copy ?? object
  }

  #list(list: readonly unknown[], each: (item: unknown) => unknown): unknown {
    let copy: unknown[] | undefined
    for (const [index, item] of list.entries()) {
      this.#path.push(index)
      const pruned = each(item)
      this.#path.pop()
      if (pruned === item) continue
      copy ??= [...list]
      copy[index] = pruned
    }
    return copy ?? list
  }

  #drop(key: string): void {
    if (!this.#tracks || this.dropped.length >= MAX_TOLD || (this.#path.length === 0 && isMetaField(key))) return
    let path = ''
    for (const step of [...this.#path, key])
      path += typeof step === 'number' ? `[${step}]` : path === '' ? shownKey(step) : `.${shownKey(step)}`
    this.dropped.push(path)
  }
}

import type { KubeObject, Schema } from '@weft/api'
import { rootType, type Type } from './typed/type.ts'

/**
 * Turns an object into another version of its kind, with that version's schema (absent: untyped). Undefined when the
 * version is not served any more: whoever owned fields in it loses them.
 */
export type ConvertVersion = (
  object: KubeObject,
  apiVersion: string,
) => { readonly object: KubeObject; readonly schema?: Schema } | undefined

/** An object in one version, with its type. */
export interface Versioned {
  readonly apiVersion: string
  readonly object: KubeObject
  readonly type: Type
}

/** The versions of the objects of one request. */
export class Versions {
  readonly #convert: ConvertVersion | undefined
  readonly #builtIn: boolean
  readonly #known = new Map<string, Map<KubeObject, Versioned | undefined>>()

  constructor(convert: ConvertVersion | undefined, builtIn: boolean) {
    this.#convert = convert
    this.#builtIn = builtIn
  }

  to(value: Versioned, apiVersion: string): Versioned | undefined {
    if (value.apiVersion === apiVersion) return value
    let known = this.#known.get(apiVersion)
    if (known === undefined) this.#known.set(apiVersion, (known = new Map()))
    if (!known.has(value.object)) {
      const converted = this.#convert?.(value.object, apiVersion)
      known.set(
        value.object,
        converted && { apiVersion, object: converted.object, type: rootType(converted.schema, { builtIn: this.#builtIn }) },
      )
    }
    return known.get(value.object)
  }
}

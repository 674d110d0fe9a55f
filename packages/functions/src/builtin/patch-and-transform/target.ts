import { setOwn } from '@weft/api'
import { getValue } from '../../go/fieldpath/read.ts'
import { setValue } from '../../go/fieldpath/set-value.ts'
import { GoError, must } from '../../go/go-error.ts'
import { marshalJson, throughJson } from '../../go/json.ts'
import { mergeValues, type MergeOptions } from '../../go/merge.ts'
import { type GoObject, type GoValue, isGoArray, isGoObject } from '../../go/value.ts'
import { hasKind } from './object.ts'

/**
 * An object that patches write to. It is taken anew at the first write, and from then on its whole numbers are int64: Go writes such an object as
 * JSON and reads it again after every patch, so until then its numbers are what they were.
 */
export class Target {
  #object: GoObject
  #isOwn = false
  #isReread: boolean

  /** `isReread`: its numbers are int64 already. */
  constructor(object: GoObject, { isReread = false }: { isReread?: boolean } = {}) {
    this.#object = object
    this.#isReread = isReread
  }

  /** Read only, and only until the next write. */
  get object(): GoObject {
    return this.#object
  }

  /** All that one patch writes: it is read again once they are done. */
  write(paths: readonly string[], value: GoValue, options: MergeOptions | undefined): void {
    if (!this.#isOwn) this.#object = ownCopy(this.#object)
    this.#isOwn = true
    const object = this.#object as Record<string, GoValue>
    for (const path of paths) setValue(object, path, merged(object, path, value, options))
    if (!hasKind(object)) throw new GoError(`Object 'Kind' is missing in '${must(marshalJson(object))}'`)
    if (this.#isReread) return
    this.#object = must(throughJson(object)) as GoObject
    this.#isReread = true
  }
}

function merged(object: GoObject, path: string, value: GoValue, options: MergeOptions | undefined): GoValue {
  return options === undefined ? value : mergeValues(existing(object, path), value, options)
}

function existing(object: GoObject, path: string): GoValue {
  try {
    return getValue(object, path)
  } catch (error) {
    if (error instanceof GoError && error.isNotFound) return null
    throw error
  }
}

function ownCopy(value: GoObject): Record<string, GoValue> {
  const copy: Record<string, GoValue> = {}
  for (const key of Object.keys(value)) setOwn(copy, key, copied(value[key] as GoValue))
  return copy
}

const copied = (value: GoValue): GoValue => (isGoArray(value) ? value.map(copied) : isGoObject(value) ? ownCopy(value) : value)

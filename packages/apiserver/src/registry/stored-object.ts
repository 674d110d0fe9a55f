import { type KubeObject, parseJson, stringifyJson, withMeta } from '@weft/api'

const UNKNOWN_WEIGHT = 1024

/**
 * One version of one object: the object and its JSON, made from each other and shared by every response, watcher and
 * in-process client. Both are read-only. Once there is JSON, the object itself is held weakly: most objects are only
 * ever sent, and an object tree takes more memory than its text. Whoever uses the object keeps it alive; everybody else
 * who asks meanwhile gets the very same one.
 */
export class StoredObject {
  readonly key: string
  readonly revision: number
  #object: KubeObject | WeakRef<KubeObject> | undefined
  #json: Buffer | undefined

  private constructor(key: string, revision: number, object: KubeObject | undefined, json: Buffer | undefined) {
    this.key = key
    this.revision = revision
    this.#object = object
    this.#json = json
  }

  static ofObject(key: string, revision: number, object: KubeObject): StoredObject {
    return new StoredObject(key, revision, object, undefined)
  }

  static ofBytes(key: string, revision: number, bytes: Uint8Array): StoredObject {
    const json = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    return new StoredObject(key, revision, undefined, json)
  }

  get object(): KubeObject {
    const known = this.#object instanceof WeakRef ? this.#object.deref() : this.#object
    if (known !== undefined) return known
    const parsed = parseJson(this.json.toString()).value as unknown as KubeObject
    this.#object = new WeakRef(parsed)
    return parsed
  }

  get json(): Buffer {
    if (this.#json === undefined) {
      const object = this.object
      this.#json = Buffer.from(stringifyJson(object))
      this.#object = new WeakRef(object)
    }
    return this.#json
  }

  /** About how many bytes of JSON it is; known without making them. */
  get weight(): number {
    return this.#json?.length ?? UNKNOWN_WEIGHT
  }

  /** The same object as it was when it went: with the revision of its deletion. */
  deletedAt(revision: number): StoredObject {
    return StoredObject.ofObject(this.key, revision, withMeta(this.object, { resourceVersion: String(revision) }))
  }
}

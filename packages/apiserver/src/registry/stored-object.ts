import { type KubeObject, parseJson, stringifyJson, withMeta } from '@weft/api'

/**
 * One version of one object: the object and its JSON, each made from the other at most once and shared by every
 * response, watcher and in-process client. Both are read-only.
 */
export class StoredObject {
  readonly key: string
  readonly revision: number
  #object: KubeObject | undefined
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
    this.#object ??= parseJson(this.json.toString()).value as unknown as KubeObject
    return this.#object
  }

  get json(): Buffer {
    this.#json ??= Buffer.from(stringifyJson(this.#object))
    return this.#json
  }

  /** The same object as it was when it went: with the revision of its deletion. */
  deletedAt(revision: number): StoredObject {
    return StoredObject.ofObject(this.key, revision, withMeta(this.object, { resourceVersion: String(revision) }))
  }
}

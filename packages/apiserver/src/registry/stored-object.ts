import { type KubeObject, stringifyJson, withMeta } from '@weft/api'
import type { Version } from '../storage/index.ts'
import { readStored } from './read-stored.ts'
import type { RecentBytes } from './recent-bytes.ts'
import { metadataIn } from './stored-metadata.ts'

const UNKNOWN_WEIGHT = 1024

/**
 * One version of one object: the object and its JSON, made from each other and shared by every response, watcher and
 * in-process client. Both are read-only. Once there is JSON, the object itself is held weakly: most objects are only
 * ever sent, and an object tree takes more memory than its text. Whoever uses the object keeps it alive; everybody else
 * who asks meanwhile gets the very same one.
 *
 * The JSON of one that is live in a store goes, too, when it was not used for long: it is read from storage again.
 */
export class StoredObject implements Version {
  readonly key: string
  readonly revision: number
  readonly #checksum: number | undefined
  #object: KubeObject | WeakRef<KubeObject> | undefined
  #json: Buffer | undefined
  #size: number
  /** Where it is read from again; undefined for what is not, or not any more, in storage. */
  #recent: RecentBytes | undefined
  #usedIn = -1

  private constructor({ key, revision, size, checksum }: Version, object: KubeObject | undefined, json: Buffer | undefined) {
    this.key = key
    this.revision = revision
    this.#size = size
    this.#checksum = checksum
    this.#object = object
    this.#json = json
  }

  static ofObject(key: string, revision: number, object: KubeObject): StoredObject {
    return new StoredObject({ key, revision, size: 0 }, object, undefined)
  }

  static ofBytes(key: string, revision: number, bytes: Uint8Array): StoredObject {
    return new StoredObject({ key, revision, size: bytes.byteLength }, undefined, bufferOf(bytes))
  }

  /** Nothing is read before somebody asks for it. */
  static ofVersion(version: Version, recent: RecentBytes): StoredObject {
    const stored = new StoredObject(version, undefined, undefined)
    stored.#recent = recent
    return stored
  }

  get object(): KubeObject {
    const known = this.#object instanceof WeakRef ? this.#object.deref() : this.#object
    if (known !== undefined) return known
    const parsed = readStored(this.json.toString())
    this.#object = new WeakRef(parsed)
    return parsed
  }

  /** For those who ask for nothing else: an object that nobody holds is not read as a whole for it. Managed fields may be missing. */
  get metadata(): KubeObject['metadata'] {
    const known = this.#object instanceof WeakRef ? this.#object.deref() : this.#object
    return known?.metadata ?? metadataIn(this.json) ?? this.object.metadata
  }

  get json(): Buffer {
    const json = (this.#json ??= this.#made())
    if (this.#recent !== undefined && this.#usedIn !== this.#recent.generation) this.#use(this.#recent)
    return json
  }

  /** Of its JSON; 0 before there is any. */
  get size(): number {
    return this.#size
  }

  get checksum(): number | undefined {
    return this.#checksum
  }

  /** About how many bytes of JSON it is; known without making them. */
  get weight(): number {
    return this.#size || UNKNOWN_WEIGHT
  }

  /** The same object as it was when it went: with the revision of its deletion. */
  deletedAt(revision: number): StoredObject {
    return StoredObject.ofObject(this.key, revision, withMeta(this.object, { resourceVersion: String(revision) }))
  }

  /** It is in storage now, and live: its JSON can be had from there. */
  settle(recent: RecentBytes): void {
    if (this.#recent !== undefined) return
    this.#recent = recent
    if (this.#json !== undefined) this.#use(recent)
  }

  /** It is live no longer: whoever still holds it finds its JSON here, whatever becomes of the history. */
  unsettle(bytes: Uint8Array | undefined): void {
    if (this.#json === undefined && bytes !== undefined) this.#json = bufferOf(bytes)
    this.#recent?.forget(this)
    if (this.#json !== undefined || this.#object !== undefined) this.#recent = undefined
  }

  release(): void {
    if (this.#recent === undefined) return
    this.#json = undefined
    if (this.#object instanceof WeakRef && this.#object.deref() === undefined) this.#object = undefined
  }

  #made(): Buffer {
    const known = this.#object instanceof WeakRef ? undefined : this.#object
    if (known === undefined) return (this.#recent as RecentBytes).read(this)
    const json = Buffer.from(stringifyJson(known))
    this.#object = new WeakRef(known)
    this.#size = json.length
    return json
  }

  #use(recent: RecentBytes): void {
    this.#usedIn = recent.generation
    recent.used(this)
  }
}

const bufferOf = (bytes: Uint8Array): Buffer =>
  Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)

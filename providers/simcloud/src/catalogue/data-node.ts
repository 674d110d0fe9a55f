import { getOwn, isJsonObject, type JsonValue } from '@weft/api'

/** A data file that cannot be used: which file, where in it, and what is wrong. */
export class DataFileError extends Error {
  readonly code = 'BadDataFile'
  readonly file: string
  /** Dotted path inside the document, `line 3` when there is no document to speak of, empty for the file itself. */
  readonly path: string
  readonly why: string

  constructor(file: string, path: string, why: string, options?: ErrorOptions) {
    super(`${file}: ${path === '' ? '' : `${path}: `}${why}`, options)
    this.name = 'DataFileError'
    this.file = file
    this.path = path
    this.why = why
  }
}

/**
 * One value of a data file that knows where it stands. Each reading method answers the value in its type or throws a
 * DataFileError that names file and path, so a loader reads like the format it loads.
 */
export class DataNode {
  readonly file: string
  readonly path: string
  readonly value: unknown

  constructor(file: string, path: string, value: unknown) {
    this.file = file
    this.path = path
    this.value = value
  }

  fail(why: string): never {
    throw new DataFileError(this.file, this.path, why)
  }

  get present(): boolean {
    return this.value !== undefined && this.value !== null
  }

  /** The member `key`; it may be absent, which the reading method of the answer reports. */
  get(key: string): DataNode {
    const value = isJsonObject(this.value) ? getOwn(this.value, key) : undefined
    return new DataNode(this.file, this.path === '' ? key : `${this.path}.${key}`, value)
  }

  /** This node, known to be an object; with `keys`, one that has no others (a misspelt key must not be ignored). */
  object(keys?: readonly string[]): this {
    this.#require()
    if (!isJsonObject(this.value)) this.fail('must be an object')
    const unknown = keys && Object.keys(this.value).find((key) => !keys.includes(key))
    if (unknown !== undefined) this.get(unknown).fail(`is not known here; known: ${keys?.join(', ')}`)
    return this
  }

  list(): DataNode[] {
    this.#require()
    if (!Array.isArray(this.value)) this.fail('must be a list')
    return this.value.map((item, index) => new DataNode(this.file, `${this.path}[${index}]`, item))
  }

  optionalList(): DataNode[] {
    return this.present ? this.list() : []
  }

  string(): string {
    this.#require()
    if (typeof this.value !== 'string' || this.value === '') this.fail('must be a non-empty string')
    return this.value
  }

  optionalString(): string | undefined {
    return this.present ? this.string() : undefined
  }

  oneOf<T extends string>(allowed: readonly T[], fallback?: T): T {
    if (!this.present && fallback !== undefined) return fallback
    const value = this.string()
    if (!allowed.includes(value as T)) this.fail(`must be one of ${allowed.join(', ')}; it is ${JSON.stringify(value)}`)
    return value as T
  }

  boolean(fallback: boolean): boolean {
    if (!this.present) return fallback
    if (typeof this.value !== 'boolean') this.fail('must be true or false')
    return this.value
  }

  optionalNumber(): number | undefined {
    if (!this.present) return undefined
    if (typeof this.value !== 'number' || !Number.isFinite(this.value)) this.fail('must be a number')
    return this.value
  }

  integer(fallback: number, least = 0): number {
    const value = this.optionalNumber() ?? fallback
    if (!Number.isInteger(value) || value < least) this.fail(`must be a whole number of at least ${least}`)
    return value
  }

  json(): JsonValue {
    return (this.value ?? null) as JsonValue
  }

  #require(): void {
    if (!this.present) this.fail('is required')
  }
}

import { getOwn, isJsonObject, type JsonObject } from '@weft/api'
import { PackageError } from '@weft/xpkg'

/**
 * What a data file adds to a provider's schema, all of it optional: a provider without one is fully usable. Types are named as Terraform
 * names them (`aws_vpc`, `data.aws_vpc`), attributes by their path (`node_group.subnet_ids`).
 */
export interface ProviderOverlay {
  readonly types: ReadonlyMap<string, TypeOverlay>
}

export interface TypeOverlay {
  /** Another name for the kind. */
  readonly kind?: string | undefined
  /** Attributes that hold secrets, though the schema does not say so. */
  readonly sensitive: ReadonlySet<string>
  /** By attribute; null: it refers to nothing, whatever its name looks like. */
  readonly references: ReadonlyMap<string, ReferenceOverlay | null>
  /** Keys of the connection secret, by the attribute that they come from. */
  readonly connection: ReadonlyMap<string, string>
  /** How an external name is made from attributes, where the identifier alone cannot be imported: `{vpc_id}/{name}`. */
  readonly importFormat?: string | undefined
}

export interface ReferenceOverlay {
  readonly type: string
  /** The attribute of the target; its `id` unless given. */
  readonly attribute?: string | undefined
}

export const NO_OVERLAY: ProviderOverlay = { types: new Map() }
const NOTHING: TypeOverlay = { sensitive: new Set(), references: new Map(), connection: new Map() }

export const overlayOf = ({ types }: ProviderOverlay, type: string): TypeOverlay => types.get(type) ?? NOTHING

/** Names that it gives to kinds. */
export const renamesOf = ({ types }: ProviderOverlay): ReadonlyMap<string, string> =>
  new Map([...types].flatMap(([name, { kind }]) => (kind === undefined ? [] : [[name, kind] as const])))

const KIND = /^[A-Z][A-Za-z0-9]{0,62}$/

/** Reads a data file that was parsed from YAML or JSON. `what` is how it is called in messages. */
export function parseOverlay(value: unknown, what: string): ProviderOverlay {
  const read = new Reader(what)
  const root = read.object(value, '')
  read.onlyKnown(root, '', ['types'])
  const types = Object.entries(read.object(getOwn(root, 'types') ?? {}, 'types')).map(
    ([name, type]) => [name, read.type(read.object(type, `types.${name}`), `types.${name}`)] as const,
  )
  return { types: new Map(types) }
}

class Reader {
  readonly #what: string

  constructor(what: string) {
    this.#what = what
  }

  type(given: JsonObject, path: string): TypeOverlay {
    this.onlyKnown(given, path, ['kind', 'sensitive', 'references', 'connection', 'importFormat'])
    const kind = this.#text(given, 'kind', path)
    if (kind !== undefined && !KIND.test(kind))
      throw this.#wrong(`${path}.kind`, 'a kind is letters and digits, begins with a capital and has at most 63 of them')
    const sensitive = getOwn(given, 'sensitive') ?? []
    if (!Array.isArray(sensitive) || !sensitive.every((each) => typeof each === 'string'))
      throw this.#wrong(`${path}.sensitive`, 'must be a list of attributes')
    const references = Object.entries(this.object(getOwn(given, 'references') ?? {}, `${path}.references`)).map(([attribute, to]) => {
      const at = `${path}.references.${attribute}`
      if (to === null) return [attribute, null] as const
      const target = this.object(typeof to === 'string' ? { type: to } : to, at)
      this.onlyKnown(target, at, ['type', 'attribute'])
      const type = this.#text(target, 'type', at)
      if (type === undefined) throw this.#wrong(`${at}.type`, 'is missing')
      return [attribute, { type, attribute: this.#text(target, 'attribute', at) }] as const
    })
    const connection = Object.entries(this.object(getOwn(given, 'connection') ?? {}, `${path}.connection`)).map(([key, attribute]) => {
      if (typeof attribute !== 'string' || !/^[-._A-Za-z0-9]+$/.test(key))
        throw this.#wrong(`${path}.connection.${key}`, 'must name an attribute, under a key that a Secret may have')
      return [attribute, key] as const
    })
    return {
      kind,
      sensitive: new Set(sensitive),
      references: new Map(references),
      connection: new Map(connection),
      importFormat: this.#text(given, 'importFormat', path),
    }
  }

  object(value: unknown, path: string): JsonObject {
    if (!isJsonObject(value)) throw this.#wrong(path || 'the file', 'must be an object')
    return value
  }

  onlyKnown(given: JsonObject, path: string, known: readonly string[]): void {
    const other = Object.keys(given).find((key) => !known.includes(key))
    if (other !== undefined) throw this.#wrong(path === '' ? other : `${path}.${other}`, `is not known; ${known.join(', ')} are`)
  }

  #text(holder: JsonObject, key: string, path: string): string | undefined {
    const value = getOwn(holder, key)
    if (value === undefined) return undefined
    if (typeof value !== 'string' || value === '') throw this.#wrong(`${path}.${key}`, 'must be a text')
    return value
  }

  #wrong(path: string, why: string): PackageError {
    return new PackageError('Malformed', `${this.#what}: ${path} ${why}`)
  }
}

import type { Catalog, ResourceType } from '../../registry/index.ts'

/**
 * Which resource types show the same objects: the versions of a custom resource, and the two groups of Event. Answers
 * are kept until the catalogue changes.
 */
export class EquivalentTypes {
  readonly #catalog: Catalog
  #generation = -1
  #byPrefix = new Map<string, readonly ResourceType[]>()

  constructor(catalog: Catalog) {
    this.#catalog = catalog
  }

  /** The others that also have the subresource, in the order in which they are served. */
  of(type: ResourceType, subresource: string): readonly ResourceType[] {
    const all = this.#sharing(type.storage.prefix)
    if (all.length < 2) return []
    return all.filter(
      (other) => !isSame(other, type) && (subresource === '' || other.subresources.some(({ name }) => name === subresource)),
    )
  }

  #sharing(prefix: string): readonly ResourceType[] {
    if (this.#generation !== this.#catalog.generation) {
      this.#generation = this.#catalog.generation
      this.#byPrefix = new Map()
    }
    let types = this.#byPrefix.get(prefix)
    if (types === undefined) {
      types = this.#catalog.all().filter((type) => type.storage.prefix === prefix)
      this.#byPrefix.set(prefix, types)
    }
    return types
  }
}

const isSame = (a: ResourceType, b: ResourceType): boolean => a.group === b.group && a.version === b.version && a.plural === b.plural

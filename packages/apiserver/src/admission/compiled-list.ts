import type { Catalog, StoredObject } from '../registry/index.ts'

/**
 * What the objects of one kind mean, compiled once per object version and kept in order of their names. Follows the
 * store, so a request pays one comparison while nothing changes. Compiling is lazy: it happens at the first request
 * after a change.
 */
export class CompiledList<T> {
  readonly #catalog: Catalog
  readonly #kind: { readonly group: string; readonly version: string; readonly plural: string }
  readonly #compile: (stored: StoredObject) => readonly T[]
  readonly #known = new WeakMap<StoredObject, readonly T[]>()
  #list: readonly T[] = []
  #stale = true
  #following = false

  constructor(
    catalog: Catalog,
    kind: { readonly group: string; readonly version: string; readonly plural: string },
    compile: (stored: StoredObject) => readonly T[],
  ) {
    this.#catalog = catalog
    this.#kind = kind
    this.#compile = compile
  }

  get(): readonly T[] {
    if (this.#stale) this.#rebuild()
    return this.#list
  }

  #rebuild(): void {
    const { group, version, plural } = this.#kind
    const type = this.#catalog.find(group, version, plural)
    if (type === undefined) return
    const store = this.#catalog.store(type)
    if (!this.#following) {
      store.follow(store.revision, () => {
        this.#stale = true
      })
      this.#following = true
    }
    this.#stale = false
    const list: T[] = []
    for (const stored of store.scan(type.storage.prefix)) {
      let compiled = this.#known.get(stored)
      if (compiled === undefined) this.#known.set(stored, (compiled = this.#compile(stored)))
      list.push(...compiled)
    }
    this.#list = list
  }
}

import type { Decision } from '../auth/index.ts'
import type { ObjectChange, ObjectStore, ResourceType, StoredObject } from '../registry/index.ts'

/** What somebody may see of a kind. Rights come and go while a watch is open, and between two pages of a list. */
export interface VisibleObjects {
  /** Now. */
  has(object: Pick<StoredObject, 'key'>): boolean
  /** Since this revision it has been as it is now, at least; what was visible before is not known. */
  readonly since: number
  /** Calls back, at once, when others may be visible: in `namespace`, or anywhere if that is empty. Answers how to stop. */
  follow(listener: (namespace: string) => void): () => void
}

/** RBAC's objects as a source of news: they decide who may see what. */
export class Rights {
  readonly #stores: readonly ObjectStore[]
  readonly #listeners = new Set<(namespace: string) => void>()

  constructor(stores: readonly ObjectStore[]) {
    this.#stores = stores
    for (const store of stores) store.follow(store.revision, (changes) => this.#tell(store.prefix, changes))
  }

  /** The last revision at which anybody's changed. */
  get changedAt(): number {
    return Math.max(...this.#stores.map(({ changedAt }) => changedAt))
  }

  follow(listener: (namespace: string) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  #tell(prefix: string, changes: readonly ObjectChange[]): void {
    // Roles and bindings of a namespace say nothing of others.
    for (const namespace of new Set(changes.map(({ current }) => pathOf(prefix, current).namespace)))
      for (const listener of this.#listeners) listener(namespace)
  }
}

/** Without reading the object. */
function pathOf(prefix: string, { key }: Pick<StoredObject, 'key'>): { readonly namespace: string; readonly name: string } {
  const slash = key.indexOf('/', prefix.length)
  return slash < 0
    ? { namespace: '', name: key.slice(prefix.length) }
    : { namespace: key.slice(prefix.length, slash), name: key.slice(slash + 1) }
}

/** What a decision leaves of a kind; undefined: all. */
export function visibleObjects({ only }: Pick<Decision, 'only'>, type: ResourceType, rights: Rights): VisibleObjects | undefined {
  if (only === undefined) return undefined
  const { prefix } = type.storage
  return {
    has(object) {
      const { namespace, name } = pathOf(prefix, object)
      return only(namespace, name)
    },
    get since() {
      return rights.changedAt
    },
    follow: (listener) => rights.follow(listener),
  }
}

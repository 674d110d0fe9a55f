import { deepEqual } from '@weft/api'
import type { Catalog, ObjectStore, ResourceType } from '../registry/index.ts'
import type { GroupResource } from './measure.ts'
import { Quota } from './quota.ts'
import { Reservations } from './reservations.ts'

/** Told of a quota of which something may have to be written down: its limits, what is used of them, or what was written before. */
export type QuotaListener = (namespace: string, name: string) => void

/**
 * All quotas, and what is used of them: from the objects in memory, and from the writes under way. This is what admission
 * goes by, so that no number of writers at once exceeds a quota; `status` of the objects only shows it.
 * Where there is no quota nothing is followed and nothing is counted.
 */
export class QuotaLedger {
  readonly reservations: Reservations = new Reservations()
  readonly #catalog: Catalog
  readonly #type: ResourceType
  readonly #byNamespace = new Map<string, Map<string, Quota>>()
  readonly #followed = new Map<ObjectStore, () => void>()
  readonly #cancels: readonly (() => void)[]
  #types: { readonly generation: number; readonly found: ReadonlyMap<string, ResourceType> } | undefined
  #listener: QuotaListener = () => undefined

  constructor(catalog: Catalog) {
    this.#catalog = catalog
    this.#type = catalog.builtIn('', 'resourcequotas')
    const store = catalog.store(this.#type)
    for (const { object } of store.scan(this.#type.storage.prefix)) this.#add(new Quota(object))
    this.#cancels = [
      store.follow(store.revision, (changes) => {
        for (const { type, current, previous } of changes) {
          const { namespace = '', name = '' } = current.object.metadata
          if (type === 'deleted') this.#remove(namespace, name)
          else if (previous === undefined || !deepEqual(current.object['spec'], previous.object['spec']))
            this.#add(new Quota(current.object))
          this.#listener(namespace, name)
        }
      }),
      catalog.onChange(() => this.#rebind()),
    ]
  }

  /** Quotas in a namespace, in no order; undefined: none. */
  in(namespace: string): ReadonlyMap<string, Quota> | undefined {
    return this.#byNamespace.get(namespace)
  }

  /** Whoever keeps the status of quotas. Told at once of all that there are. */
  onChange(listener: QuotaListener): void {
    this.#listener = listener
    this.#tellAll()
  }

  close(): void {
    for (const cancel of [...this.#cancels, ...this.#followed.values()]) cancel()
    this.#followed.clear()
  }

  #add(quota: Quota): void {
    let there = this.#byNamespace.get(quota.namespace)
    if (there === undefined) this.#byNamespace.set(quota.namespace, (there = new Map()))
    there.set(quota.name, quota)
    this.#bind(quota)
  }

  #remove(namespace: string, name: string): void {
    const there = this.#byNamespace.get(namespace)
    there?.delete(name)
    if (there?.size === 0) this.#byNamespace.delete(namespace)
    if (this.#byNamespace.size > 0) return
    for (const cancel of this.#followed.values()) cancel()
    this.#followed.clear()
  }

  #bind(quota: Quota): void {
    for (const store of quota.bind(this.#catalog, (resource) => this.#find(resource)))
      if (!this.#followed.has(store)) this.#followed.set(store, this.#follow(store))
  }

  #follow(store: ObjectStore): () => void {
    return store.follow(store.revision, (changes) => {
      for (const change of changes) {
        const { key } = change.current
        const namespace = key.slice(store.prefix.length, key.indexOf('/', store.prefix.length))
        for (const quota of this.#byNamespace.get(namespace)?.values() ?? [])
          if (quota.changed(store, change)) this.#listener(namespace, quota.name)
      }
    })
  }

  /** Resources came or went: what is limited may be elsewhere now. */
  #rebind(): void {
    if (this.#byNamespace.size === 0) return
    for (const cancel of this.#followed.values()) cancel()
    this.#followed.clear()
    for (const quotas of this.#byNamespace.values()) for (const quota of quotas.values()) this.#bind(quota)
    this.#tellAll()
  }

  #tellAll(): void {
    for (const [namespace, quotas] of this.#byNamespace) for (const name of quotas.keys()) this.#listener(namespace, name)
  }

  /** Any version of a resource: all share one store. */
  #find({ group, plural }: GroupResource): ResourceType | undefined {
    const { generation } = this.#catalog
    if (this.#types?.generation !== generation) {
      const stored = this.#catalog.all().filter(({ namespaced, verbs }) => namespaced && verbs.includes('delete'))
      this.#types = { generation, found: new Map(stored.map((type) => [`${type.group}/${type.plural}`, type])) }
    }
    return this.#types.found.get(`${group}/${plural}`)
  }
}

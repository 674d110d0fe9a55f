import type { KubeObject } from '@weft/api'
import { whole, ZERO } from '../kinds/quantity.ts'
import { recordAt } from '../kinds/read.ts'
import { type Catalog, type ObjectChange, type ObjectStore, type ResourceType, scanPrefix } from '../registry/index.ts'
import type { GroupResource, Measure } from './measure.ts'
import { isOnRequest, measureOf, resourceOf } from './measures.ts'
import { type ScopeRequirement, scopesOf } from './scopes.ts'
import { difference, masked, NOTHING, sum, type Usage, usageOf } from './usage.ts'

/** One resource that a quota limits, as far as it is served. */
interface Source {
  readonly resource: GroupResource
  readonly type: ResourceType
  readonly store: ObjectStore
  readonly measure: Measure
  /** What objects whose content matters use, kept as they change. */
  tally: Usage
}

/** A ResourceQuota, compiled: what it limits, and what is used of it according to what is stored. */
export class Quota {
  readonly namespace: string
  readonly name: string
  readonly hard: Usage
  /** It is about objects that are in all of these. */
  readonly #scopes: readonly ScopeRequirement[]
  #sources: readonly Source[] = []

  constructor({ metadata, spec }: KubeObject & { readonly spec?: unknown }) {
    this.namespace = metadata.namespace ?? ''
    this.name = metadata.name ?? ''
    this.hard = usageOf(recordAt(spec, 'hard'))
    this.#scopes = scopesOf(spec)
  }

  /** Finds the resources that are limited among those that are served now, and counts them. Answers where their objects are. */
  bind(catalog: Catalog, find: (resource: GroupResource) => ResourceType | undefined): readonly ObjectStore[] {
    const wanted = new Map<string, GroupResource>()
    for (const limit of this.hard.keys()) {
      const resource = resourceOf(limit)
      if (resource !== undefined) wanted.set(`${resource.group}/${resource.plural}`, resource)
    }
    this.#sources = [...wanted.values()].flatMap((resource): Source[] => {
      const type = find(resource)
      const measure = measureOf(resource)
      if (type === undefined || measure === undefined) return []
      const store = catalog.store(type)
      return [{ resource, type, store, measure, tally: this.#counted(type, store, measure) }]
    })
    return this.#sources.map(({ store }) => store)
  }

  /** An object of one of the resources changed. False: the quota does not limit it. */
  changed(store: ObjectStore, { type, current, previous }: ObjectChange): boolean {
    const source = this.#sources.find((each) => each.store === store)
    if (source === undefined) return false
    if (source.measure.varies) {
      const before = previous === undefined ? NOTHING : this.usageOf(source.measure, previous.object)
      const after = type === 'deleted' ? NOTHING : this.usageOf(source.measure, current.object)
      source.tally = sum(difference(source.tally, before), after)
    }
    return true
  }

  /** The limits that objects of this measure may count towards. */
  limits({ limits, matches }: Measure): readonly string[] {
    const isAbout = this.#scopes.length === 0 || matches !== undefined
    return isAbout ? [...this.hard.keys()].filter((limit) => limits.has(limit)) : []
  }

  covers({ matches }: Measure, object: KubeObject): boolean {
    return this.#scopes.every((scope) => matches?.(scope, object) === true)
  }

  /** What an object uses of what is limited here. */
  usageOf(measure: Measure, object: KubeObject): Usage {
    return this.covers(measure, object) ? masked(measure.usage(object), this.hard) : NOTHING
  }

  /** By what is stored. A limit of which nobody knows what it is about is left out. */
  used(): Usage {
    const result = new Map([...this.hard.keys()].filter(isOnRequest).map((limit) => [limit, ZERO]))
    for (const source of this.#sources) for (const [name, amount] of masked(this.#usedOf(source), this.hard)) result.set(name, amount)
    return result
  }

  #usedOf({ type, store, measure, tally }: Source): Usage {
    if (measure.varies) return tally
    const count = whole(this.#scopes.length > 0 ? 0 : store.count(scanPrefix(type, this.namespace)))
    return new Map([...this.hard.keys()].filter((limit) => measure.limits.has(limit)).map((limit) => [limit, count]))
  }

  #counted(type: ResourceType, store: ObjectStore, measure: Measure): Usage {
    const zero: Usage = new Map([...this.hard.keys()].filter((limit) => measure.limits.has(limit)).map((limit) => [limit, ZERO]))
    if (!measure.varies) return zero
    return store.scan(scanPrefix(type, this.namespace)).reduce((total, { object }) => sum(total, this.usageOf(measure, object)), zero)
  }
}

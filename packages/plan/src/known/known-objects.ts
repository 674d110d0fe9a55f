import { formatGroupKind, type GroupKind, gvkOf, type KubeObject } from '@weft/api'
import { BINDING_DEFINITION, type BindingsTable, buildTable, COMPOSITE_CLASS, type KnownClasses, RESOURCE_CLASS } from '@weft/controllers'
import { KnownKinds } from './known-kinds.ts'
import { NO_PACKAGES, type PackagedObjects } from './packaged-objects.ts'

export interface KnownObjectsOptions {
  readonly packages?: PackagedObjects | undefined
  /** Objects that exist already, as a server would answer them. */
  readonly observed?: readonly KubeObject[] | undefined
}

/** The world as files tell it: what is given, what packages bring, what was observed. Nothing is written to. */
export class KnownObjects {
  readonly given: readonly KubeObject[]
  readonly kinds: KnownKinds
  readonly #observed: readonly KubeObject[]
  readonly #packages: PackagedObjects
  readonly #tables = new Map<string, BindingsTable>()
  readonly #lists = new Map<string, readonly KubeObject[]>()

  constructor(given: readonly KubeObject[], { packages = NO_PACKAGES, observed = [] }: KnownObjectsOptions = {}) {
    this.given = given
    this.#observed = observed
    this.#packages = packages
    this.kinds = new KnownKinds([...given, ...observed], packages)
  }

  /** Objects of a kind, as the server would store them, by name. */
  list(kind: GroupKind): readonly KubeObject[] {
    const key = formatGroupKind(kind)
    let found = this.#lists.get(key)
    if (found === undefined) {
      const all = [...this.given, ...this.#observed].filter((object) => isOf(object, kind))
      const unique = new Map(all.toReversed().map((object) => [`${object.metadata.namespace ?? ''}/${object.metadata.name ?? ''}`, object]))
      found = [...unique.values()].toSorted(byName).map((object) => this.kinds.settle(object).object)
      this.#lists.set(key, found)
    }
    return found
  }

  find(kind: GroupKind, name: string | undefined): KubeObject | undefined {
    return this.list(kind).find(({ metadata }) => metadata.name === name)
  }

  observed(kind: GroupKind, name: string | undefined, namespace?: string): KubeObject | undefined {
    return this.#observed.find(
      (object) => isOf(object, kind) && object.metadata.name === name && (object.metadata.namespace ?? '') === (namespace ?? ''),
    )
  }

  /** The binding table, as far as claims of this kind are concerned. */
  table(claim: GroupKind): BindingsTable {
    const key = formatGroupKind(claim)
    let table = this.#tables.get(key)
    if (table === undefined) {
      const packaged = this.#packages.mentioning(claim.kind).filter((object) => isOf(object, BINDING_DEFINITION))
      const own = this.list(BINDING_DEFINITION)
      const names = new Set(own.map(({ metadata }) => metadata.name))
      table = buildTable({
        definitions: [...own, ...packaged.filter(({ metadata }) => !names.has(metadata.name))],
        resourceClasses: this.list(RESOURCE_CLASS),
        compositeClasses: this.list(COMPOSITE_CLASS),
      })
      this.#tables.set(key, table)
    }
    return table
  }

  /** The same, as the controllers ask for it. */
  classes(claim: GroupKind): KnownClasses {
    return { table: () => this.table(claim), watches: { reader: (kind) => ({ list: () => this.list(kind) }) } }
  }
}

const isOf = (object: KubeObject, { group, kind }: GroupKind): boolean => object.kind === kind && gvkOf(object).group === group

const byName = (a: KubeObject, b: KubeObject): number => ((a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1)

import { formatGroupKind, getOwn, type GroupKind, isJsonObject, type KubeObject, parseGroupVersion, specOf } from '@weft/api'
import { type BindingRow, isProblem, readRow, type RowProblem } from './row.ts'
import { AGGREGATE_CLASS, COMPOSITE_CLASS, isMachinery, kindOnly, RESOURCE_CLASS } from './well-known.ts'

/** A kind of claim, a kind of class: one scheduler and one defaulter (S10). */
export interface ClassTuple {
  readonly claim: GroupKind
  readonly class: GroupKind
}

/**
 * Which kinds of claim may be satisfied through which kinds of class. An immutable snapshot; a new one is made whenever a row or a flexible
 * class comes or goes.
 */
export interface BindingsTable {
  /** Kinds of which some class can satisfy claims. */
  readonly claims: readonly GroupKind[]
  readonly tuples: readonly ClassTuple[]
  readonly problems: readonly RowProblem[]
  /** The typed row of this claim and class. */
  row(claim: GroupKind, classKind: GroupKind): BindingRow | undefined
  /** Typed rows of a kind of claim, direct and supporting. */
  rowsOf(claim: GroupKind): readonly BindingRow[]
  /** The rows by which a claim of this kind may have managed resources of this kind. */
  rowsFor(claim: GroupKind, managed: GroupKind): readonly BindingRow[]
  /** May a claim of this kind have one managed resource of this kind to itself: through a direct row, or a ResourceClass? */
  binds(claim: GroupKind, managed: GroupKind): boolean
  /** Kinds of managed resource that some row or some flexible class makes. */
  managedKinds(claim?: GroupKind): readonly GroupKind[]
  /** Kinds of class that claims of this kind may be provisioned from, aggregated classes included. */
  classKinds(claim?: GroupKind): readonly GroupKind[]
  isManaged(kind: GroupKind): boolean
  isClass(kind: GroupKind): boolean
}

interface Given {
  readonly definitions: readonly KubeObject[]
  readonly resourceClasses?: readonly KubeObject[]
  readonly compositeClasses?: readonly KubeObject[]
}

export function buildTable({ definitions, resourceClasses = [], compositeClasses = [] }: Given): BindingsTable {
  const problems: RowProblem[] = []
  const rows = new Map<string, BindingRow>()
  // By name, so that of two rows that contradict each other the same one always counts.
  for (const definition of [...definitions].sort(byName)) {
    const row = readRow(definition)
    if (isProblem(row)) problems.push(row)
    else {
      const key = pairKey(row.claim, row.class)
      const earlier = rows.get(key)
      if (earlier === undefined) rows.set(key, row)
      else
        problems.push({
          source: row.source,
          message: `${earlier.source} already says how ${row.claim.kind} and ${row.class.kind} are bound`,
        })
    }
  }
  const index = new TableIndex([...rows.values()])
  for (const each of resourceClasses) index.addFlexible(each, RESOURCE_CLASS, [getOwn(specOf(each), 'resource')])
  for (const each of compositeClasses) index.addFlexible(each, COMPOSITE_CLASS, listOf(getOwn(specOf(each), 'resources')))
  return index.finish(rows, problems)
}

class TableIndex {
  readonly #claims = new Map<string, GroupKind>()
  readonly #tuples = new Map<string, ClassTuple>()
  readonly #rowsByClaim = new Map<string, BindingRow[]>()
  /** Kinds of managed resource by kind of claim. */
  readonly #managed = new Map<string, Map<string, GroupKind>>()
  readonly #classes = new Map<string, Map<string, GroupKind>>()
  readonly #direct = new Set<string>()

  constructor(rows: readonly BindingRow[]) {
    for (const row of rows) {
      append(this.#rowsByClaim, formatGroupKind(row.claim), row)
      addKind(this.#managed, row.claim, row.managed)
      addKind(this.#classes, row.claim, row.class)
      this.#claims.set(formatGroupKind(row.claim), row.claim)
      if (!row.direct) continue
      this.#direct.add(pairKey(row.claim, row.managed))
      this.#addTuple(row.claim, row.class)
      this.#addTuple(row.claim, AGGREGATE_CLASS)
    }
  }

  /** F3: a flexible class is a row by itself. */
  addFlexible(object: KubeObject, classKind: GroupKind, templates: readonly unknown[]): void {
    const claim = flexibleClaimOf(object)
    if (claim === undefined || isMachinery(claim)) return
    this.#claims.set(formatGroupKind(claim), claim)
    this.#addTuple(claim, classKind)
    for (const template of templates) {
      const base = isJsonObject(template) ? getOwn(template, 'base') : undefined
      const kind = isJsonObject(base) ? kindFrom(base) : undefined
      if (kind === undefined || isMachinery(kind)) continue
      addKind(this.#managed, claim, kind)
      if (classKind === RESOURCE_CLASS) this.#direct.add(pairKey(claim, kind))
    }
  }

  finish(rows: ReadonlyMap<string, BindingRow>, problems: readonly RowProblem[]): BindingsTable {
    const rowsOf = (claim: GroupKind): readonly BindingRow[] => this.#rowsByClaim.get(formatGroupKind(claim)) ?? []
    const isAmong = (kinds: readonly GroupKind[]): ((kind: GroupKind) => boolean) => {
      const names = new Set(kinds.map(formatGroupKind))
      return (kind) => names.has(formatGroupKind(kind))
    }
    return {
      claims: [...this.#claims.values()],
      tuples: [...this.#tuples.values()],
      problems,
      row: (claim, classKind) => rows.get(pairKey(claim, classKind)),
      rowsOf,
      rowsFor: (claim, managed) => rowsOf(claim).filter((row) => row.managed.group === managed.group && row.managed.kind === managed.kind),
      binds: (claim, managed) => this.#direct.has(pairKey(claim, managed)),
      managedKinds: (claim) => kindsOf(this.#managed, claim),
      classKinds: (claim) => kindsOf(this.#classes, claim),
      isManaged: isAmong(kindsOf(this.#managed, undefined)),
      isClass: isAmong([AGGREGATE_CLASS, RESOURCE_CLASS, COMPOSITE_CLASS, ...kindsOf(this.#classes, undefined)]),
    }
  }

  #addTuple(claim: GroupKind, classKind: GroupKind): void {
    this.#tuples.set(pairKey(claim, classKind), { claim, class: kindOnly(classKind) })
    addKind(this.#classes, claim, classKind)
  }
}

type KindsByClaim = Map<string, Map<string, GroupKind>>

function addKind(kinds: KindsByClaim, claim: GroupKind, kind: GroupKind): void {
  const key = formatGroupKind(claim)
  const known = kinds.get(key) ?? new Map<string, GroupKind>()
  known.set(formatGroupKind(kind), kindOnly(kind))
  kinds.set(key, known)
}

/** Of one kind of claim, or of all. */
function kindsOf(kinds: KindsByClaim, claim: GroupKind | undefined): readonly GroupKind[] {
  const found = claim === undefined ? new Map([...kinds.values()].flatMap((each) => [...each])) : kinds.get(formatGroupKind(claim))
  return [...(found?.values() ?? [])]
}

/** `spec.claim` of a ResourceClass or CompositeResourceClass. */
export function flexibleClaimOf(object: KubeObject): GroupKind | undefined {
  const claim = getOwn(specOf(object), 'claim')
  return isJsonObject(claim) ? kindFrom(claim) : undefined
}

function kindFrom(reference: object): GroupKind | undefined {
  const apiVersion = getOwn(reference, 'apiVersion')
  const kind = getOwn(reference, 'kind')
  if (typeof apiVersion !== 'string' || typeof kind !== 'string' || kind === '') return undefined
  return { group: parseGroupVersion(apiVersion).group, kind }
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
const pairKey = (claim: GroupKind, classKind: GroupKind): string => `${formatGroupKind(claim)} ${formatGroupKind(classKind)}`
const byName = (a: KubeObject, b: KubeObject): number => ((a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1)

function append<T>(map: Map<string, T[]>, key: string, value: T): void {
  const list = map.get(key)
  if (list === undefined) map.set(key, [value])
  else list.push(value)
}

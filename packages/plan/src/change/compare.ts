import { deepEqual, getOwn, isJsonObject, type KubeObject, specOf } from '@weft/api'
import { childrenOf, EXTERNAL_NAME, findReferences, type FieldPath, pathOf, type TraceRef, traceKey, writeField } from '@weft/composition'
import { fieldChanges, mapTexts, wishOf } from './field-changes.ts'
import type { Snapshot } from './snapshot.ts'
import { type Change, type FieldChange, KNOWN_AFTER_APPLY, type PlannedChange } from './plan.ts'
import { standIns } from './stand-ins.ts'

/** What became of the world: each object of the change first, with what hangs below it, then everything else. */
export function compareWorlds(before: Snapshot, after: Snapshot, change: Change, namespace: string): readonly PlannedChange[] {
  const given = new Map<string, KubeObject | undefined>([
    ...(change.delete ?? []).map((ref): [string, undefined] => [traceKey(ref), undefined]),
    ...(change.apply ?? []).map((object): [string, KubeObject] => [traceKey(refOf(object)), object]),
  ])
  const keysOf = (object: KubeObject): readonly string[] => [traceKey(refOf(object)), traceKey({ ...refOf(object), namespace: '' })]
  const isGiven = (object: KubeObject): boolean => keysOf(object).some((key) => given.has(key))
  const authored = (object: KubeObject): KubeObject | undefined => given.get(keysOf(object).find((key) => given.has(key)) ?? '')
  const drafts = new Map<string, Draft>()
  for (const key of new Set([...before.keys(), ...after.keys()])) {
    const draft = draftOf(before.get(key), after.get(key))
    const object = after.get(key) ?? before.get(key)
    if (draft !== undefined && object !== undefined) drafts.set(traceKey(refOf(object)), draft)
  }
  const roots = [...(change.apply ?? []).map(refOf), ...(change.delete ?? [])].map((ref) => located(ref, before, after, namespace))
  const sorted = new Sorter(drafts, byTraceKey(before), byTraceKey(after)).sort(roots)
  const created = sorted.flatMap(({ action, after: object }) => (action === 'create' && object !== undefined ? [object] : []))
  const standIn = standIns(created, isGiven)
  return sorted.map((draft) => finish(draft, standIn, authored))
}

interface Draft {
  readonly action: PlannedChange['action']
  readonly depth?: number
  readonly why?: string
  readonly before: KubeObject | undefined
  readonly after: KubeObject | undefined
}

function draftOf(before: KubeObject | undefined, after: KubeObject | undefined): Draft | undefined {
  // Snapshots share what nobody wrote to.
  if (before === after) return undefined
  if (before === undefined) return { action: 'create', before, after }
  const why = whyKept(before)
  if (after === undefined) return { action: 'delete', before, after, ...(why !== undefined && { why }) }
  if (after.metadata.deletionTimestamp !== undefined && before.metadata.deletionTimestamp === undefined) {
    const waits = `it is deleted when ${(after.metadata.finalizers ?? []).join(', ')} is removed`
    return { action: 'delete', before, after: undefined, why: waits }
  }
  return deepEqual(wishOf(before), wishOf(after)) ? undefined : { action: 'update', before, after }
}

/** The external name of what goes together with an object; undefined where nothing does. */
export function destroyedWith(object: KubeObject): string | undefined {
  if (!hasAny(object, MANAGED) || whyKept(object) !== undefined) return undefined
  return object.metadata.annotations?.[EXTERNAL_NAME]
}

/** Fields by which a managed resource can be told from what it is made for. */
const MANAGED: readonly string[] = ['forProvider', 'deletionPolicy', 'managementPolicies']
/** Fields of whatever a provider looks after, however old its kind is. */
const OF_PROVIDERS: readonly string[] = [...MANAGED, 'providerRef', 'providerConfigRef']

const hasAny = (object: KubeObject, fields: readonly string[]): boolean =>
  fields.some((field) => getOwn(specOf(object), field) !== undefined)

/** Of a managed resource that is deleted while what it manages stays. */
function whyKept(object: KubeObject): string | undefined {
  const spec = specOf(object)
  if (getOwn(spec, 'deletionPolicy') === 'Orphan') return 'deletionPolicy Orphan keeps the external resource'
  const policies = getOwn(spec, 'managementPolicies')
  const keeps = Array.isArray(policies) && !policies.includes('*') && !policies.includes('Delete')
  return keeps ? 'managementPolicies without Delete keep the external resource' : undefined
}

/** The order in which a reader wants it: down from each object of the change. */
class Sorter {
  readonly #drafts: Map<string, Draft>
  readonly #before: ReadonlyMap<string, KubeObject>
  readonly #after: ReadonlyMap<string, KubeObject>
  readonly #sorted: Draft[] = []
  readonly #seen = new Set<string>()

  constructor(drafts: Map<string, Draft>, before: ReadonlyMap<string, KubeObject>, after: ReadonlyMap<string, KubeObject>) {
    this.#drafts = drafts
    this.#before = before
    this.#after = after
  }

  sort(roots: readonly TraceRef[]): readonly Draft[] {
    for (const root of roots) this.#visit(traceKey(root), 0, false)
    const rest = [...this.#drafts.keys()].filter((key) => !this.#seen.has(key)).toSorted()
    // Those that others hang below come first.
    const isChild = new Set(rest.flatMap((key) => this.#childrenOf(key)))
    for (const key of [...rest.filter((each) => !isChild.has(each)), ...rest]) this.#visit(key, 0, false)
    return this.#sorted
  }

  #visit(key: string, depth: number, parentGoes: boolean): void {
    if (this.#seen.has(key)) return
    this.#seen.add(key)
    const draft = this.#drafts.get(key)
    const stays = this.#after.get(key)
    const kept = parentGoes && stays !== undefined && draft?.action !== 'delete'
    if (kept) this.#sorted.push({ action: 'keep', before: this.#before.get(key), after: stays, depth, why: retained(stays) })
    else if (draft !== undefined) this.#sorted.push({ ...draft, depth })
    const goes = draft?.action === 'delete'
    for (const child of this.#childrenOf(key)) this.#visit(child, draft === undefined && !kept ? depth : depth + 1, goes)
  }

  #childrenOf(key: string): readonly string[] {
    const [before, after] = [this.#before.get(key), this.#after.get(key)]
    const children = [before, after].flatMap((object) => (object === undefined ? [] : childrenOf(object).map(({ ref }) => traceKey(ref))))
    return [...new Set(children)]
  }
}

function retained(object: KubeObject): string {
  const spec = specOf(object)
  const infrastructure = getOwn(spec, 'infrastructure')
  const policy = getOwn(spec, 'reclaimPolicy') ?? (isJsonObject(infrastructure) ? getOwn(infrastructure, 'reclaimPolicy') : undefined)
  return policy === 'Retain' ? 'its reclaimPolicy is Retain' : 'it does not belong to what is deleted alone'
}

function finish(
  { action, depth = 0, why, before, after }: Draft,
  standIn: (text: string) => string,
  authored: (object: KubeObject) => KubeObject | undefined,
): PlannedChange {
  const tidy = (object: KubeObject): KubeObject => mapTexts(wishOf(object), standIn) as KubeObject
  const [was, is] = [before && tidy(before), after && tidy(after)]
  const unknown = action === 'create' && is !== undefined ? withUnknown(is) : is
  const object = refOf((unknown ?? was) as KubeObject)
  const destroys = action === 'delete' && before !== undefined ? destroyedWith(before) : undefined
  return {
    action,
    object,
    depth,
    ...(why !== undefined && { why }),
    ...(was && action !== 'create' && { before: was }),
    ...(unknown && action !== 'delete' && { after: unknown }),
    ...((action === 'create' || action === 'update') && {
      fields: toldFields(action === 'create' ? {} : was, unknown, after && authored(after)),
    }),
    ...(destroys !== undefined && { destroys }),
  }
}

/** What the heading of an object says already. */
const SAID = /^(apiVersion|kind|metadata\.(name|namespace))$/

/** What somebody wrote by hand is theirs, and no bookkeeping. */
function toldFields(before: unknown, after: unknown, authored: KubeObject | undefined): readonly FieldChange[] {
  const written = new Set(authored === undefined ? [] : fieldChanges({}, authored).map(({ path }) => path))
  return fieldChanges(before, after)
    .filter(({ path }) => !SAID.test(path))
    .map(({ bookkeeping, ...field }) => (bookkeeping === true && !written.has(field.path) ? { ...field, bookkeeping } : field))
}

/** Fields that a reference will fill in once what it refers to is there. Providers do that, and nobody else: elsewhere a `…Selector` is a field like others. */
export function withUnknown(object: KubeObject): KubeObject {
  if (!hasAny(object, OF_PROVIDERS)) return object
  let filled = object
  for (const { value, refs, selectors, valuePath, disguised } of findReferences(object)) {
    if ((value !== undefined && value !== null) || disguised || refs.length + selectors.length === 0) continue
    // Names a Secret, and fills nothing.
    if (/secrets?$/i.test(String(valuePath.segments.at(-1)))) continue
    filled = fillIn(filled, valuePath)
  }
  return filled
}

function fillIn(object: KubeObject, path: FieldPath): KubeObject {
  const result = writeField(object, pathOf(...path.segments), KNOWN_AFTER_APPLY)
  return result.ok ? result.value : object
}

function refOf({ apiVersion, kind, metadata }: KubeObject): TraceRef {
  return { apiVersion, kind, ...(metadata.namespace !== undefined && { namespace: metadata.namespace }), name: metadata.name ?? '' }
}

const byTraceKey = (snapshot: Snapshot): ReadonlyMap<string, KubeObject> =>
  new Map([...snapshot.values()].map((object) => [traceKey(refOf(object)), object]))

/** An object of the change may name no namespace where its kind has one. */
function located(ref: TraceRef, before: Snapshot, after: Snapshot, namespace: string): TraceRef {
  if (ref.namespace !== undefined) return ref
  const there = { ...ref, namespace }
  const exists = [before, after].some((snapshot) => [...snapshot.values()].some((object) => traceKey(refOf(object)) === traceKey(there)))
  return exists ? there : ref
}

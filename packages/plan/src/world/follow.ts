import { getOwn, inTurn, type KubeObject } from '@weft/api'
import { childrenOf, CLAIM_UID_LABEL, type TraceRef, traceKey } from '@weft/composition'
import {
  AGGREGATE,
  AGGREGATES,
  type BindingsTable,
  BINDING_DEFINITION,
  buildTable,
  claimantsOf,
  COMPOSITE,
  COMPOSITE_CLASS,
  COMPOSITES,
  kindOfRef,
  RESOURCE_CLASS,
  sameKind,
  specRef,
} from '@weft/controllers'
import { isPlatform, kindOf } from './kinds.ts'
import type { StoredKind } from './world.ts'
import type { WorldReader } from './world-reader.ts'

const AT_ONCE = 8

/** Why an object is looked for: what was made for the change matters to whoever reads the plan, what it hangs on does not. */
interface Step {
  readonly ref: TraceRef
  readonly below: boolean
}

/**
 * Reads objects and all that is tied to them: what was made for them, what they were made for, and who owns them, up and down until nothing is new. So
 * whatever is in the world finds there what it names, and no controller takes for missing, or for an orphan, what merely was not read.
 */
export async function follow(reader: WorldReader, refs: readonly TraceRef[]): Promise<void> {
  const table = tableOf(reader)
  const seen = new Set<string>()
  let steps: readonly Step[] = refs.map((ref) => ({ ref, below: true }))
  while (steps.length > 0) {
    const fresh = new Map<string, Step>()
    for (const { ref, below } of steps) {
      const placed = located(reader, ref)
      if (placed !== undefined && !seen.has(traceKey(placed))) fresh.set(traceKey(placed), { ref: placed, below })
    }
    for (const key of fresh.keys()) seen.add(key)
    const found = await inTurn([...fresh.values()], AT_ONCE, async (step) => tiedTo(reader, table, step))
    steps = found.flat()
  }
}

/** Nothing of the platform is followed: it is there as a whole. */
function located(reader: WorldReader, ref: TraceRef): TraceRef | undefined {
  const kind = reader.stored(kindOf(ref))
  if (kind === undefined || isPlatform(kind)) return undefined
  const { namespace, ...unplaced } = ref
  return kind.namespaced ? { ...unplaced, namespace: namespace ?? 'default' } : unplaced
}

async function tiedTo(reader: WorldReader, table: BindingsTable, { ref, below }: Step): Promise<readonly Step[]> {
  const object = await reader.fetch(ref)
  if (object === 'hidden' && below) reader.hide(ref)
  if (object === undefined || object === 'hidden') return []
  const marked = [...(await heldBy(reader, table, object)), ...(await joinable(reader, table, object))]
  return [
    ...childrenOf(object).map((child) => ({ ref: inNamespaceOf(object, child.ref), below })),
    ...marked.map((each) => ({ ref: refOf(each), below })),
    ...ownersOf(object).map((owner) => ({ ref: owner, below: false })),
  ]
}

/** What a claim has and does not name, or no longer: everything that bears its uid. */
async function heldBy(reader: WorldReader, table: BindingsTable, claim: KubeObject): Promise<readonly KubeObject[]> {
  const { uid } = claim.metadata
  const kinds = table.managedKinds(kindOf(claim))
  if (uid === undefined || kinds.length === 0 || specRef(claim, 'resourceRef')?.name !== undefined) return []
  return selected(
    reader,
    [AGGREGATE, COMPOSITE, ...kinds].flatMap((kind) => reader.stored(kind) ?? []),
    { [CLAIM_UID_LABEL]: uid },
  )
}

/** What a group may take in: where its author gave it a selector, anything with those labels, unless another group is before it. */
async function joinable(reader: WorldReader, table: BindingsTable, group: KubeObject): Promise<readonly KubeObject[]> {
  const adapter = [AGGREGATES, COMPOSITES].find(({ gvk }) => sameKind(gvk, kindOf(group)))
  const selector = adapter?.selectorOf(group) ?? {}
  const claim = kindOfRef(specRef(group, 'claimRef'))
  if (claim === undefined || Object.keys(selector).length === 0 || getOwn(selector, CLAIM_UID_LABEL) !== undefined) return []
  const rivals = reader.stored(kindOf(group))
  if (rivals !== undefined) await reader.read([rivals])
  return selected(
    reader,
    table.managedKinds(claim).flatMap((kind) => reader.stored(kind) ?? []),
    selector,
  )
}

async function selected(
  reader: WorldReader,
  kinds: readonly StoredKind[],
  labels: Readonly<Record<string, string>>,
): Promise<readonly KubeObject[]> {
  const labelSelector = Object.entries(labels)
    .map(([key, value]) => `${key}=${value}`)
    .join(',')
  return (await inTurn(kinds, AT_ONCE, (kind) => reader.select(kind, { labelSelector }))).flat()
}

/** Who it was made or bound for, and whoever else owns it. */
function ownersOf(object: KubeObject): readonly TraceRef[] {
  const { namespace, ownerReferences = [] } = object.metadata
  const claimants = claimantsOf(object).map(({ ref }) => ({ namespace, ...ref }))
  const owners = ownerReferences.map((ref) => ({ ...ref, namespace }))
  return [...claimants, ...owners].flatMap(({ apiVersion, kind, name, namespace: home }) =>
    apiVersion === undefined || kind === undefined || name === undefined
      ? []
      : [{ apiVersion, kind, name, ...(home !== undefined && { namespace: home }) }],
  )
}

const inNamespaceOf = ({ metadata: { namespace } }: KubeObject, ref: TraceRef): TraceRef =>
  ref.namespace === undefined && namespace !== undefined ? { ...ref, namespace } : ref

export function refOf({ apiVersion, kind, metadata: { name = '', namespace } }: KubeObject): TraceRef {
  return { apiVersion, kind, name, ...(namespace !== undefined && { namespace }) }
}

/** Which claims may have what, by the rows and classes that were read. */
export const tableOf = (reader: WorldReader): BindingsTable =>
  buildTable({
    definitions: reader.of(BINDING_DEFINITION),
    resourceClasses: reader.of(RESOURCE_CLASS),
    compositeClasses: reader.of(COMPOSITE_CLASS),
  })

import { deepEqual, getOwn, hasReason, isJsonObject, type KubeObject, messageOf } from '@weft/api'
import { cacheKey, type Client, compareResourceVersions, type InformerReader, type ObjectRef } from '@weft/client'
import { controllerOf } from '@weft/composition'
import { describe, describeObject, referenceTo } from '../binding/claimant.ts'
import type { DefinedKind } from '../definition/definition.ts'
import { CompositeError } from './composite-error.ts'
import { isApplied } from './is-applied.ts'

/** The one owner of the fields that Compositions set; fields of others survive. */
export const COMPOSITE_FIELD_MANAGER = 'weft-composite'

type MaybePromise = KubeObject | undefined | Promise<KubeObject | undefined>

interface Applied {
  readonly desired: KubeObject
  readonly result: KubeObject
}

interface AppliedMembers {
  /** Of the composite. */
  readonly uid: string | undefined
  readonly members: Map<string, Applied>
}

export interface ApplyOptions {
  readonly fieldManager?: string
  readonly takesOver?: boolean
  /** Its name was made up at random a moment ago: what is in memory tells whether somebody has it. */
  readonly isNamedNow?: boolean
}

/** Where a member is, and through what it may be read and written. */
export interface MemberPlace {
  /** Acts as the account that composes (C13). */
  readonly client: Client
  readonly kind: DefinedKind
  /** The kind from memory, once its watch is complete. */
  readonly cache: InformerReader | undefined
}

/**
 * Applies members, and remembers what it applied: a member that is still as it was left, and is wanted as it was, costs no request. What
 * was applied before a restart is told from the members themselves.
 */
export class MemberApplier {
  /** By the name of the composite, which is what is left of one that is gone: it is forgotten at once, however many others there are. */
  readonly #applied = new Map<string, AppliedMembers>()

  /** What is there now, as far as is known without guessing. */
  async observe({ client, kind, cache }: MemberPlace, ref: ObjectRef, owner: KubeObject): Promise<KubeObject | undefined> {
    const last = this.#last(owner, keyOf(kind, ref.name))?.result
    const cached = cache?.get(ref)
    // Memory may lag behind what was just written here; the later of the two counts.
    if (cached !== undefined)
      return last !== undefined && last.metadata.uid === cached.metadata.uid && isLater(last, cached) ? last : cached
    return client.find(kind, ref)
  }

  /**
   * Makes the member what is wanted, unless it is so already; `observed` is what was just seen of it. Refuses what `owner` does not control: composed
   * resources are never taken over (C20), unless `takesOver` says that the server is to decide. Then nobody looks first.
   */
  async apply(
    place: MemberPlace,
    desired: KubeObject,
    owner: KubeObject,
    observed?: KubeObject,
    { fieldManager = COMPOSITE_FIELD_MANAGER, takesOver = false, isNamedNow = false }: ApplyOptions = {},
  ): Promise<{ readonly object: KubeObject; readonly created: boolean }> {
    const address = { name: desired.metadata.name ?? '', namespace: desired.metadata.namespace }
    const look = (): MaybePromise =>
      isNamedNow && place.cache !== undefined ? place.cache.get(address) : this.observe(place, address, owner)
    const existing = observed ?? (takesOver ? undefined : await look())
    if (existing !== undefined && !takesOver) mustBeControlled(existing, owner)
    // Whoever deleted it wants it gone; it is made anew once it is.
    if (existing?.metadata.deletionTimestamp !== undefined) return { object: existing, created: false }
    const { kind, client } = place
    const name = desired.metadata.name ?? ''
    const key = keyOf(kind, name)
    const last = this.#last(owner, key)
    if (existing !== undefined && (last === undefined ? isApplied(existing, desired, fieldManager) : isAsLeft(existing, last, desired))) {
      if (last === undefined) this.#remember(owner, key, { desired, result: existing })
      return { object: existing, created: false }
    }
    const ref = { name, namespace: desired.metadata.namespace }
    const options = { fieldManager, force: true }
    const result = await client.patch(kind, ref, { type: 'apply', body: desired }, options)
    this.#remember(owner, key, { desired, result })
    return { object: result, created: existing === undefined }
  }

  /** The composite is gone, or going. */
  forget({ namespace, name }: ObjectRef): void {
    this.#applied.delete(cacheKey(namespace, name))
  }

  #last(owner: KubeObject, key: string): Applied | undefined {
    const applied = this.#applied.get(placeOf(owner))
    return applied?.uid === owner.metadata.uid ? applied?.members.get(key) : undefined
  }

  #remember(owner: KubeObject, key: string, one: Applied): void {
    const applied = this.#applied.get(placeOf(owner))
    // What was applied for one that had the name before is none of its business.
    if (applied === undefined || applied.uid !== owner.metadata.uid)
      this.#applied.set(placeOf(owner), { uid: owner.metadata.uid, members: new Map([[key, one]]) })
    else applied.members.set(key, one)
  }
}

const placeOf = ({ metadata: { namespace, name = '' } }: KubeObject): string => cacheKey(namespace, name)
const keyOf = ({ group, kind }: DefinedKind, name: string): string => `${kind}.${group}/${name}`

const isLater = (a: KubeObject, b: KubeObject): boolean =>
  compareResourceVersions(a.metadata.resourceVersion, b.metadata.resourceVersion) > 0

function mustBeControlled(member: KubeObject, owner: KubeObject): void {
  const controller = controllerOf(member)
  if (controller?.uid === owner.metadata.uid) return
  const whose = controller === undefined ? 'exists already, and nothing controls it' : `is controlled by ${describe(controller)}`
  throw new CompositeError(
    'MemberRefused',
    `${describe(referenceTo(member))} ${whose}: ${describeObject(owner)} cannot be composed of it; remove it from composedRefs`,
  )
}

/**
 * Nobody changed what it wants of it: neither the composite nor whoever else writes to the member. What others added to it, a provider's annotations above
 * all, is theirs. Status does not count.
 */
function isAsLeft(existing: KubeObject, last: Applied, desired: KubeObject): boolean {
  if (last.result.metadata.uid !== existing.metadata.uid || !deepEqual(last.desired, desired)) return false
  const [was, is] = [last.result.metadata, existing.metadata]
  return (
    holds(is.labels, desired.metadata.labels) &&
    holds(is.annotations, desired.metadata.annotations) &&
    deepEqual(was.ownerReferences, is.ownerReferences) &&
    // Many of Kubernetes' own kinds count no generations.
    ((was.generation !== undefined && was.generation === is.generation) ||
      deepEqual(contentOf(existing), contentOf(last.result)) ||
      holds(contentOf(existing), contentOf(desired)))
  )
}

function contentOf(object: KubeObject): Readonly<Record<string, unknown>> {
  const { apiVersion: _apiVersion, kind: _kind, metadata: _metadata, status: _status, ...content } = object as Record<string, unknown>
  return content
}

/** Whether everything that is wanted is there, whatever else is. Lists are wanted as a whole. */
function holds(there: unknown, wanted: unknown): boolean {
  if (wanted === undefined || !isJsonObject(wanted) || !isJsonObject(there)) return wanted === undefined || deepEqual(there, wanted)
  return Object.keys(wanted).every((key) => holds(getOwn(there, key), getOwn(wanted, key)))
}

/** A refusal of the server, in words that name the member. */
export function applyFailure(desired: KubeObject, error: unknown): CompositeError {
  const why = messageOf(error)
  if (error instanceof CompositeError) return error
  const code = hasReason(error, 'Forbidden')
    ? `forbidden: cannot compose ${describeObject(desired)}: ${why}`
    : `cannot compose ${describeObject(desired)}: ${why}`
  return new CompositeError('ApplyFailed', code, { cause: error })
}

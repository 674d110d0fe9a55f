import type { KubeObject, OwnerReference } from '@weft/api'

const FOREGROUND = 'foregroundDeletion'

/** Is it being deleted in the foreground: waiting for its dependents to go first? */
export const waitsForDependents = ({ metadata }: Pick<KubeObject, 'metadata'>): boolean =>
  metadata.deletionTimestamp !== undefined && (metadata.finalizers ?? []).includes(FOREGROUND)

/**
 * Who depends on whom, by uid of the owner and storage key of the dependent. Counts, per owner, the dependents that its deletion has to
 * wait for, so that an owner of a hundred thousand is not asked to look at all of them each time that one goes.
 */
export class OwnershipGraph {
  /** uid of an owner → keys of its dependents. */
  readonly #dependents = new Map<string, Set<string>>()
  /** uid of an owner → how many of them its deletion in the foreground waits for. */
  readonly #blocking = new Map<string, number>()
  /** key of a dependent → uids of its owners, and whether each has to wait for it. */
  readonly #owners = new Map<string, Owners>()
  /** uid → key of owners that wait. */
  readonly #waiting = new Map<string, string>()
  /** uids of owners that were seen to go while something still depended on them. */
  readonly #gone = new Set<string>()

  get isEmpty(): boolean {
    return this.#dependents.size === 0
  }

  dependentsOf(uid: string): ReadonlySet<string> {
    return this.#dependents.get(uid) ?? NONE
  }

  /** Has this owner gone for certain, whatever is known of its kind by now? */
  isGone(uid: string): boolean {
    return this.#gone.has(uid)
  }

  isBlocked(uid: string): boolean {
    return (this.#blocking.get(uid) ?? 0) > 0
  }

  /** Notes what an object says of itself; answers the keys that are to be looked at again, besides its own. */
  put(key: string, object: Pick<KubeObject, 'metadata'>): string[] {
    const { uid = '', ownerReferences = [] } = object.metadata
    const freed = this.#setOwners(key, ownersOf(uid, ownerReferences))
    if (!waitsForDependents(object)) {
      this.#waiting.delete(uid)
      return freed
    }
    const begins = !this.#waiting.has(uid)
    this.#waiting.set(uid, key)
    return begins ? [...freed, ...this.dependentsOf(uid)] : freed
  }

  /** For objects that name neither owners nor finalizers. */
  clear(key: string): string[] {
    return this.#owners.has(key) ? this.#setOwners(key, NO_OWNERS) : []
  }

  /** Notes that an object is gone; answers the keys that are to be looked at again. */
  remove(key: string, { metadata }: Pick<KubeObject, 'metadata'>): string[] {
    const uid = metadata.uid ?? ''
    this.#waiting.delete(uid)
    const freed = this.#setOwners(key, NO_OWNERS)
    const dependents = this.dependentsOf(uid)
    if (dependents.size > 0) this.#gone.add(uid)
    return [...freed, ...dependents]
  }

  /** Answers the keys of owners that no longer have to wait. */
  #setOwners(key: string, owners: Owners): string[] {
    const before = this.#owners.get(key) ?? NO_OWNERS
    const freed: string[] = []
    for (const [uid, blocking] of owners) {
      this.#dependents.set(uid, (this.#dependents.get(uid) ?? new Set()).add(key))
      if (blocking && before.get(uid) !== true) this.#blocking.set(uid, (this.#blocking.get(uid) ?? 0) + 1)
    }
    for (const [uid, blocking] of before) {
      if (blocking && owners.get(uid) !== true && this.#unblock(uid)) freed.push(this.#waiting.get(uid) as string)
      if (!owners.has(uid)) this.#forget(uid, key)
    }
    if (owners.size === 0) this.#owners.delete(key)
    else this.#owners.set(key, owners)
    return freed
  }

  /** Answers whether that was the last that a waiting owner waited for. */
  #unblock(uid: string): boolean {
    const left = (this.#blocking.get(uid) ?? 0) - 1
    if (left > 0) this.#blocking.set(uid, left)
    else this.#blocking.delete(uid)
    return left <= 0 && this.#waiting.has(uid)
  }

  #forget(uid: string, key: string): void {
    const keys = this.#dependents.get(uid)
    keys?.delete(key)
    if (keys === undefined || keys.size > 0) return
    this.#dependents.delete(uid)
    this.#gone.delete(uid)
  }
}

const NONE: ReadonlySet<string> = new Set()

/** uids of owners, and whether each has to wait. */
interface Owners extends Iterable<readonly [string, boolean]> {
  readonly size: number
  get(uid: string): boolean | undefined
  has(uid: string): boolean
}

const NO_OWNERS: Owners = new Map()

/** Nearly everything that has owners has one: a map for each would take as much memory as a tenth of the object. */
class OneOwner implements Owners {
  readonly size = 1
  readonly #uid: string
  readonly #blocks: boolean

  constructor(uid: string, blocks: boolean) {
    this.#uid = uid
    this.#blocks = blocks
  }

  get(uid: string): boolean | undefined {
    return uid === this.#uid ? this.#blocks : undefined
  }

  has(uid: string): boolean {
    return uid === this.#uid
  }

  *[Symbol.iterator](): Generator<readonly [string, boolean]> {
    yield [this.#uid, this.#blocks]
  }
}

function ownersOf(own: string, references: readonly OwnerReference[]): Owners {
  // An object that names itself as its owner does not wait for itself.
  const blocks = ({ uid, blockOwnerDeletion }: OwnerReference): boolean => blockOwnerDeletion === true && uid !== own
  const [first] = references
  if (first !== undefined && references.length === 1) return new OneOwner(first.uid, blocks(first))
  const owners = new Map<string, boolean>()
  for (const reference of references) owners.set(reference.uid, owners.get(reference.uid) === true || blocks(reference))
  return owners
}

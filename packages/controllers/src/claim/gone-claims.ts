import { formatGroupKind, type GroupKind, type KubeObject } from '@weft/api'
import { cacheKey, type ObjectRef } from '@weft/client'
import { kindOf } from './served-kinds.ts'

const REMEMBERED = 1_000

/**
 * Claims that were seen to go, the latest ones. What carries the uid of one of them has lost its owner. Others that name a claim that is not there are left
 * alone: whoever restores a backup may bring resources back before their claims, and nothing of that must be deleted.
 */
export class GoneClaims {
  /** By uid, oldest first. */
  readonly #claims = new Map<string, KubeObject>()
  readonly #namesakes = new Map<string, Set<KubeObject>>()

  add(claim: KubeObject): void {
    const { uid } = claim.metadata
    if (uid === undefined) return
    const key = keyOf(kindOf(claim), claim.metadata)
    this.#claims.set(uid, claim)
    this.#namesakes.set(key, (this.#namesakes.get(key) ?? new Set()).add(claim))
    for (const [oldest, its] of this.#claims) {
      if (this.#claims.size <= REMEMBERED) return
      this.#forget(oldest, its)
    }
  }

  get size(): number {
    return this.#claims.size
  }

  has(uid: string | undefined): boolean {
    return uid !== undefined && this.#claims.has(uid)
  }

  /** Those that had this name. */
  named(kind: GroupKind, ref: ObjectRef): readonly KubeObject[] {
    return [...(this.#namesakes.get(keyOf(kind, ref)) ?? [])]
  }

  #forget(uid: string, claim: KubeObject): void {
    const key = keyOf(kindOf(claim), claim.metadata)
    this.#claims.delete(uid)
    const namesakes = this.#namesakes.get(key)
    namesakes?.delete(claim)
    if (namesakes?.size === 0) this.#namesakes.delete(key)
  }
}

const keyOf = (kind: GroupKind, { namespace, name }: Partial<ObjectRef>): string =>
  `${formatGroupKind(kind)} ${cacheKey(namespace, name ?? '')}`

import { type GroupKind, type GroupVersionKind, type KubeObject, parseGroupVersion } from '@weft/api'
import { cacheKey, type InformerLease, type InformerReader, type Secret, secretKind, type SharedInformers } from '@weft/client'
import { CONNECTION_SECRET_TYPE, controllerOf } from '@weft/composition'
import type { Request } from '@weft/runtime'
import type { DefinedKind } from '../definition/definition.ts'

interface Watched {
  readonly lease: InformerLease
  readonly unsubscribe: () => void
  /** The composites that are composed of this kind. */
  readonly users: Set<string>
}

const keyOf = ({ group, version, kind }: GroupVersionKind): string => `${kind}.${version}.${group}`

/**
 * Watches on the kinds that the composites of one kind are composed of: started when the first composite needs one, stopped when the last
 * no longer does. A change of a member, or of its connection secret, calls for its composite. No polling.
 */
export class ComposedWatches {
  readonly #informers: SharedInformers
  readonly #owner: GroupKind
  readonly #enqueue: (request: Request) => void
  readonly #watched = new Map<string, Watched>()
  readonly #uses = new Map<string, readonly string[]>()
  readonly #secrets: { readonly lease: InformerLease<Secret>; readonly unsubscribe: () => void } | undefined

  constructor(options: { informers: SharedInformers; owner: GroupKind; secrets: boolean; enqueue: (request: Request) => void }) {
    this.#informers = options.informers
    this.#owner = options.owner
    this.#enqueue = options.enqueue
    this.#secrets = options.secrets ? this.#followSecrets() : undefined
  }

  /** The composite is composed of exactly these kinds from now on. */
  async use({ namespace, name }: Request, kinds: readonly DefinedKind[]): Promise<void> {
    const user = cacheKey(namespace, name)
    const wanted = [...new Set(kinds.map(keyOf))]
    const before = this.#uses.get(user) ?? []
    if (wanted.length === before.length && wanted.every((key) => before.includes(key))) return
    this.#uses.set(user, wanted)
    for (const kind of kinds) this.#watch(kind).users.add(user)
    await this.#leave(
      user,
      before.filter((key) => !wanted.includes(key)),
    )
  }

  /** The composite is gone. */
  async forget({ namespace, name }: Request): Promise<void> {
    const user = cacheKey(namespace, name)
    const before = this.#uses.get(user) ?? []
    this.#uses.delete(user)
    await this.#leave(user, before)
  }

  /** What is known of a kind, once it is complete. */
  reader(kind: GroupVersionKind): InformerReader | undefined {
    const informer = this.#watched.get(keyOf(kind))?.lease.informer
    return informer?.isSynced === true ? informer : undefined
  }

  get kinds(): readonly string[] {
    return [...this.#watched.keys()]
  }

  async close(): Promise<void> {
    const all = [...this.#watched.values()]
    this.#watched.clear()
    this.#uses.clear()
    for (const { unsubscribe } of all) unsubscribe()
    this.#secrets?.unsubscribe()
    await Promise.all([...all.map(({ lease }) => lease.release()), this.#secrets?.lease.release()])
  }

  #watch(kind: DefinedKind): Watched {
    const key = keyOf(kind)
    const known = this.#watched.get(key)
    if (known !== undefined) return known
    const lease = this.#informers.acquire({ kind })
    const watched = { lease, unsubscribe: lease.informer.subscribe(({ object }) => this.#wake(object)), users: new Set<string>() }
    lease.informer.synced.catch(() => undefined)
    this.#watched.set(key, watched)
    return watched
  }

  async #leave(user: string, keys: readonly string[]): Promise<void> {
    for (const key of keys) {
      const watched = this.#watched.get(key)
      watched?.users.delete(user)
      if (watched === undefined || watched.users.size > 0) continue
      this.#watched.delete(key)
      watched.unsubscribe()
      await watched.lease.release()
    }
  }

  /** The composite that controls `object`, if it is of our kind. */
  #wake(object: KubeObject): void {
    const controller = controllerOf(object)
    if (
      controller === undefined ||
      controller.kind !== this.#owner.kind ||
      parseGroupVersion(controller.apiVersion).group !== this.#owner.group
    )
      return
    this.#enqueue({ namespace: object.metadata.namespace, name: controller.name })
  }

  /** A connection secret belongs to a composite, or to a member of one. */
  #followSecrets(): { lease: InformerLease<Secret>; unsubscribe: () => void } {
    const lease = this.#informers.acquire({ kind: secretKind, fieldSelector: `type=${CONNECTION_SECRET_TYPE}` })
    lease.informer.synced.catch(() => undefined)
    const unsubscribe = lease.informer.subscribe(({ object }) => {
      const controller = controllerOf(object)
      if (controller === undefined) return
      const { group, version } = parseGroupVersion(controller.apiVersion)
      if (controller.kind === this.#owner.kind && group === this.#owner.group) this.#enqueue({ name: controller.name })
      const member = this.#watched.get(keyOf({ group, version, kind: controller.kind }))?.lease.informer.get({ name: controller.name })
      if (member !== undefined) this.#wake(member)
    })
    return { lease, unsubscribe }
  }
}

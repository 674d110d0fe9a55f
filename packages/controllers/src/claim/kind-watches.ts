import { formatGroupKind, type GroupKind, type KubeObject } from '@weft/api'
import type { Change, Client, IndexFunction, InformerLease, InformerReader, ObjectRef, SharedInformers } from '@weft/client'
import { kindOnly, sameKind } from '../bindings-table/well-known.ts'
import { managedResourceDefinitionKind } from '../definition/kinds.ts'

export interface KindWatchesOptions {
  readonly informers: SharedInformers
  /** Told of every change of a watched kind. Quick, and does not throw. */
  readonly onChange: (kind: GroupKind, change: Change) => void
  /** How objects of a kind are filed. */
  readonly indexes: (kind: GroupKind) => Readonly<Record<string, IndexFunction>>
}

/**
 * Watches a set of kinds that changes at run time. A controller's own watches are fixed when it starts; which kinds claims are bound to is
 * data. Informers are shared with whoever else watches the kind.
 */
export class KindWatches {
  readonly #options: KindWatchesOptions
  readonly #watched = new Map<string, { readonly kind: GroupKind; readonly lease: InformerLease; readonly unsubscribe: () => void }>()

  constructor(options: KindWatchesOptions) {
    this.#options = options
  }

  /** From now on exactly these. */
  watch(kinds: readonly GroupKind[]): void {
    const wanted = new Map(kinds.map((kind) => [formatGroupKind(kind), kindOnly(kind)]))
    for (const [key, entry] of this.#watched) {
      if (wanted.has(key)) continue
      this.#watched.delete(key)
      entry.unsubscribe()
      void entry.lease.release()
    }
    for (const [key, kind] of wanted) {
      const entry = this.#watched.get(key)
      if (entry === undefined) this.#open(key, kind)
      // What a kind is to us may change while it is watched.
      else this.#index(kind, entry.lease)
    }
  }

  /** The kind, from memory; undefined while it is not watched or not complete. */
  reader(kind: GroupKind): InformerReader | undefined {
    const informer = this.#watched.get(formatGroupKind(kind))?.lease.informer
    return informer?.isSynced === true ? informer : undefined
  }

  /** What one kind, or every watched kind, files under this value. A kind that is not complete, or not filed so, has nothing: it never fails. */
  filed(index: string, value: string, kind?: GroupKind): readonly KubeObject[] {
    const entries = kind === undefined ? [...this.#watched.values()] : [this.#watched.get(formatGroupKind(kind))]
    return entries.flatMap((entry) => {
      const informer = entry?.lease.informer
      return informer?.isSynced === true && informer.hasIndex(index) ? informer.byIndex(index, value) : []
    })
  }

  /** From memory where it is there, else from the server: what memory does not have may just be new. */
  async find(client: Client, kind: GroupKind, ref: ObjectRef): Promise<KubeObject | undefined> {
    return this.reader(kind)?.get(ref) ?? (await client.find(kindOnly(kind), ref))
  }

  async stop(): Promise<void> {
    const all = [...this.#watched.values()]
    this.#watched.clear()
    for (const { unsubscribe } of all) unsubscribe()
    await Promise.all(all.map(({ lease }) => lease.release()))
  }

  #open(key: string, kind: GroupKind): void {
    // Of thousands of definitions there must be one copy, and without their schemas: the one that their controller has.
    const lease = this.#options.informers.acquire({
      kind: sameKind(kind, managedResourceDefinitionKind) ? managedResourceDefinitionKind : kind,
    })
    this.#index(kind, lease)
    // Registered first: subscribing already reports what is there.
    const entry = { kind, lease, unsubscribe: (): void => undefined }
    this.#watched.set(key, entry)
    const unsubscribe = lease.informer.subscribe((change) => this.#options.onChange(kind, change))
    this.#watched.set(key, { kind, lease, unsubscribe })
  }

  #index(kind: GroupKind, { informer }: InformerLease): void {
    for (const [name, keysOf] of Object.entries(this.#options.indexes(kind))) if (!informer.hasIndex(name)) informer.addIndex(name, keysOf)
  }
}

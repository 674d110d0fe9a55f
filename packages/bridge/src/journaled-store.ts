import { type KubeObject, messageOf } from '@weft/api'
import type { Journal } from './journal.ts'
import type { ResourceRecord } from './resource-record.ts'
import { isPermanent, type StateStore } from './state-store.ts'

/** Points between two steps of a change. A test that ends the process at each of them tells whether anything gets lost. */
export type Point = 'noted' | 'answered' | 'journaled' | 'stored'

export interface RecordStore {
  load(resource: KubeObject): Promise<ResourceRecord | undefined>
  save(resource: KubeObject, record: ResourceRecord): Promise<void>
  /** What a change came to. Resolves when it cannot get lost any more, be it that only the journal has it. */
  saveOutcome(resource: KubeObject, record: ResourceRecord, operation: string): Promise<void>
  remove(resource: KubeObject): Promise<void>
  /** Why the API server does not take the record, which is kept in the journal only. */
  unsaved(resource: KubeObject): string | undefined
}

export interface JournalOptions {
  readonly journal: Journal
  /**
   * Is the API server in this process? What it acknowledges is on disk as soon as it would be in the journal, which is then only for what it does not
   * take.
   */
  readonly near?: boolean | undefined
  readonly reached?: ((point: Point) => Promise<void>) | undefined
}

/**
 * Records in the API server, with a journal before it. What the API server did not get before a crash it gets when the resource is looked at
 * next; what it will never take (it is too large) stays in the journal, and is worked with from there.
 */
export function journaledStore(
  store: StateStore,
  { journal, near = false, reached }: JournalOptions,
  refused: Map<string, string>,
): RecordStore {
  const uidOf = ({ metadata }: KubeObject): string => metadata.uid ?? ''
  const settle = async (resource: KubeObject): Promise<void> => {
    refused.delete(uidOf(resource))
    await journal.remove(uidOf(resource))
  }
  const keepHere = async (resource: KubeObject, error: unknown, record: ResourceRecord, operation: string): Promise<void> => {
    await journal.write(uidOf(resource), { operation, record })
    refused.set(uidOf(resource), messageOf(error))
  }
  const isTaken = (resource: KubeObject, record: ResourceRecord): Promise<boolean> =>
    store.save(resource, record).then(
      () => true,
      () => false,
    )
  return {
    async load(resource) {
      const entry = await journal.read(uidOf(resource))
      const stored = await store.load(resource)
      if (entry === undefined) return stored
      // The note of a change is taken away with what the change came to: another note, or none, means that it is stored.
      if (stored !== undefined && stored.operation?.id !== entry.operation) {
        await settle(resource)
        return stored
      }
      try {
        await store.save(resource, entry.record)
        await settle(resource)
      } catch (error) {
        if (!isPermanent(error)) throw error
        refused.set(uidOf(resource), messageOf(error))
      }
      return entry.record
    },
    async save(resource, record) {
      try {
        await store.save(resource, record)
      } catch (error) {
        const entry = isPermanent(error) ? await journal.read(uidOf(resource)) : undefined
        if (entry === undefined) throw error
        return keepHere(resource, error, record, entry.operation)
      }
      await settle(resource)
    },
    async saveOutcome(resource, record, operation) {
      if (near && (await isTaken(resource, record))) {
        await settle(resource)
        await reached?.('stored')
        return
      }
      const before = await journal.read(uidOf(resource))
      const under = before?.operation ?? operation
      // A disk that is full must not keep the API server from getting it.
      await journal.write(uidOf(resource), { operation: under, record }).catch(() => undefined)
      await reached?.('journaled')
      try {
        await store.save(resource, record, { patient: true })
      } catch (error) {
        return keepHere(resource, error, record, under)
      }
      await settle(resource)
      await reached?.('stored')
    },
    async remove(resource) {
      await settle(resource)
      await store.remove(resource)
    },
    unsaved: (resource) => refused.get(uidOf(resource)),
  }
}

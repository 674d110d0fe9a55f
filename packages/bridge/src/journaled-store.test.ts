import type { KubeObject } from '@weft/api'
import { describe, expect, it } from 'vitest'
import { type Journal, memoryJournal } from './journal.ts'
import { journaledStore, type Point } from './journaled-store.ts'
import type { ResourceRecord } from './resource-record.ts'
import type { StateStore } from './state-store.ts'

const resource: KubeObject = { apiVersion: 'x/v1', kind: 'Thing', metadata: { name: 'a', uid: 'u' } }
const record: ResourceRecord = { type: 'x_thing', provider: 'x', externalName: 'a-1' }

/** A store that does not take the first so many writes. */
function open({ near, refusals = 0 }: { readonly near: boolean; readonly refusals?: number }) {
  const points: Point[] = []
  const written: string[] = []
  let stored: ResourceRecord | undefined
  let left = refusals
  const store: StateStore = {
    load: () => Promise.resolve(stored),
    save: (_resource, next) => {
      if (left-- > 0) return Promise.reject(new Error('not now'))
      stored = next
      return Promise.resolve()
    },
    remove: () => Promise.resolve(),
  }
  const kept = memoryJournal()
  const journal: Journal = {
    ...kept,
    write: (uid, entry) => {
      written.push(uid)
      return kept.write(uid, entry)
    },
  }
  const reached = (point: Point): Promise<void> => Promise.resolve(void points.push(point))
  return { ...journaledStore(store, { journal, near, reached }, new Map()), points, written, kept, stored: () => stored }
}

describe('what a change came to', () => {
  it('is in the journal before the API server is asked to take it', async () => {
    const store = open({ near: false })
    await store.saveOutcome(resource, record, 'op')
    expect([store.points, store.written, store.stored()]).toEqual([['journaled', 'stored'], ['u'], record])
    expect(await store.kept.read('u')).toBeUndefined()
  })

  it('needs no journal where the API server is in this process, and takes it', async () => {
    const store = open({ near: true })
    await store.saveOutcome(resource, record, 'op')
    expect([store.points, store.written, store.stored()]).toEqual([['stored'], [], record])
  })

  it('is in the journal where even that one does not take it', async () => {
    const store = open({ near: true, refusals: 2 })
    await store.saveOutcome(resource, record, 'op')
    expect([store.written.length > 0, store.stored()]).toEqual([true, undefined])
    expect((await store.kept.read('u'))?.record).toEqual(record)
    expect(store.unsaved(resource)).toBe('not now')
  })
})

import type { KubeObject } from '@weft/api'
import { describe, expect, it } from 'vitest'
import { reclaim, reclaimPolicyOf } from './reclaim.ts'

const resource = (spec: unknown, metadata: KubeObject['metadata'] = {}): KubeObject => ({
  apiVersion: 'example.org/v1',
  kind: 'Thing',
  metadata: { name: 'a', ...metadata },
  spec,
})

describe('what happens to a resource when its claimant goes (C25)', () => {
  it.each([
    { spec: { reclaimPolicy: 'Delete' }, place: 'spec', policy: 'Delete', reason: 'it says so' },
    { spec: { reclaimPolicy: 'Retain' }, place: 'spec', policy: 'Retain', reason: 'it says so' },
    { spec: {}, place: 'spec', policy: 'Retain', reason: 'one that says nothing was there before' },
    { spec: { reclaimPolicy: 'delete' }, place: 'spec', policy: 'Retain', reason: 'what is not understood deletes nothing' },
    { spec: 'Delete', place: 'spec', policy: 'Retain', reason: 'nor does what is not an object' },
    { spec: undefined, place: 'spec', policy: 'Retain', reason: 'nor does what has no spec' },
    { spec: { infrastructure: { reclaimPolicy: 'Delete' } }, place: 'spec.infrastructure', policy: 'Delete', reason: 'it says so there' },
    { spec: { reclaimPolicy: 'Delete' }, place: 'spec.infrastructure', policy: 'Retain', reason: "a user's own field is no policy" },
  ] as const)('$policy: $reason', ({ spec, place, policy }) => {
    expect(reclaimPolicyOf(resource(spec), place)).toBe(policy)
  })

  it.each([
    { policy: 'Delete', metadata: {}, done: ['remove'], reason: 'it goes' },
    { policy: 'Delete', metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' }, done: [], reason: 'it goes already, as somebody said' },
    { policy: 'Retain', metadata: {}, done: ['free'], reason: 'it stays' },
    { policy: 'Retain', metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' }, done: ['free'], reason: 'its claimant must not hold it' },
  ] as const)('$policy: $reason', async ({ policy, metadata, done }) => {
    const calls: string[] = []
    const answer = await reclaim(resource({}, metadata), {
      policy,
      remove: async () => void calls.push('remove'),
      free: async () => void calls.push('free'),
    })
    expect([answer, calls]).toEqual([policy, [...done]])
  })
})

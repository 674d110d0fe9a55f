import { describe, expect, it } from 'vitest'
import { haveSameOwners } from './same-owners.ts'

const json = (metadata: object, rest: object = {}): Buffer => Buffer.from(JSON.stringify({ metadata, ...rest }))
const owner = (uid: string, name = 'a'): object => ({ apiVersion: 'v1', kind: 'ConfigMap', name, uid })

describe('haveSameOwners', () => {
  const ownerReferences = [owner('1'), owner('2')]
  const cases: readonly { reason: string; before: Buffer; after: Buffer; same: boolean }[] = [
    {
      reason: 'something else was written',
      before: json({ ownerReferences }, { spec: { size: 1 } }),
      after: json({ labels: { a: 'b' }, ownerReferences }, { spec: { size: 2 } }),
      same: true,
    },
    { reason: 'an owner more', before: json({ ownerReferences: [owner('1')] }), after: json({ ownerReferences }), same: false },
    { reason: 'an owner less', before: json({ ownerReferences }), after: json({ ownerReferences: [owner('1')] }), same: false },
    { reason: 'the first owner', before: json({}), after: json({ ownerReferences }), same: false },
    { reason: 'no owner any more', before: json({ ownerReferences }), after: json({}), same: false },
    {
      reason: 'another name under the same uid',
      before: json({ ownerReferences: [owner('1', 'a')] }),
      after: json({ ownerReferences: [owner('1', 'b')] }),
      same: false,
    },
    {
      reason: 'a uid that looks like the end of the list',
      before: json({ ownerReferences: [owner('1}]'), owner('2')] }),
      after: json({ ownerReferences: [owner('1}]'), owner('3')] }),
      same: false,
    },
    {
      reason: 'it is deleted',
      before: json({ ownerReferences }),
      after: json({ ownerReferences, deletionTimestamp: '2026-01-01T00:00:00Z' }),
      same: false,
    },
    {
      reason: 'it got a finalizer that the collector serves',
      before: json({ ownerReferences }),
      after: json({ ownerReferences, finalizers: ['foregroundDeletion'] }),
      same: false,
    },
    {
      reason: 'it holds the owners of something else, too',
      before: json({ ownerReferences }, { spec: { ownerReferences: [owner('3')] } }),
      after: json({ ownerReferences }, { spec: { ownerReferences: [owner('3')] } }),
      same: false,
    },
  ]
  it.each(cases)('$reason: $same', ({ before, after, same }) => expect(haveSameOwners(before, after)).toBe(same))
})

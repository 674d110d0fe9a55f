import type { KubeObject } from '@weft/api'
import type { Change, Secret } from '@weft/client'
import type { Known } from '@weft/runtime'
import { describe, expect, test } from 'vitest'
import { untilItReports, untilMemberIsReady } from './patience.ts'

const READY = { conditions: [{ type: 'Ready', status: 'True' }] }
const CREATING = { conditions: [{ type: 'Ready', status: 'False' }] }

const member = (metadata: object = {}, status: object = CREATING): KubeObject => ({
  apiVersion: 'x.org/v1',
  kind: 'Member',
  metadata: { name: 'm', uid: 'u', generation: 1, labels: { a: 'b' }, ...metadata },
  status,
})
const nothing: Known = () => undefined

describe('a member', () => {
  const notes = { annotations: { 'crossplane.io/external-name': 'm' }, finalizers: ['x'], resourceVersion: '2' }
  const updated = (previous: KubeObject, object: KubeObject): Change => ({ type: 'updated', previous, object })

  test.each<[why: string, change: Change]>([
    ['of which a provider writes something down will soon report', updated(member(), member(notes))],
    ['that was just made says nothing of itself yet', { type: 'added', object: member({}, {}) }],
  ])('%s', (_why, change) => expect(untilItReports(change, nothing)).toBeGreaterThan(0))

  test.each<[why: string, change: Change]>([
    ['that reports', updated(member(), member({}, READY))],
    ['that somebody edited', updated(member(), member({ generation: 2 }))],
    ['that is to go', updated(member(), member({ deletionTimestamp: '2026-01-01T00:00:00Z' }))],
    ['whose labels changed', updated(member(), member({ labels: {} }))],
    ['that lost its owner', updated(member({ ownerReferences: [] }), member())],
    ['of a kind that counts no generations', updated(member({ generation: undefined }), member({ ...notes, generation: undefined }))],
    ['that was there before, and has reported', { type: 'added', object: member() }],
    ['that went', { type: 'deleted', object: member() }],
  ])('%s calls at once', (_why, change) => expect(untilItReports(change, nothing)).toBe(0))
})

describe('the secret of a member', () => {
  const secret: Secret = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 's', ownerReferences: [{ apiVersion: 'x.org/v1', kind: 'Member', name: 'm', uid: 'u', controller: true }] },
  }
  const knowing = (object: KubeObject): Known => (() => ({ get: () => object })) as unknown as Known

  test('waits for the report that follows it', () => {
    expect(untilMemberIsReady({ type: 'added', object: secret }, knowing(member()))).toBeGreaterThan(0)
  })

  test.each<[why: string, change: Change<Secret>, known: Known]>([
    ['when the member was ready before', { type: 'added', object: secret }, knowing(member({}, READY))],
    ['when the member is not in memory', { type: 'added', object: secret }, nothing],
    ['when it changes', { type: 'updated', previous: secret, object: secret }, knowing(member())],
    ['when it goes', { type: 'deleted', object: secret }, knowing(member())],
  ])('calls at once %s', (_why, change, known) => expect(untilMemberIsReady(change, known)).toBe(0))
})

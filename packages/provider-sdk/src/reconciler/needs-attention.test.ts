import { type KubeObject, withMeta } from '@weft/api'
import { describe, expect, it } from 'vitest'
import { DELETION_TURN, FINALIZER, OWNERSHIP } from '../resource/annotations.ts'
import { needsAttention } from './needs-attention.ts'

const previous: KubeObject = {
  apiVersion: 'x.org/v1',
  kind: 'X',
  metadata: { name: 'x', uid: '1', generation: 1, resourceVersion: '5', finalizers: [FINALIZER] },
}

const owner = { apiVersion: 'x.org/v1', kind: 'Y', name: 'y', uid: '2' }
const ownership = (state: string): string => JSON.stringify({ uid: '1', state, config: '', name: 'x' })

describe('needsAttention', () => {
  it.each([
    {
      reason: 'our own notes are no news',
      object: withMeta(previous, {
        annotations: { 'crossplane.io/external-create-pending': 'now', 'crossplane.io/external-create-succeeded': 'now' },
      }),
      expected: false,
    },
    {
      reason: 'writing the name down changes nothing',
      object: withMeta(previous, { annotations: { 'crossplane.io/external-name': 'x' } }),
      expected: false,
    },
    {
      reason: 'another external name does',
      object: withMeta(previous, { annotations: { 'crossplane.io/external-name': 'y' } }),
      expected: true,
    },
    { reason: 'a status is no news', object: { ...previous, status: { bindingPhase: 'Bound' } }, expected: false },
    { reason: 'labels are no news', object: withMeta(previous, { labels: { a: 'b' } }), expected: false },
    {
      reason: 'somebody asks',
      object: withMeta(previous, { annotations: { 'crossplane.io/reconcile-requested-at': 'now' } }),
      expected: true,
    },
    { reason: 'paused', object: withMeta(previous, { annotations: { 'crossplane.io/paused': 'true' } }), expected: true },
    { reason: 'the spec changed', object: withMeta(previous, { generation: 2 }), expected: true },
    { reason: 'it is to go', object: withMeta(previous, { deletionTimestamp: 'now' }), expected: true },
    { reason: 'it is another object', object: withMeta(previous, { uid: '2' }), expected: true },
    { reason: 'another owner', object: withMeta(previous, { ownerReferences: [owner] }), expected: true },
    {
      reason: 'what it owns is our own note',
      object: withMeta(previous, { annotations: { [OWNERSHIP]: ownership('held') } }),
      expected: false,
    },
    {
      reason: 'that it asks for a name is decided when it is seen',
      object: withMeta(previous, { annotations: { [OWNERSHIP]: ownership('reserved') } }),
      expected: true,
    },
    {
      reason: 'somebody else’s finalizer is no news',
      object: withMeta(previous, { finalizers: [FINALIZER, 'x.org/other'] }),
      expected: false,
    },
    { reason: 'somebody removed our finalizer', object: withMeta(previous, { finalizers: undefined }), expected: true },
  ])('$reason', ({ object, expected }) => {
    expect(needsAttention({ type: 'updated', object, previous })).toBe(expected)
  })

  it('its turn to go has come: needs it; that it is put in line does not', () => {
    const inLine = withMeta(previous, { finalizers: [FINALIZER, DELETION_TURN] })
    expect(needsAttention({ type: 'updated', object: previous, previous: inLine })).toBe(true)
    expect(needsAttention({ type: 'updated', object: inLine, previous })).toBe(false)
  })

  it('a reservation that it had already is no news', () => {
    const reserved = withMeta(previous, { annotations: { [OWNERSHIP]: ownership('reserved') } })
    expect(needsAttention({ type: 'updated', object: withMeta(reserved, { labels: { a: 'b' } }), previous: reserved })).toBe(false)
  })

  it('what is new needs it, what is gone does not', () => {
    expect(needsAttention({ type: 'added', object: previous })).toBe(true)
    expect(needsAttention({ type: 'deleted', object: previous })).toBe(false)
  })
})

import { type KubeObject, withMeta } from '@weft/api'
import { describe, expect, it } from 'vitest'
import { needsAttention } from './needs-attention.ts'

const previous: KubeObject = {
  apiVersion: 'x.org/v1',
  kind: 'X',
  metadata: { name: 'x', uid: '1', generation: 1, resourceVersion: '5', finalizers: ['finalizer.managedresource.crossplane.io'] },
}

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
    { reason: 'somebody removed our finalizer', object: withMeta(previous, { finalizers: undefined }), expected: true },
  ])('$reason', ({ object, expected }) => {
    expect(needsAttention({ type: 'updated', object, previous })).toBe(expected)
  })

  it('what is new needs it, what is gone does not', () => {
    expect(needsAttention({ type: 'added', object: previous })).toBe(true)
    expect(needsAttention({ type: 'deleted', object: previous })).toBe(false)
  })
})

import type { KubeObject } from '@weft/api'
import { describe, expect, it } from 'vitest'
import { OwnershipGraph } from './ownership-graph.ts'

const object = (uid: string, owners: readonly string[] = [], more: object = {}): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: {
    name: uid,
    uid,
    ...(owners.length > 0 && {
      ownerReferences: owners.map((each) => ({ apiVersion: 'v1', kind: 'ConfigMap', name: each, uid: each, blockOwnerDeletion: true })),
    }),
    ...more,
  },
})
const WAITING = { deletionTimestamp: '2026-01-01T00:00:00Z', finalizers: ['foregroundDeletion'] }

describe('OwnershipGraph', () => {
  it('names each dependent once when an owner begins to wait, and the owner once when the last has gone', () => {
    const graph = new OwnershipGraph()
    const many = 100_000
    graph.put('/top', object('top'))
    const early: string[] = []
    for (let n = 0; n < many; n++) early.push(...graph.put(`/${n}`, object(String(n), ['top'])))
    expect(early).toEqual([])
    expect(graph.put('/top', object('top', [], WAITING))).toHaveLength(many)
    // What is written to the owner meanwhile starts nothing again.
    expect(graph.put('/top', object('top', [], { ...WAITING, labels: { a: 'b' } }))).toHaveLength(0)
    const named: string[] = []
    for (let n = 0; n < many; n++) named.push(...graph.remove(`/${n}`, object(String(n), ['top'])))
    expect(named).toEqual(['/top'])
    expect(graph.isBlocked('top')).toBe(false)
    expect(graph.isEmpty).toBe(true)
  })

  it('remembers that an owner is gone for as long as somebody names it', () => {
    const graph = new OwnershipGraph()
    graph.put('/one', object('one', ['top']))
    expect(graph.remove('/top', object('top'))).toEqual(['/one'])
    expect(graph.isGone('top')).toBe(true)
    graph.remove('/one', object('one', ['top']))
    expect(graph.isGone('top')).toBe(false)
  })

  it('an object that names itself does not wait for itself', () => {
    const graph = new OwnershipGraph()
    graph.put('/self', object('self', ['self'], WAITING))
    expect(graph.isBlocked('self')).toBe(false)
  })

  it('counts an owner that is named twice once', () => {
    const graph = new OwnershipGraph()
    graph.put('/one', object('one', ['top', 'top']))
    graph.put('/top', object('top', [], WAITING))
    expect(graph.put('/one', object('one'))).toEqual(['/top'])
    expect(graph.isBlocked('top')).toBe(false)
  })
})

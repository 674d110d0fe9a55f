import type { KubeObject } from '@weft/api'
import * as fc from 'fast-check'
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

  it('answers what a look at all objects would, whatever happens to them', () => {
    const uid = fc.constantFrom('a', 'b', 'c', 'd')
    const step = fc.record({
      uid,
      owners: fc.uniqueArray(fc.record({ uid, blocking: fc.boolean() }), { selector: (owner) => owner.uid, maxLength: 3 }),
      waits: fc.boolean(),
      goes: fc.boolean(),
    })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        const graph = new OwnershipGraph()
        const live = new Map<string, KubeObject>()
        const owners = (of: KubeObject): NonNullable<KubeObject['metadata']['ownerReferences']> => of.metadata.ownerReferences ?? []
        const dependentsOf = (owner: string): readonly string[] =>
          [...live].filter(([, each]) => owners(each).some((ref) => ref.uid === owner)).map(([key]) => `/${key}`)
        const isBlocked = (owner: string): boolean =>
          [...live].some(([key, each]) => key !== owner && owners(each).some((ref) => ref.uid === owner && ref.blockOwnerDeletion === true))
        const isWaiting = (owner: string): boolean => live.get(owner)?.metadata.deletionTimestamp !== undefined
        const ALL = ['a', 'b', 'c', 'd']
        for (const { uid, owners: wanted, waits, goes } of steps) {
          const known = live.get(uid)
          const blocked = ALL.filter(isBlocked)
          const waited = isWaiting(uid)
          let told: readonly string[]
          let begins: readonly string[] = []
          if (goes) {
            if (known === undefined) continue
            live.delete(uid)
            told = graph.remove(`/${uid}`, known)
            begins = dependentsOf(uid)
            expect(graph.isGone(uid)).toBe(begins.length > 0)
          } else {
            const ownerReferences = wanted.map((each) => ({
              apiVersion: 'v1',
              kind: 'ConfigMap',
              name: each.uid,
              uid: each.uid,
              blockOwnerDeletion: each.blocking,
            }))
            const next = object(uid, [], { ownerReferences, ...(waits && WAITING) })
            live.set(uid, next)
            const isPlain = wanted.length === 0 && !waits && !waited
            told = isPlain ? graph.clear(`/${uid}`) : graph.put(`/${uid}`, next)
            if (waits && !waited) begins = dependentsOf(uid)
          }
          // Owners that wait and no longer have to, and those who depend on one that began to wait, or went.
          const freed = blocked
            .filter((owner) => !isBlocked(owner) && (owner === uid ? waited : isWaiting(owner)))
            .map((owner) => `/${owner}`)
          const certain = freed.filter((key) => key !== `/${uid}`)
          for (const key of [...certain, ...begins]) expect(told).toContain(key)
          for (const key of told) expect([...freed, ...begins]).toContain(key)
          for (const each of ALL) {
            expect([...graph.dependentsOf(each)].toSorted(), each).toEqual(dependentsOf(each).toSorted())
            expect(graph.isBlocked(each), each).toBe(isBlocked(each))
          }
          expect(graph.isEmpty).toBe(ALL.every((each) => dependentsOf(each).length === 0))
        }
      }),
      { numRuns: 300 },
    )
  })
})

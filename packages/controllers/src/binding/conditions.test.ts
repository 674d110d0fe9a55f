import { type KubeObject } from '@weft/api'
import { conditionsOf } from '@weft/composition'
import { describe, expect, it } from 'vitest'
import { available, binding, deleting, notSynced, reverted, stillReverted, synced, waiting, withStatus } from './conditions.ts'

const object = (generation: number): KubeObject => ({ apiVersion: 'v1', kind: 'Thing', metadata: { name: 'a', generation } })

describe('conditions', () => {
  it('X5: each says which generation it is about, and a new generation alone is news', () => {
    const first = withStatus(object(1), { conditions: [available(), synced()], nowMs: 0 })
    expect(conditionsOf(first).map(({ observedGeneration }) => observedGeneration)).toEqual([1, 1])
    expect(withStatus(first, { conditions: [available(), synced()], nowMs: 5_000 })).toBe(first)
    const edited = { ...first, metadata: { ...first.metadata, generation: 2 } }
    const second = withStatus(edited, { conditions: [available()], nowMs: 5_000 })
    expect(conditionsOf(second)).toMatchObject([
      { type: 'Ready', observedGeneration: 2, lastTransitionTime: '1970-01-01T00:00:00Z' },
      { type: 'Synced', observedGeneration: 1 },
    ])
  })

  it('an edit that came while the object was looked at is not what is spoken of', () => {
    const told = withStatus(object(3), { conditions: [available()], generation: 2, nowMs: 0 })
    expect(conditionsOf(told)).toMatchObject([{ observedGeneration: 2 }])
  })

  it('X5: says with its words what machines and people look for', () => {
    expect([available(), synced(), deleting()]).toEqual([
      { type: 'Ready', status: 'True', reason: 'Available' },
      { type: 'Synced', status: 'True', reason: 'ReconcileSuccess' },
      { type: 'Ready', status: 'False', reason: 'Deleting' },
    ])
    expect([waiting('a'), binding('b'), notSynced('c'), reverted('d')]).toEqual([
      { type: 'Ready', status: 'False', reason: 'Waiting', message: 'a' },
      { type: 'Ready', status: 'False', reason: 'Binding', message: 'b' },
      { type: 'Synced', status: 'False', reason: 'ReconcileError', message: 'c' },
      { type: 'Synced', status: 'True', reason: 'Reverted', message: 'd' },
    ])
  })

  it('a word about what was set back stays until the object is edited again, and gives way to an error', () => {
    const told = withStatus(object(1), { conditions: [reverted('set back')], nowMs: 0 })
    expect(stillReverted(told, synced())).toEqual(reverted('set back'))
    expect(stillReverted(told, notSynced('no'))).toEqual(notSynced('no'))
    expect(stillReverted(told, available())).toEqual(available())
    const edited = { ...told, metadata: { ...told.metadata, generation: 2 } }
    expect(stillReverted(edited, synced())).toEqual(synced())
    expect(stillReverted(withStatus(object(1), { conditions: [synced()], nowMs: 0 }), synced())).toEqual(synced())
  })

  it('fields of status are written, those that are undefined removed, and nothing is no change', () => {
    const first = withStatus(object(1), { fields: { a: 1, b: 2 }, nowMs: 0 })
    expect(first['status']).toEqual({ a: 1, b: 2 })
    const second = withStatus(first, { fields: { b: undefined }, nowMs: 0 })
    expect(second['status']).toEqual({ a: 1 })
    expect(withStatus(second, { fields: { a: 1, b: undefined }, nowMs: 0 })).toBe(second)
  })

  it('an object without a generation gets conditions that are about none', () => {
    const thing: KubeObject = { apiVersion: 'v1', kind: 'Thing', metadata: { name: 'a' } }
    const [condition] = conditionsOf(withStatus(thing, { conditions: [available()], nowMs: 0 }))
    expect(condition && 'observedGeneration' in condition).toBe(false)
  })
})

import { type KubeObject } from '@weft/api'
import { conditionsOf } from '@weft/composition'
import { describe, expect, it } from 'vitest'
import { available, synced, withStatus } from './conditions.ts'

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
})

import { describe, expect, it } from 'vitest'
import type { FaultMatch } from '../../wire/admin.ts'
import { FaultInjector, type RequestTraits } from './injector.ts'

const request: RequestTraits = { cloud: 'gcp', account: 'a', kind: 'networks', name: 'n', verb: 'create' }

describe('the fault injector', () => {
  it.each<[FaultMatch, boolean]>([
    [{}, true],
    [{ cloud: 'gcp', verb: 'create' }, true],
    [{ kind: 'networks', name: 'n' }, true],
    [{ cloud: 'aws' }, false],
    [{ verb: 'delete' }, false],
    [{ kind: 'networks', name: 'other' }, false],
  ])('%j hits: %s', (match, hit) => {
    const faults = new FaultInjector()
    faults.add({ match, effect: { type: 'loseAnswer' } })
    expect(faults.strike(request)).toEqual(hit ? { type: 'loseAnswer' } : undefined)
  })

  it('uses up a count, then lets the next fault have its turn', () => {
    const faults = new FaultInjector()
    faults.add({ effect: { type: 'fail' }, count: 2 })
    faults.add({ effect: { type: 'throttle' } })
    expect([1, 2, 3].map(() => faults.strike(request)?.type)).toEqual(['fail', 'fail', 'throttle'])
    expect(faults.list().map(({ hits }) => hits)).toEqual([2, 1])
  })

  it('hits with its probability, the same way for the same seed', () => {
    const run = (seed: number): string => {
      const faults = new FaultInjector()
      faults.add({ effect: { type: 'fail' }, probability: 0.3, seed })
      return Array.from({ length: 500 }, () => (faults.strike(request) === undefined ? '.' : 'x')).join('')
    }
    expect(run(7)).toBe(run(7))
    expect(run(7)).not.toBe(run(8))
    const hits = run(7).split('x').length - 1
    expect(hits).toBeGreaterThan(110)
    expect(hits).toBeLessThan(190)
  })

  it('forgets what is removed', () => {
    const faults = new FaultInjector()
    const { id } = faults.add({ effect: { type: 'fail' } })
    expect(faults.remove('nothing')).toBe(false)
    expect(faults.remove(id)).toBe(true)
    expect(faults.strike(request)).toBeUndefined()
    faults.add({ effect: { type: 'fail' } })
    faults.clear()
    expect(faults.list()).toEqual([])
  })
})

import type { Request } from '@weft/runtime'
import { FakeClock } from '@weft/testing'
import { beforeEach, describe, expect, test } from 'vitest'
import { StormGuard } from './storm-guard.ts'

const ONE: Request = { name: 'one' }
const OTHER: Request = { name: 'one', namespace: 'other' }

let clock: FakeClock
let called: Request[]
let guard: StormGuard
beforeEach(() => {
  clock = new FakeClock()
  called = []
  guard = new StormGuard(clock, (request) => called.push(request))
})

/** So many events, and how many of them called at once. */
const storm = (events: number, request = ONE): number =>
  Array.from({ length: events }, () => guard.admits(request, 'Thing/a')).filter(Boolean).length

describe('K88: a composed resource that changes without end', () => {
  test('honest work passes: a burst, and then one event a second for ever', async () => {
    expect(storm(100)).toBe(100)
    for (let second = 0; second < 500; second++) {
      await clock.advance(1_000)
      expect(storm(1)).toBe(1)
    }
    expect(guard.storm(ONE)).toBeUndefined()
    expect(called).toEqual([])
  })

  test('beyond that it calls once a second, however often it changes, and after its last change', async () => {
    storm(100)
    for (let second = 1; second <= 60; second++) {
      // All within the second: none is earned before it is over.
      expect(storm(1_000)).toBeLessThanOrEqual(1)
      await clock.advance(1_000)
      expect(called).toHaveLength(second)
    }
    const { length } = called
    expect(storm(5)).toBeLessThanOrEqual(1)
    await clock.advance(10_000)
    expect(called).toHaveLength(length + 1)
    expect(new Set(called)).toEqual(new Set([ONE]))
  })

  test('is told of, with what changes, for a minute after it is over', async () => {
    storm(101)
    expect(guard.storm(ONE)).toBe('Thing/a')
    await clock.advance(59_000)
    expect(guard.storm(ONE)).toBe('Thing/a')
    await clock.advance(2_000)
    expect(guard.storm(ONE)).toBeUndefined()
  })

  test('costs no other composite anything, of the same name neither', () => {
    storm(1_000)
    expect(storm(100, OTHER)).toBe(100)
    expect(guard.storm(OTHER)).toBeUndefined()
  })

  test('calls nobody once its composite is gone, and a new one of the name begins anew', async () => {
    storm(200)
    guard.forget(ONE)
    await clock.advance(5_000)
    expect(called).toEqual([])
    expect(storm(100)).toBe(100)
    storm(1)
    guard.close()
    await clock.advance(5_000)
    expect(called).toEqual([])
  })
})

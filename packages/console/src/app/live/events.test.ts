import { expect, it } from 'vitest'
import { kindInfo, objectOf } from '../../world/testing.fixture.ts'
import { type LatestEvents, newestOnly } from './events.ts'

const event = (name: string, minute: number) =>
  objectOf(kindInfo({ kind: 'Event', group: '' }), name, {
    more: { lastTimestamp: `2026-01-01T00:${String(minute).padStart(2, '0')}:00Z` },
  })

it('the newest events stay, whatever came when; older ones are forgotten, and cause no drawing', () => {
  let shown: LatestEvents | undefined
  let drawings = 0
  const sink = newestOnly(2, (latest) => {
    shown = latest
    drawings++
  })
  const names = (): readonly unknown[] => (shown?.events ?? []).map(({ metadata }) => metadata.name)
  sink.replace([event('b', 2), event('d', 4), event('a', 1)])
  expect(names()).toEqual(['d', 'b'])
  sink.become({ phase: 'watching' })
  expect([drawings, shown?.state.phase]).toEqual([2, 'watching'])
  sink.put(event('a', 1))
  sink.remove(event('a', 1))
  expect(drawings).toBe(2)
  sink.put(event('c', 3))
  sink.put(event('b', 5))
  expect(names()).toEqual(['b', 'd'])
  sink.remove(event('d', 4))
  expect(names()).toEqual(['b'])
})

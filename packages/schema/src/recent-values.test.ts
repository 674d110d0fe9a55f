import { describe, expect, it } from 'vitest'
import { RecentValues } from './recent-values.ts'

describe('RecentValues', () => {
  it('tells the last finding about a value, and none about others', () => {
    const values = new RecentValues<string>()
    const value = {}
    values.note(value, 'a')
    values.note(value, 'b')
    expect(values.of(value)).toBe('b')
    expect(values.of({})).toBeUndefined()
    values.note('text', 'a')
    expect([values.of('text'), values.of(null), values.of(undefined)]).toEqual([undefined, undefined, undefined])
  })

  it('forgets what is long ago, however many values come', () => {
    const values = new RecentValues<number>(10)
    const all = Array.from({ length: 35 }, (_, i) => ({ i }))
    all.forEach((value, i) => values.note(value, i))
    expect(values.of(all[0])).toBeUndefined()
    expect(all.slice(-10).map((value) => values.of(value))).toEqual(Array.from({ length: 10 }, (_, i) => 25 + i))
  })
})

import { describe, expect, it } from 'vitest'
import { ROW_HEIGHT, rowsAt } from './visible-rows.ts'

describe('rows that are drawn', () => {
  it('are all of a short list', () => {
    expect(rowsAt(200, 5000, 600)).toEqual({ from: 0, to: 200, above: 0, below: 0 })
  })

  it.each([0, 1, 4321, 9_999 * ROW_HEIGHT, 1e9])('are few of a long one, and all keep their place, scrolled by %i', (scrolled) => {
    const { from, to, above, below } = rowsAt(10_000, scrolled, 700)
    expect(to - from).toBeLessThan(100)
    expect(above + (to - from) * ROW_HEIGHT + below).toBe(10_000 * ROW_HEIGHT)
    const first = Math.min(Math.floor(scrolled / ROW_HEIGHT), 9_999)
    expect(first).toBeGreaterThanOrEqual(from)
    expect(first).toBeLessThan(to)
  })
})

import { describe, expect, test } from 'vitest'
import { Rests } from './rests.ts'

describe('T164: a configuration that is asked too often', () => {
  test('is left alone for a while that doubles, until it has answered for as long', () => {
    let now = 0
    const rests = new Rests(() => now)
    rests.refused('a')
    rests.refused('a')
    expect([rests.leftMs('a'), rests.leftMs('b')], 'calls that were under way together count once').toEqual([2_000, 0])
    rests.answered('a')
    expect(rests.leftMs('a'), 'an answer to an older call says nothing').toBe(2_000)
    now = 2_000
    rests.refused('a')
    expect(rests.leftMs('a')).toBe(4_000)
    for (let i = 0; i < 20; i++) {
      now += rests.leftMs('a')
      rests.refused('a')
    }
    expect(rests.leftMs('a')).toBe(300_000)
    now += 300_000
    rests.answered('a')
    rests.refused('a')
    expect(rests.leftMs('a'), 'an answer right after the rest may be to what is not limited').toBe(300_000)
    now += 600_000
    rests.answered('a')
    rests.refused('a')
    expect(rests.leftMs('a')).toBe(2_000)
  })
})

import { describe, expect, it } from 'vitest'
import { ByteCache } from './byte-cache.ts'

describe('ByteCache', () => {
  it('forgets what was used longest ago', () => {
    const cache = new ByteCache(10)
    cache.set('a', Buffer.alloc(4))
    cache.set('b', Buffer.alloc(4))
    cache.get('a')
    cache.set('c', Buffer.alloc(4))
    expect(['a', 'b', 'c'].map((key) => cache.get(key) !== undefined)).toEqual([true, false, true])
  })

  it('keeps one document that is larger than the budget, alone', () => {
    const cache = new ByteCache(10)
    cache.set('a', Buffer.alloc(4))
    cache.set('big', Buffer.alloc(100))
    expect(['a', 'big'].map((key) => cache.get(key) !== undefined)).toEqual([false, true])
    cache.set('b', Buffer.alloc(4))
    expect(['b', 'big'].map((key) => cache.get(key) !== undefined)).toEqual([true, false])
  })
})

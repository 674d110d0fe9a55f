import { settle } from '@weft/testing'
import { describe, expect, it } from 'vitest'
import { createWorkerPool, type PoolMember } from './worker-pool.ts'

class Source {
  readonly name: string
  readonly log: string[]
  readonly finish: (() => void)[] = []
  left: number
  readonly limit: number
  member!: PoolMember

  constructor(name: string, work: number, log: string[], limit = Number.POSITIVE_INFINITY) {
    this.name = name
    this.left = work
    this.log = log
    this.limit = limit
  }

  begin(): Promise<void> | undefined {
    if (this.left === 0 || this.finish.length >= this.limit) return undefined
    this.left--
    this.log.push(this.name)
    return new Promise<void>((resolve) => this.finish.push(resolve)).then(() => this.member.notify())
  }

  end(): void {
    this.finish.shift()?.()
  }
}

describe('worker pool', () => {
  it('gives turns to controllers in rotation, however long their queues are', async () => {
    const pool = createWorkerPool(1)
    const log: string[] = []
    const big = new Source('big', 100, log)
    const small = new Source('small', 2, log)
    for (const source of [big, small]) (source.member = pool.join(source)).notify()
    await settle()
    for (let i = 0; i < 5; i++) {
      big.end()
      small.end()
      await settle()
    }
    expect(log).toEqual(['big', 'small', 'big', 'small', 'big', 'big'])
  })

  it('never has more at work than its size, and respects what a source allows itself', async () => {
    const pool = createWorkerPool(3)
    const log: string[] = []
    const limited = new Source('limited', 10, log, 1)
    const other = new Source('other', 10, log)
    for (const source of [limited, other]) (source.member = pool.join(source)).notify()
    await settle()
    expect(pool.active).toBe(3)
    expect(log).toEqual(['limited', 'other', 'other'])
    limited.end()
    await settle()
    expect(pool.active).toBe(3)
  })

  it('begins nothing for who has left', async () => {
    const pool = createWorkerPool(1)
    const source = new Source('gone', 1, [])
    source.member = pool.join(source)
    source.member.notify()
    source.member.leave()
    source.member.notify()
    await settle()
    expect(pool.active).toBe(0)
    expect(source.left).toBe(1)
  })
})

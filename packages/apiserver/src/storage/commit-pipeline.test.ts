import { describe, expect, it } from 'vitest'
import { CommitPipeline } from './commit-pipeline.ts'
import type { PipelineTarget } from './commit-pipeline.ts'
import type { PendingWrite, Ref } from './driver.ts'
import { WriteFailedError } from './errors.ts'

/** A target whose commits end when the test says so. */
class ManualTarget implements PipelineTarget {
  readonly published: string[] = []
  readonly #live = new Map<string, Ref>()
  #batch: readonly PendingWrite[] = []
  #settle: { resolve: () => void; reject: (error: unknown) => void } | undefined

  find(key: string): Ref | undefined {
    return this.#live.get(key)
  }

  commit(batch: readonly PendingWrite[]): Promise<void> {
    expect(this.#settle, 'one commit at a time').toBeUndefined()
    this.#batch = batch
    return new Promise((resolve, reject) => (this.#settle = { resolve, reject }))
  }

  publish(batch: readonly PendingWrite[]): void {
    for (const { key, revision, value } of batch) {
      if (value) this.#live.set(key, { key, revision, size: value.byteLength, value })
      else this.#live.delete(key)
      this.published.push(`${key}@${revision}`)
    }
  }

  /** Waits for the next commit to begin; answers what is in it. */
  async started(): Promise<string[]> {
    while (!this.#settle) await turn()
    return this.#batch.map(({ key, revision }) => `${key}@${revision}`)
  }

  async finish(error?: unknown): Promise<void> {
    const settle = this.#settle
    this.#settle = undefined
    if (error === undefined) settle?.resolve()
    else settle?.reject(error)
    await turn()
  }
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
const value = (): Uint8Array => new Uint8Array(1)

/** Keeps rejections handled while the test goes on. */
function outcome(write: Promise<number>): Promise<unknown> {
  return write.catch((error: unknown) =>
    error instanceof Error ? `${error.name} ${(error as { code?: string }).code ?? ''}`.trim() : error,
  )
}

describe('CommitPipeline', () => {
  it('commits what arrives during a commit in the next one', async () => {
    const target = new ManualTarget()
    const pipeline = new CommitPipeline(target, 0)
    const writes = [pipeline.write('a', 0, value), pipeline.write('b', 0, value)]
    expect(await target.started()).toEqual(['a@1', 'b@2'])
    writes.push(pipeline.write('a', 1, value), pipeline.write('c', 0, value))
    await target.finish()
    expect(pipeline.visible).toBe(2)
    expect(await target.started()).toEqual(['a@3', 'c@4'])
    const late = outcome(pipeline.write('a', 1, value))
    await target.finish()
    expect(await late, 'a@3 was still in flight').toBe('ConflictError')
    expect(await Promise.all(writes)).toEqual([1, 2, 3, 4])
    expect(target.published).toEqual(['a@1', 'b@2', 'a@3', 'c@4'])
  })

  it('splits a burst into batches of bounded size', async () => {
    const target = new ManualTarget()
    const pipeline = new CommitPipeline(target, 0, { batchWrites: 3, batchBytes: 100 })
    const sizes = [10, 10, 10, 10, 90, 90, 300]
    const writes = sizes.map((size, i) => pipeline.write(`k${i}`, 0, () => new Uint8Array(size)))
    for (const expected of [['k0@1', 'k1@2', 'k2@3'], ['k3@4', 'k4@5'], ['k5@6'], ['k6@7']]) {
      expect(await target.started()).toEqual(expected)
      await target.finish()
    }
    expect(await Promise.all(writes)).toEqual([1, 2, 3, 4, 5, 6, 7])
  })

  it('rejects everything in flight when the disk is full, forgets it, and goes on with the same revisions', async () => {
    const target = new ManualTarget()
    const pipeline = new CommitPipeline(target, 0)
    const first = pipeline.write('a', 0, value)
    await target.started()
    await target.finish()
    await first

    const lost = [outcome(pipeline.write('a', 1, value)), outcome(pipeline.write('b', 0, value))]
    await target.started()
    lost.push(outcome(pipeline.write('a', 2, null)), outcome(pipeline.write('c', 0, value)))
    await target.finish(new WriteFailedError('DiskFull', new Error('no space')))
    expect(await Promise.all(lost)).toEqual(Array(4).fill('WriteFailedError DiskFull'))
    expect(pipeline.visible).toBe(1)
    expect(target.published).toEqual(['a@1'])

    expect(await outcome(pipeline.write('b', 3, value)), 'b was never written').toBe('ConflictError')
    const again = pipeline.write('a', 1, value)
    expect(await target.started()).toEqual(['a@2'])
    await target.finish()
    expect(await again).toBe(2)
  })

  it.each([
    { reason: 'a create that lost to a create', prepare: 0, winner: value, expected: 0, actual: 1 },
    { reason: 'an update that lost to an update', prepare: 1, winner: value, expected: 7, actual: 2 },
    { reason: 'an update that lost to a delete', prepare: 1, winner: null, expected: 1, actual: 0 },
  ])('tells $reason only when that can be read, however long the disk takes', async ({ prepare, winner, expected, actual }) => {
    const target = new ManualTarget()
    const pipeline = new CommitPipeline(target, 0)
    if (prepare > 0) {
      const first = pipeline.write('a', 0, value)
      await target.started()
      await target.finish()
      await first
    }
    const won = pipeline.write('a', prepare, winner)
    let told = false
    const lost = pipeline.write('a', expected, value).catch((error: unknown) => {
      told = true
      return { error, visible: target.find('a')?.revision ?? 0 }
    })
    await target.started()
    for (let i = 0; i < 20; i++) await turn()
    expect(told, 'the winner is not on disk yet').toBe(false)
    await target.finish()
    await won
    expect(await lost).toMatchObject({ error: { name: 'ConflictError', actual }, visible: actual })
  })

  it('tells whoever lost to a write that failed of the failure: there is no conflict with what never was', async () => {
    const target = new ManualTarget()
    const pipeline = new CommitPipeline(target, 0)
    const outcomes = [outcome(pipeline.write('a', 0, value)), outcome(pipeline.write('a', 0, value))]
    await target.started()
    await target.finish(new WriteFailedError('DiskFull', new Error('no space')))
    expect(await Promise.all(outcomes)).toEqual(Array(2).fill('WriteFailedError DiskFull'))
  })

  it('refuses every write once the driver cannot go on, and still closes', async () => {
    const target = new ManualTarget()
    const pipeline = new CommitPipeline(target, 0)
    const lost = outcome(pipeline.write('a', 0, value))
    await target.started()
    const job = outcome(pipeline.exclusive(() => Promise.resolve()).then(() => 0))
    await target.finish(new Error('the disk is gone'))
    expect(await lost).toBe('WriteFailedError Broken')
    expect(await job).toBe('StorageUnavailableError Broken')
    expect(await outcome(pipeline.write('a', 0, value))).toBe('StorageUnavailableError Broken')
    expect(await outcome(pipeline.exclusive(() => Promise.resolve()).then(() => 0))).toBe('StorageUnavailableError Broken')
    await pipeline.close()
  })

  it('says who serves the data when another process has taken over', async () => {
    const target = new ManualTarget()
    const pipeline = new CommitPipeline(target, 0)
    const lost = outcome(pipeline.write('a', 0, value))
    await target.started()
    await target.finish(new WriteFailedError('Superseded', new Error('the lock is another one')))
    expect(await lost).toBe('WriteFailedError Superseded')
    expect(await outcome(pipeline.write('a', 0, value))).toBe('StorageUnavailableError Superseded')
    expect(await outcome(pipeline.exclusive(() => Promise.resolve()).then(() => 0))).toBe('StorageUnavailableError Superseded')
  })

  it('takes no writes after exclusive work has found that the disk is gone', async () => {
    const pipeline = new CommitPipeline(new ManualTarget(), 0)
    const work = pipeline.exclusive(() => Promise.reject(new WriteFailedError('Broken', 'gone')))
    const behind = outcome(pipeline.exclusive(() => Promise.resolve()).then(() => 0))
    expect(await outcome(work.then(() => 0))).toBe('WriteFailedError Broken')
    expect(await behind).toBe('StorageUnavailableError Broken')
    expect(await outcome(pipeline.write('a', 0, value))).toBe('StorageUnavailableError Broken')
  })

  it('is closed for good, whatever happens to what was in flight', async () => {
    const target = new ManualTarget()
    const pipeline = new CommitPipeline(target, 0)
    const lost = outcome(pipeline.write('a', 0, value))
    await target.started()
    const closed = pipeline.close()
    await target.finish(new Error('the disk is gone'))
    expect(await lost).toBe('WriteFailedError Broken')
    await closed
    expect(await outcome(pipeline.write('a', 0, value))).toBe('StorageUnavailableError Closed')
    expect(await outcome(pipeline.exclusive(() => Promise.resolve()).then(() => 0))).toBe('StorageUnavailableError Closed')
  })

  it('runs exclusive work between commits, and gives its failure to its caller alone', async () => {
    const target = new ManualTarget()
    const pipeline = new CommitPipeline(target, 0)
    const order: string[] = []
    const first = pipeline.write('a', 0, value).then(() => order.push('a'))
    await target.started()
    const work = pipeline.exclusive(async () => void order.push('work'))
    const failing = outcome(pipeline.exclusive(() => Promise.reject(new WriteFailedError('DiskFull', 'full'))).then(() => 0))
    const second = pipeline.write('b', 0, value).then(() => order.push('b'))
    expect(order).toEqual([])
    await target.finish()
    expect(await target.started()).toEqual(['b@2'])
    expect(order).toEqual(['a', 'work'])
    await target.finish()
    await Promise.all([first, work, second])
    expect(await failing).toBe('WriteFailedError DiskFull')
    expect(order).toEqual(['a', 'work', 'b'])
  })

  it('does not let a value be made inside another', async () => {
    const target = new ManualTarget()
    const pipeline = new CommitPipeline(target, 0)
    let inner: Promise<unknown> | undefined
    const outer = pipeline.write('a', 0, () => {
      inner = outcome(pipeline.write('b', 0, value))
      return value()
    })
    expect(await inner).toBe('TypeError')
    await target.started()
    await target.finish()
    expect(await outer).toBe(1)
  })
})

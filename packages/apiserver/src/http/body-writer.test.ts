import { PassThrough, Writable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { writeBody } from './body-writer.ts'
import { blocksOf, type EncodedBody } from './encode.ts'

const bodyOf = (parts: readonly Buffer[]): EncodedBody => ({
  contentType: 'application/json',
  parts,
  length: parts.reduce((sum, part) => sum + part.length, 0),
})
const pattern = (length: number, salt: number): Buffer => Buffer.from(Uint8Array.from({ length }, (_, i) => (i * 7 + salt) % 251))

describe('writeBody', () => {
  it.each([
    { reason: 'nothing', sizes: [0] },
    { reason: 'one small part', sizes: [10] },
    { reason: 'small parts', sizes: [1, 2, 3] },
    { reason: 'a part as large as a block', sizes: [512 * 1024] },
    { reason: 'a part larger than a block among small ones', sizes: [5, 1_300_000, 7] },
    { reason: 'many parts that end inside of blocks', sizes: Array.from({ length: 900 }, (_, i) => 2000 + i) },
  ])('writes $reason whole and in order', async ({ sizes }) => {
    const parts = sizes.map(pattern)
    const output = new PassThrough()
    const [received] = await Promise.all([buffer(output), writeBody(output, bodyOf(parts))])
    expect(received.equals(Buffer.concat(parts))).toBe(true)
  })

  it('holds no more than a block beyond what the client takes', async () => {
    let waiting = 0
    let most = 0
    const slow = new Writable({
      highWaterMark: 1,
      write(chunk: Buffer, _encoding, done) {
        waiting += chunk.length
        most = Math.max(most, waiting)
        setImmediate(() => {
          waiting -= chunk.length
          done()
        })
      },
    })
    await writeBody(slow, bodyOf(Array.from({ length: 400 }, () => pattern(20_000, 1))))
    expect(most).toBeLessThanOrEqual(512 * 1024)
  })

  it('gives up without an error when the client goes away', async () => {
    const stuck = new Writable({ highWaterMark: 1, write: () => setImmediate(() => stuck.destroy()) })
    await expect(writeBody(stuck, bodyOf([pattern(2_000_000, 1)]))).resolves.toBeUndefined()
  })
})

describe('blocksOf', () => {
  it('never hands out a block that it goes on writing to', () => {
    const parts = [pattern(600_000, 1), pattern(600_000, 2)]
    const blocks = [...blocksOf(parts)]
    expect(Buffer.concat(blocks).equals(Buffer.concat(parts))).toBe(true)
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { linesOf } from './lines.ts'

async function* chunked(bytes: Buffer, sizes: readonly number[]): AsyncGenerator<Uint8Array> {
  let at = 0
  for (let i = 0; at < bytes.length; i++) {
    const size = sizes[i % sizes.length] ?? 1
    yield bytes.subarray(at, at + size)
    at += size
  }
}

describe('lines of a watch', () => {
  it('are the same however the bytes arrive', async () => {
    const line = fc.string({ unit: 'grapheme', minLength: 1 }).filter((text) => !text.includes('\n'))
    await fc.assert(
      fc.asyncProperty(fc.array(line), fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }), async (lines, sizes) => {
        const seen: string[] = []
        const bytes = Buffer.from(lines.map((text) => `${text}\n`).join(''))
        for await (const each of linesOf(chunked(bytes, sizes))) seen.push(each.toString('utf8'))
        expect(seen).toEqual(lines)
      }),
    )
  })

  it('leave half a line out, and skip empty ones', async () => {
    const seen: string[] = []
    for await (const each of linesOf(chunked(Buffer.from('a\n\nb\nhalf'), [3]))) seen.push(each.toString())
    expect(seen).toEqual(['a', 'b'])
  })
})

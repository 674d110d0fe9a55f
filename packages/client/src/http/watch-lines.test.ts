import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ConnectionError } from '../transport/errors.ts'
import { WatchLines } from './watch-lines.ts'

const line = (name: string): string => `${JSON.stringify({ type: 'ADDED', object: { metadata: { name } } })}\n`

describe('watch lines', () => {
  it('reads events however the bytes are cut', () => {
    const names = ['a', 'ünï€𝄞', 'c']
    const bytes = Buffer.from(names.map(line).join(''))
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: bytes.length })), (cuts) => {
        const lines = new WatchLines()
        const at = [0, ...cuts.toSorted((a, b) => a - b), bytes.length]
        const events = at.slice(1).flatMap((end, i) => lines.push(bytes.subarray(at[i], end)))
        lines.end()
        expect(events.map(({ object }) => object.metadata.name)).toEqual(names)
      }),
    )
  })

  it('keeps integers beyond 2^53', () => {
    const [event] = new WatchLines().push(Buffer.from('{"type":"ADDED","object":{"metadata":{},"n":9007199254740993}}\n'))
    expect(event?.object['n']).toBe(9007199254740993n)
  })

  it('throws what the server reports', () => {
    const status = { kind: 'Status', status: 'Failure', reason: 'Expired', code: 410, message: 'too old' }
    expect(() => new WatchLines().push(Buffer.from(`${JSON.stringify({ type: 'ERROR', object: status })}\n`))).toThrow(
      expect.objectContaining({ status }) as Error,
    )
  })

  it.each([
    { reason: 'that is not JSON', text: 'nonsense\n' },
    { reason: 'that is no event', text: '{"a":1}\n' },
  ])('refuses a line $reason', ({ text }) => {
    expect(() => new WatchLines().push(Buffer.from(text))).toThrow(ConnectionError)
  })

  it('notices that it was cut off within an event', () => {
    const lines = new WatchLines()
    lines.push(Buffer.from('{"type":"ADD'))
    expect(() => lines.end()).toThrow(ConnectionError)
  })
})

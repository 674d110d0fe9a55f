import { PassThrough, Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { describe, expect, it, vi } from 'vitest'
import type { WatchBody, WatchEvent, WatchSink } from '../endpoints/exchange.ts'
import { writeWatch } from './watch-writer.ts'

const event = (name: string, size = 0): WatchEvent => {
  const object = { metadata: { name, padding: 'x'.repeat(size) } }
  return { type: 'ADDED', object: { object, json: Buffer.from(JSON.stringify(object)) } } as unknown as WatchEvent
}
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** A watch whose sink the test holds. */
function watched(): { body: WatchBody; stop: ReturnType<typeof vi.fn>; sink: () => WatchSink } {
  let opened: WatchSink | undefined
  const stop = vi.fn<() => void>()
  const body: WatchBody = {
    open(sink) {
      opened = sink
      return stop
    },
  }
  return { body, stop, sink: () => opened as WatchSink }
}

describe('writeWatch', () => {
  it('sends the events of one turn in one write, one line each', async () => {
    const writes: string[] = []
    const output = new Writable({ write: (chunk: Buffer, _e, done) => (writes.push(chunk.toString()), done()) })
    const { body, sink } = watched()
    writeWatch({ watch: body }, output, () => undefined)
    sink().send([event('a')])
    sink().send([event('b'), event('c')])
    await turn()
    expect(writes).toHaveLength(1)
    expect(
      writes[0]
        ?.trimEnd()
        .split('\n')
        .map((line) => (JSON.parse(line) as { object: { metadata: { name: string } } }).object.metadata.name),
    ).toEqual(['a', 'b', 'c'])
  })

  it.each(['the watch', 'the server'])('sends what is left when %s ends it', async (who) => {
    const output = new PassThrough()
    const { body, stop, sink } = watched()
    const writer = writeWatch({ watch: body }, output, () => undefined)
    sink().send([event('last')])
    if (who === 'the watch') sink().close()
    else writer.end()
    writer.end()
    expect(await text(output)).toContain('last')
    expect(stop).toHaveBeenCalledTimes(1)
  })

  it('stops a watch that closes while it is being opened', async () => {
    const output = new PassThrough()
    const stop = vi.fn<() => void>()
    const body: WatchBody = {
      open(sink) {
        sink.close()
        return stop
      },
    }
    writeWatch({ watch: body }, output, () => undefined)
    expect(await text(output)).toBe('')
    expect(stop).toHaveBeenCalledTimes(1)
  })

  it('cuts off a client that does not read', async () => {
    const output = new Writable({ write: () => undefined })
    const { body, stop, sink } = watched()
    const cut = vi.fn<() => void>()
    writeWatch({ watch: body }, output, cut)
    for (let i = 0; i < 12 && cut.mock.calls.length === 0; i++) {
      sink().send([event(`big-${i}`, 1024 * 1024)])
      await turn()
    }
    expect(cut).toHaveBeenCalledTimes(1)
    expect(stop).toHaveBeenCalledTimes(1)
  })
})

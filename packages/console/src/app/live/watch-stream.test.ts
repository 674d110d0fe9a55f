import { eventually } from '@weft/testing'
import { describe, expect, it } from 'vitest'
import type { WatchControl } from '../../contract.ts'
import { type Api, unreachable } from '../api/api.ts'
import { linesOf } from './lines.ts'
import { openWatchStream, pauseBefore, type Timing, type WatchEnd, type WatchEvent } from './watch-stream.ts'

/** A server of streams that the test writes to. */
function streamServer() {
  const connections: { send(line: object): void; end(): void }[] = []
  const controls: { stream: string; body: WatchControl }[] = []
  let refuse = false
  const api: Api = {
    get: () => Promise.reject(new Error('nothing is read')),
    send: <T>(_: string, path: string, body?: unknown): Promise<T> => {
      if (refuse) return Promise.reject(unreachable(undefined))
      controls.push({ stream: path.split('/').at(-1) ?? '', body: body as WatchControl })
      return Promise.resolve(undefined as T)
    },
    stream: async () => {
      let controller: ReadableStreamDefaultController<Uint8Array> | undefined
      const body = new ReadableStream<Uint8Array>({ start: (c) => void (controller = c) })
      connections.push({
        send: (line) => controller?.enqueue(new TextEncoder().encode(`${JSON.stringify(line)}\n`)),
        end: () => controller?.close(),
      })
      return body
    },
  }
  return { api, connections, controls, refuse: (now: boolean) => void (refuse = now) }
}

const timing: Timing = { now: () => 1000, random: () => 0, sleep: () => Promise.resolve() }

const recorder = () => {
  const events: WatchEvent[] = []
  const ends: WatchEnd[] = []
  return { events, ends, onEvent: (event: WatchEvent) => void events.push(event), onEnd: (end: WatchEnd) => void ends.push(end) }
}

describe('watch stream', () => {
  it('opens what was asked for before and after it connects, and hands each event to its watch', async () => {
    const { api, connections, controls } = streamServer()
    const stream = openWatchStream(api, timing)
    const a = recorder()
    const b = recorder()
    stream.watch('/a?watch=true', a)
    await eventually(() => expect(connections).toHaveLength(1))
    expect(stream.state().phase).toBe('connecting')
    connections[0]?.send({ stream: 's1' })
    await eventually(() => expect(controls).toHaveLength(1))
    expect(controls[0]).toMatchObject({ stream: 's1', body: { open: [{ watch: '1', path: '/a?watch=true' }] } })
    const close = stream.watch('/b?watch=true', b)
    await eventually(() => expect(controls).toHaveLength(2))
    connections[0]?.send({ watch: '2', event: { type: 'ADDED', object: { metadata: { name: 'x' } } } })
    await eventually(() => expect(b.events).toHaveLength(1))
    expect(a.events).toHaveLength(0)
    close()
    await eventually(() => expect(controls[2]?.body.close).toEqual(['2']))
    connections[0]?.send({ watch: '2', event: { type: 'ADDED', object: { metadata: { name: 'late' } } } })
    connections[0]?.send({ watch: '1', end: { status: { code: 410, message: 'too old' } } })
    await eventually(() => expect(a.ends).toEqual([{ status: { code: 410, message: 'too old' } }]))
    expect(b.events).toHaveLength(1)
    stream.close()
  })

  it('ends every watch when the connection breaks, says so, and connects again', async () => {
    const { api, connections, controls } = streamServer()
    const stream = openWatchStream(api, timing)
    const phases: string[] = []
    stream.subscribe(() => phases.push(stream.state().phase))
    const ends: WatchEnd[] = []
    // Begins anew as soon as it ends, as reflectors do.
    const again = (): void => void stream.watch('/a', { onEvent: () => undefined, onEnd: (end) => (ends.push(end), again()) })
    again()
    await eventually(() => expect(connections).toHaveLength(1))
    connections[0]?.send({ stream: 's1' })
    await eventually(() => expect(controls).toHaveLength(1))
    connections[0]?.end()
    await eventually(() => expect(connections).toHaveLength(2))
    expect(ends).toEqual([{}])
    connections[1]?.send({ stream: 's2' })
    await eventually(() => expect(controls.at(-1)).toMatchObject({ stream: 's2', body: { open: [{ path: '/a' }] } }))
    expect(phases).toEqual(['live', 'broken', 'live'])
    stream.close()
  })

  it('ends a watch that could not be opened, so that it is tried again', async () => {
    const { api, connections, refuse } = streamServer()
    const stream = openWatchStream(api, timing)
    await eventually(() => expect(connections).toHaveLength(1))
    connections[0]?.send({ stream: 's1' })
    await eventually(() => expect(stream.state().phase).toBe('live'))
    refuse(true)
    const a = recorder()
    stream.watch('/a', a)
    await eventually(() => expect(a.ends).toEqual([{}]))
    stream.close()
  })

  it('waits longer and longer, but never too long', () => {
    expect([0, 1, 2, 20].map((n) => pauseBefore(n, 0))).toEqual([500, 1000, 2000, 15_000])
    expect(pauseBefore(0, 1)).toBe(375)
  })
})

describe('lines', () => {
  const lines = async (...chunks: readonly (string | Uint8Array)[]): Promise<string[]> => {
    const stream = new ReadableStream<Uint8Array>({
      start: (controller) => {
        for (const chunk of chunks) controller.enqueue(typeof chunk === 'string' ? new TextEncoder().encode(chunk) : chunk)
        controller.close()
      },
    })
    const read: string[] = []
    for await (const line of linesOf(stream)) read.push(line)
    return read
  }

  it('joins what chunks cut apart, even within a letter, and skips empty lines', async () => {
    const e = new TextEncoder().encode('é')
    expect(await lines('one\ntw', 'o\n\n\n', e.slice(0, 1), e.slice(1), '\n', 'unfinished')).toEqual(['one', 'two', 'é'])
  })
})

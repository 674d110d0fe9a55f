import { expired } from '@weft/api'
import type { Transport, WatchEvent } from '@weft/client'
import { describe, expect, it } from 'vitest'
import { FakeClock, settle } from './fake-clock.ts'
import { chaos, type Fault, faultyTransport } from './fault-transport.ts'
import { seededRandom } from './seeded-random.ts'

const resource = { group: '', version: 'v1', plural: 'configmaps', namespace: 'ns', name: 'a' }

function recorded(): { inner: Transport; served: string[] } {
  const served: string[] = []
  const event: WatchEvent = { type: 'ADDED', object: { apiVersion: 'v1', kind: 'ConfigMap', metadata: {} } }
  const inner: Transport = {
    request: async ({ verb }) => {
      served.push(verb)
      return { status: 200, body: verb, warnings: [] }
    },
    async *watch() {
      for (let i = 0; i < 5; i++) yield [event]
    },
    close: () => Promise.resolve(),
  }
  return { inner, served }
}

describe('fault-injecting transport', () => {
  it.each([
    { reason: 'an error', fault: { type: 'error', error: expired('x') }, served: 0, rejects: { code: 410 } },
    { reason: 'a conflict', fault: { type: 'conflict' }, served: 0, rejects: { code: 409 } },
    {
      reason: 'a lost answer, after the write took effect',
      fault: { type: 'lostAnswer' },
      served: 1,
      rejects: { name: 'ConnectionError', mayHaveTakenEffect: true },
    },
  ] as { reason: string; fault: Fault; served: number; rejects: object }[])('makes $reason', async ({ fault, served, rejects }) => {
    const { inner, served: seen } = recorded()
    const transport = faultyTransport(inner, { rules: [{ verb: 'update', plural: 'configmaps', name: 'a', times: 1, fault }] })
    await expect(transport.request({ verb: 'update', resource, object: {} })).rejects.toMatchObject(rejects)
    expect(seen).toHaveLength(served)
    expect((await transport.request({ verb: 'update', resource, object: {} })).body).toBe('update')
    expect(transport.log).toEqual([
      { verb: 'update', path: 'ns/configmaps/a', fault: fault.type },
      { verb: 'update', path: 'ns/configmaps/a' },
    ])
  })

  it('delays, hangs, and lets what does not match pass', async () => {
    const clock = new FakeClock()
    const { inner, served } = recorded()
    const transport = faultyTransport(inner, { clock })
    const remove = transport.inject({ verb: 'get', fault: { type: 'delay', millis: 1000 } })
    const slow = transport.request({ verb: 'get', resource })
    await transport.request({ verb: 'delete', resource })
    expect(served).toEqual(['delete'])
    await clock.advance(1000)
    expect((await slow).body).toBe('get')
    remove()
    transport.inject({ after: 1, fault: { type: 'hang' } })
    await transport.request({ verb: 'get', resource })
    const abort = new AbortController()
    const hanging = transport.request({ verb: 'get', resource, signal: abort.signal })
    await settle()
    abort.abort(new Error('enough'))
    await expect(hanging).rejects.toThrow('enough')
    transport.clear()
    await transport.request({ verb: 'get', resource })
  })

  it('cuts watches', async () => {
    const transport = faultyTransport(recorded().inner)
    const count = async (): Promise<number> => {
      let batches = 0
      for await (const _ of transport.watch({ resource })) batches++
      return batches
    }
    transport.inject({ verb: 'watch', times: 1, fault: { type: 'cut', afterBatches: 2 } })
    transport.inject({ verb: 'watch', times: 1, fault: { type: 'cut', afterBatches: 0, error: expired('x') } })
    expect(await count()).toBe(2)
    await expect(count()).rejects.toMatchObject({ code: 410 })
    expect(await count()).toBe(5)
  })

  it('does the same for the same seed', async () => {
    const run = async (seed: number): Promise<unknown> => {
      const transport = faultyTransport(recorded().inner, { random: seededRandom(seed), rules: chaos(0.5) })
      for (let i = 0; i < 50; i++) await transport.request({ verb: 'update', resource, object: {} }).catch(() => undefined)
      return transport.log.map(({ fault }) => fault)
    }
    expect(await run(1)).toEqual(await run(1))
    expect(await run(1)).not.toEqual(await run(2))
  })
})

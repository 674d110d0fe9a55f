import { internalError } from '@weft/api'
import { createClient, leaseKind } from '@weft/client'
import { FakeClock, faultyTransport, type FaultyTransport, settle, startTestServer, type TestServer } from '@weft/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { silentLog } from '../log/create-log.ts'
import { createLeaderElector } from './create-leader-elector.ts'
import type { LeaderElector } from './leader-elector.ts'

let server: TestServer
let clock: FakeClock
const lease = { namespace: 'default', name: 'weft' }

interface Candidate {
  readonly elector: LeaderElector
  readonly transport: FaultyTransport
  readonly log: string[]
}

function candidate(identity: string): Candidate {
  const transport = faultyTransport(server.transport, { clock })
  const log: string[] = []
  const elector = createLeaderElector(
    { ...lease, identity },
    { client: createClient({ transport }), clock, random: () => 0.5, log: silentLog },
    {
      onStarted: (signal) => {
        log.push('started')
        signal.addEventListener('abort', () => log.push(`aborted at ${clock.now()}`))
      },
      onStopped: async () => void log.push('stopped'),
    },
  )
  return { elector, transport, log }
}

beforeEach(async () => {
  server = await startTestServer()
  clock = new FakeClock(0)
})

afterEach(() => server.close())

describe('leader election', () => {
  it('lets one lead, and the next when that one gives the lease up', async () => {
    const a = candidate('a')
    const b = candidate('b')
    a.elector.start()
    await settle(20)
    b.elector.start()
    await clock.advance(60_000)
    expect([a.elector.isLeader, b.elector.isLeader]).toEqual([true, false])
    expect([a.elector.leader, b.elector.leader]).toEqual(['a', 'a'])
    await a.elector.stop()
    expect(a.log.at(-1)).toBe('stopped')
    await clock.advance(4_000)
    expect(b.elector.isLeader).toBe(true)
    expect((await server.client.get(leaseKind, lease)).spec).toMatchObject({
      holderIdentity: 'b',
      leaseDurationSeconds: 15,
      leaseTransitions: 1,
    })
    await b.elector.stop()
    expect((await server.client.get(leaseKind, lease)).spec?.holderIdentity).toBeUndefined()
    expect(clock.pending).toBe(0)
  })

  it('stops a leader that cannot renew within the renew deadline, before anybody else starts', async () => {
    const a = candidate('a')
    const b = candidate('b')
    a.elector.start()
    await settle(20)
    b.elector.start()
    await clock.advance(10_000)
    expect(a.elector.isLeader).toBe(true)
    const since = clock.now()
    // The worst case: requests neither succeed nor fail.
    a.transport.inject({ fault: { type: 'hang' } })
    let bStartedAt = 0
    for (let i = 0; i < 40 && bStartedAt === 0; i++) {
      await clock.advance(1_000)
      if (b.elector.isLeader) bStartedAt = clock.now()
      expect(a.elector.isLeader && b.elector.isLeader).toBe(false)
    }
    const abortedAt = Number(/aborted at (\d+)/.exec(a.log.join())?.[1])
    expect(abortedAt - since).toBeLessThanOrEqual(10_000)
    expect(bStartedAt).toBeGreaterThan(abortedAt)
    a.transport.clear()
    await clock.advance(20_000)
    expect([a.elector.isLeader, b.elector.isLeader]).toEqual([false, true])
    await Promise.all([a.elector.stop(), b.elector.stop()])
  })

  it.each([
    { reason: 'answers to renewals are lost', rule: { verb: 'update', times: 3, fault: { type: 'lostAnswer' } } },
    { reason: 'renewals meet conflicts', rule: { verb: 'update', times: 3, fault: { type: 'conflict' } } },
    { reason: 'the server fails for a while', rule: { times: 3, fault: { type: 'error', error: internalError('x') } } },
  ] as const)('keeps leading when $reason', async ({ rule }) => {
    const a = candidate('a')
    a.elector.start()
    await settle(20)
    a.transport.inject(rule)
    await clock.advance(30_000)
    expect(a.log).toEqual(['started'])
    await a.elector.stop()
  })

  it('notices at once when somebody else holds the lease', async () => {
    const a = candidate('a')
    a.elector.start()
    await settle(20)
    const held = await server.client.get(leaseKind, lease)
    await server.client.update({ ...held, spec: { ...held.spec, holderIdentity: 'thief' } })
    await clock.advance(2_500)
    expect(a.elector.isLeader).toBe(false)
    expect(a.elector.leader).toBe('thief')
    await clock.advance(17_000)
    expect(a.elector.isLeader).toBe(true)
    await a.elector.stop()
  })

  it('refuses times that would let two lead', () => {
    const services = { client: server.client, clock, random: () => 0, log: silentLog }
    const callbacks = { onStarted: () => undefined, onStopped: () => Promise.resolve() }
    expect(() => createLeaderElector({ ...lease, identity: 'a', leaseDurationMs: 5_000 }, services, callbacks)).toThrow()
  })
})

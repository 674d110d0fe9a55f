import { failure, type KubeObject } from '@weft/api'
import { describe, expect, it } from 'vitest'
import { MANAGED, objectOf } from '../../world/testing.fixture.ts'
import type { CollectionState } from '../../world/world.ts'
import type { Api } from '../api/api.ts'
import { lookInTurn } from './look-in-turn.ts'
import { reflect } from './reflector.ts'
import type { Timing, WatchStream } from './watch-stream.ts'

const forbidden = failure({ code: 403, reason: 'Forbidden', message: 'not yours' })
const pathOf = (name: string): string => `/apis/example.org/v1/servers/${name}`

interface World {
  /** What the server says of an object at its nth look, from 0. */
  readonly answers: (name: string, nth: number) => KubeObject | Error
  /** All ends when it would sleep for the next time: whatever is answered, nothing here goes on for ever. */
  readonly sleeps: number
}

/** Objects that can be got one by one, and time that passes at once. */
function worldOf({ answers, sleeps }: World) {
  const stop = new AbortController()
  const seen = { gets: [] as string[], sleeps: [] as number[] }
  const api: Api = {
    get: async <T>(path: string): Promise<T> => {
      const name = path.slice(`/k8s${pathOf('')}`.length)
      const answer = answers(name, seen.gets.filter((each) => each === name).length)
      seen.gets.push(name)
      if (answer instanceof Error) throw answer
      return answer as T
    },
    send: () => Promise.reject(new Error('nothing is sent')),
    stream: () => Promise.reject(new Error('nothing is streamed')),
  }
  const timing: Timing = {
    now: () => 0,
    random: () => 0,
    sleep: async (ms) => {
      if (seen.sleeps.length === sleeps) stop.abort()
      else seen.sleeps.push(ms)
    },
  }
  const told: string[] = []
  const sinkOf = (name: string) => ({
    replace: ([object]: readonly KubeObject[]) => void told.push(`${name} ${object?.metadata.resourceVersion ?? 'is not there'}`),
    put: () => void told.push(`${name} was put`),
    remove: () => void told.push(`${name} was removed`),
    become: (state: CollectionState) => void told.push(`${name} ${state.phase}`),
  })
  return { stop, seen, told, api, timing, sinkOf }
}

const at = (name: string, nth: number): KubeObject => objectOf(MANAGED, name, { metadata: { resourceVersion: `r${nth}` } })

describe('objects that may be got and not watched', () => {
  it('looks at one object that may be got and not watched, every ten seconds', async () => {
    const { stop, seen, told, api, timing, sinkOf } = worldOf({ answers: at, sleeps: 2 })
    const stream: WatchStream = {
      watch: (_, handler) => (handler.onEnd({ status: { code: 403, message: 'may not watch' } }), () => undefined),
      state: () => ({ phase: 'live' }),
      subscribe: () => () => undefined,
      close: () => undefined,
    }
    // The wait for a server that says nothing is none of the sleeps that are counted.
    const patient: Timing = { ...timing, sleep: (ms, signal) => (ms === 30_000 ? new Promise(() => undefined) : timing.sleep(ms, signal)) }
    const list = { path: '/apis/example.org/v1/servers?fieldSelector=metadata.name%3Da', apiVersion: 'example.org/v1', kind: 'Server' }
    await reflect(sinkOf('a'), { api, stream, timing: patient, ...list, object: pathOf('a'), signal: stop.signal })
    expect(seen).toEqual({ gets: ['a', 'a', 'a'], sleeps: [10_000, 10_000] })
    expect(told).toEqual(['a listing', 'a r0', 'a watching', 'a r1', 'a watching', 'a r2', 'a watching'])
  })

  it('looks at many in turn: all at once first, then ten a second at most', async () => {
    const names = Array.from({ length: 300 }, (_, i) => `m${i}`)
    const { stop, seen, api, timing, sinkOf } = worldOf({ answers: at, sleeps: 300 })
    const looked = names.map((name) => ({ path: pathOf(name), sink: sinkOf(name), signal: stop.signal }))
    await lookInTurn(looked, { api, timing })
    expect(seen.gets.slice(0, 300)).toEqual(names)
    expect(seen.gets).toHaveLength(600)
    expect([seen.sleeps[0], new Set(seen.sleeps.slice(1))]).toEqual([10_000, new Set([100])])
  })

  it('asks less often for what was refused, and shows it when it may be seen; says what is gone and what could not be asked', async () => {
    const answers = (name: string, nth: number): KubeObject | Error => {
      if (name === 'later') return nth === 0 ? forbidden : at(name, nth)
      if (name === 'gone' && nth > 0) return failure({ code: 404, reason: 'NotFound', message: 'gone' })
      if (name === 'down' && nth === 1) return failure({ code: 503, reason: 'ServiceUnavailable', message: 'down' })
      return at(name, nth)
    }
    const { stop, seen, told, api, timing, sinkOf } = worldOf({ answers, sleeps: 3 * 6 })
    const looked = ['later', 'gone', 'down'].map((name) => ({ path: pathOf(name), sink: sinkOf(name), signal: stop.signal }))
    await lookInTurn(looked, { api, timing })
    const of = (name: string): readonly string[] => told.filter((line) => line.startsWith(name)).map((line) => line.slice(name.length + 1))
    expect(of('later')).toEqual(['refused', 'r1', 'watching'])
    expect(of('gone').slice(0, 4)).toEqual(['r0', 'watching', 'is not there', 'watching'])
    expect(of('down').slice(0, 5)).toEqual(['r0', 'watching', 'waiting', 'r2', 'watching'])
    expect(seen.gets.filter((name) => name === 'gone').length).toBeGreaterThan(4)
  })

  it('forgets those that nobody wants any more, and ends with the last', async () => {
    const { seen, api, timing, sinkOf } = worldOf({ answers: at, sleeps: 1000 })
    const [first, second] = [new AbortController(), new AbortController()]
    const slow: Timing = {
      ...timing,
      sleep: async (ms, signal) => {
        await timing.sleep(ms, signal)
        if (seen.sleeps.length === 1) first.abort()
        if (seen.sleeps.length === 7) second.abort()
      },
    }
    const looked = [first, second].map(({ signal }, i) => ({ path: pathOf(`m${i}`), sink: sinkOf(`m${i}`), signal }))
    await lookInTurn(looked, { api, timing: slow })
    expect(seen.gets.filter((name) => name === 'm0')).toHaveLength(1)
    expect(seen.gets.filter((name) => name === 'm1')).toHaveLength(4)
  })
})

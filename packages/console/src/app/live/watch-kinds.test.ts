import { failure } from '@weft/api'
import { eventually } from '@weft/testing'
import { expect, it } from 'vitest'
import { MANAGED, objectOf, refTo } from '../../world/testing.fixture.ts'
import { find } from '../../world/world.ts'
import type { Api } from '../api/api.ts'
import { watchKinds } from './watch-kinds.ts'
import { createWorld } from './world.ts'
import type { Timing, WatchStream } from './watch-stream.ts'

const never: Timing['sleep'] = (_, signal) =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve(undefined), { once: true }))

it('shows each of many members to a user who may get them by name, and neither list nor watch their kind', async () => {
  const names = Array.from({ length: 60 }, (_, i) => `m${i}`)
  const gets: string[] = []
  const watches: string[] = []
  const api: Api = {
    get: async <T>(path: string): Promise<T> => {
      gets.push(path)
      const name = path.split('/').at(-1) ?? ''
      // Somebody else's, among theirs.
      if (name === 'm59') throw failure({ code: 403, reason: 'Forbidden', message: 'not yours' })
      return objectOf(MANAGED, name) as T
    },
    send: () => Promise.reject(new Error('nothing is sent')),
    stream: () => Promise.reject(new Error('the test has its own stream')),
  }
  const stream: WatchStream = {
    watch: (path, handler) => (watches.push(path), handler.onEnd({ status: { code: 403, message: 'may not watch' } }), () => undefined),
    state: () => ({ phase: 'live' }),
    subscribe: () => () => undefined,
    close: () => undefined,
  }
  const world = createWorld({ schedule: (flush) => queueMicrotask(flush) })
  const watching = watchKinds({ api, stream, world, timing: { now: () => 0, random: () => 0, sleep: never } })
  const wish = { kinds: [MANAGED], objects: names.map((name) => ({ kind: MANAGED, namespace: undefined, name })) }
  watching.want(wish, '')
  const seen = (): readonly string[] => names.filter((name) => find(world.snapshot(), refTo(MANAGED, name)))
  await eventually(() => expect(seen()).toHaveLength(59))
  // The kind itself stays what it is: pages that are about all of it say so.
  const collection = world.snapshot().collections.get('Server.example.org')
  expect(collection?.state.phase).toBe('refused')
  expect([...(collection?.partial?.unseen ?? [])]).toEqual(['/m59'])
  expect([watches.length, gets.length]).toEqual([1, 60])
  // The same wish again, and a smaller one, ask for nothing more.
  watching.want(wish, '')
  watching.want({ ...wish, objects: wish.objects.slice(0, 10) }, '')
  await eventually(() => expect(seen()).toHaveLength(10))
  expect(gets).toHaveLength(60)
  watching.stop()
  await eventually(() => expect(world.snapshot().collections.size).toBe(0))
})

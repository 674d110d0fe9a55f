import { failure, type KubeObject } from '@weft/api'
import { describe, expect, it } from 'vitest'
import type { Api } from '../api/api.ts'
import { MANAGED, objectOf } from '../../world/testing.fixture.ts'
import type { CollectionState } from '../../world/world.ts'
import { reflect } from './reflector.ts'
import type { Timing, WatchEvent, WatchHandler, WatchStream } from './watch-stream.ts'

const at = (name: string, resourceVersion: string): KubeObject => objectOf(MANAGED, name, { metadata: { resourceVersion } })

/** A server that answers lists from a script, and whose watches the test drives. */
function scripted(
  lists: readonly (() => unknown)[],
  {
    sendsAll = false,
    isPatient = true,
    object,
  }: { readonly sendsAll?: boolean; readonly isPatient?: boolean; readonly object?: string } = {},
) {
  const stop = new AbortController()
  const seen = { lists: [] as string[], watches: [] as string[], states: [] as CollectionState['phase'][], sleeps: 0 }
  const open: WatchHandler[] = []
  const waiting: (() => void)[] = []
  const api: Api = {
    get: async <T>(path: string): Promise<T> => {
      const answer = lists[seen.lists.length]
      seen.lists.push(path)
      if (answer === undefined) stop.abort()
      return (answer?.() ?? { metadata: {}, items: [] }) as T
    },
    send: () => Promise.reject(new Error('nothing is sent')),
    stream: () => Promise.reject(new Error('the test has its own stream')),
  }
  const stream: WatchStream = {
    watch: (path, handler) => {
      if (!sendsAll && path.includes('sendInitialEvents')) {
        handler.onEnd({ status: { code: 422, message: 'sendInitialEvents is forbidden' } })
        return () => undefined
      }
      seen.watches.push(path)
      open.push(handler)
      for (const wake of waiting.splice(0)) wake()
      return () => undefined
    },
    state: () => ({ phase: 'live' }),
    subscribe: () => () => undefined,
    close: () => undefined,
  }
  const timing: Timing = {
    now: () => 0,
    random: () => 0,
    // No server is silent for so long, unless the test says so.
    sleep: (ms, signal) =>
      isPatient && ms === 30_000
        ? new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
        : (seen.sleeps++, Promise.resolve()),
  }
  const objects = new Map<string, string>()
  const keyOf = ({ metadata }: KubeObject): [string, string] => [metadata.name ?? '', metadata.resourceVersion ?? '']
  const sink = {
    replace: (all: readonly KubeObject[]) => {
      objects.clear()
      for (const object of all) objects.set(...keyOf(object))
    },
    put: (object: KubeObject) => void objects.set(...keyOf(object)),
    remove: ({ metadata }: KubeObject) => void objects.delete(metadata.name ?? ''),
    become: ({ phase }: CollectionState) => void seen.states.push(phase),
  }
  const done = reflect(sink, {
    api,
    stream,
    timing,
    path: '/apis/example.org/v1/servers',
    ...(object !== undefined && { object }),
    apiVersion: 'example.org/v1',
    kind: 'Server',
    signal: stop.signal,
  })
  const watch = async (n: number): Promise<WatchHandler> => {
    while (open.length < n) await new Promise<void>((resolve) => waiting.push(resolve))
    return open[n - 1] as WatchHandler
  }
  return { seen, objects, watch, done, stop }
}

const list =
  (resourceVersion: string, ...items: readonly KubeObject[]) =>
  () => ({ metadata: { resourceVersion }, items })

describe('reflector', () => {
  it('lists all pages, then follows from the revision of the list', async () => {
    const { seen, objects, watch, stop, done } = scripted([
      () => ({ metadata: { resourceVersion: '5', continue: 'more' }, items: [at('a', '1')] }),
      list('5', at('b', '2')),
    ])
    const first = await watch(1)
    expect(seen.lists[1]).toContain('continue=more')
    expect(seen.watches[0]).toContain('resourceVersion=5')
    first.onEvent({ type: 'ADDED', object: at('c', '6') })
    first.onEvent({ type: 'MODIFIED', object: at('a', '7') })
    first.onEvent({ type: 'DELETED', object: at('b', '8') })
    expect(Object.fromEntries(objects)).toEqual({ a: '7', c: '6' })
    stop.abort()
    await done
    expect(seen.states.filter((phase, i) => phase !== seen.states[i - 1])).toEqual(['listing', 'watching'])
  })

  describe('of a server that sends all there is at the beginning of a watch', () => {
    const end = (resourceVersion: string): WatchEvent => ({
      type: 'BOOKMARK',
      object: { ...at('', ''), metadata: { resourceVersion, annotations: { 'k8s.io/initial-events-end': 'true' } } },
    })

    it('is listed after all where it ignores the question and never says that this was all', async () => {
      const { seen, objects, watch, stop, done } = scripted([list('5', at('a', '1'))], { sendsAll: true, isPatient: false })
      const second = await watch(2)
      expect(seen.watches[1]).toContain('resourceVersion=5')
      second.onEvent({ type: 'ADDED', object: at('b', '6') })
      expect(Object.fromEntries(objects)).toEqual({ a: '1', b: '6' })
      expect(seen.states.at(-1)).toBe('watching')
      stop.abort()
      await done
    })

    it('asks for no list, and shows nothing before all has come', async () => {
      const { seen, objects, watch, stop, done } = scripted([], { sendsAll: true })
      const first = await watch(1)
      first.onEvent({ type: 'ADDED', object: at('a', '1') })
      first.onEvent({ type: 'ADDED', object: at('b', '2') })
      expect([seen.states, objects.size]).toEqual([['listing'], 0])
      first.onEvent(end('5'))
      expect(seen.states).toEqual(['listing', 'watching'])
      first.onEvent({ type: 'DELETED', object: at('b', '6') })
      expect(Object.fromEntries(objects)).toEqual({ a: '1' })
      first.onEnd({})
      expect(await watch(2).then(() => seen.watches[1])).toContain('resourceVersion=6')
      expect(seen.lists).toEqual([])
      stop.abort()
      await done
    })

    it('begins anew, after a pause, when it ends before all has come, and drops what is no more', async () => {
      const { seen, objects, watch, stop, done } = scripted([], { sendsAll: true })
      const first = await watch(1)
      first.onEvent({ type: 'ADDED', object: at('a', '1') })
      first.onEnd({})
      const second = await watch(2)
      expect(seen.watches[1]).toContain('sendInitialEvents=true')
      second.onEvent({ type: 'ADDED', object: at('b', '2') })
      second.onEvent(end('9'))
      expect(Object.fromEntries(objects)).toEqual({ b: '2' })
      expect([seen.states, seen.sleeps]).toEqual([['listing', 'waiting', 'listing', 'watching'], 1])
      stop.abort()
      await done
    })

    it.each([
      { code: 403, ends: 'refused' },
      { code: 404, ends: 'absent' },
    ])('gives up on $code: $ends', async ({ code, ends }) => {
      const { seen, watch, done } = scripted([], { sendsAll: true })
      ;(await watch(1)).onEnd({ status: { code, message: 'no' } })
      await done
      expect(seen.states).toEqual(['listing', ends])
    })
  })

  it('resumes a watch that ended from the last revision, without listing', async () => {
    const { seen, watch, stop, done } = scripted([list('5')])
    const first = await watch(1)
    first.onEvent({ type: 'BOOKMARK', object: at('', '9') })
    first.onEnd({})
    await watch(2)
    expect(seen.watches[1]).toContain('resourceVersion=9')
    expect(seen.lists).toHaveLength(1)
    stop.abort()
    await done
  })

  it.each([
    {
      how: 'as an event',
      gone: (handler: WatchHandler) => (handler.onEvent({ type: 'ERROR', object: { ...at('', ''), code: 410 } }), handler.onEnd({})),
    },
    { how: 'as a refusal', gone: (handler: WatchHandler) => handler.onEnd({ status: { code: 410, message: 'too old' } }) },
  ])('lists again when the revision is too old ($how), and drops what is no more', async ({ gone }) => {
    const { seen, objects, watch, stop, done } = scripted([list('5', at('a', '1'), at('b', '2')), list('50', at('b', '40'))])
    gone(await watch(1))
    await watch(2)
    expect(seen.watches[1]).toContain('resourceVersion=50')
    expect(Object.fromEntries(objects)).toEqual({ b: '40' })
    stop.abort()
    await done
  })

  it('does not become a busy loop when watches end without a word', async () => {
    const { seen, watch, stop, done } = scripted([list('5')])
    for (const n of [1, 2, 3, 4]) (await watch(n)).onEnd({})
    await watch(5)
    expect(seen.sleeps).toBe(3)
    stop.abort()
    await done
  })

  it.each([
    { code: 403, reason: 'Forbidden' as const, ends: 'refused' },
    { code: 404, reason: 'NotFound' as const, ends: 'absent' },
  ])('gives up on $code: $ends', async ({ code, reason, ends }) => {
    const { seen, done } = scripted([
      () => {
        throw failure({ code, reason, message: 'no' })
      },
    ])
    await done
    expect(seen.states.at(-1)).toBe(ends)
    expect(seen.lists).toHaveLength(1)
  })

  it('gives up when a watch is refused: rights may be taken away', async () => {
    const { seen, watch, done } = scripted([list('5')])
    ;(await watch(1)).onEnd({ status: { code: 403, message: 'no' } })
    await done
    expect(seen.states.at(-1)).toBe('refused')
  })

  it.each([
    { when: 'at once', sendsAll: true, lists: [] },
    { when: 'after it was listed', sendsAll: false, lists: [list('5', at('a', '5'))] },
  ])('looks at one object that may be got and not watched, refused $when, and pauses between looks', async ({ sendsAll, lists }) => {
    const object = '/apis/example.org/v1/servers/a'
    const { seen, objects, watch, done } = scripted([...lists, () => at('a', '6'), () => at('a', '7'), () => at('a', '8')], {
      sendsAll,
      object,
    })
    ;(await watch(1)).onEnd({ status: { code: 403, message: 'no' } })
    // The script ends it: whoever looked without a pause, or watched again, would be seen to.
    await done
    const looks = seen.lists.slice(lists.length)
    expect(looks).toEqual(Array.from({ length: 4 }, () => `/k8s${object}`))
    expect([seen.watches.length, seen.sleeps]).toEqual([1, looks.length - 1])
    expect(Object.fromEntries(objects)).toEqual({ a: '8' })
    expect(seen.states.at(-1)).toBe('watching')
  })

  it('tries again, after a pause, when the server cannot be reached', async () => {
    const { seen, watch, stop, done } = scripted([
      () => {
        throw failure({ code: 503, reason: 'ServiceUnavailable', message: 'down' })
      },
      list('7'),
    ])
    await watch(1)
    expect(seen.states.filter((phase, i) => phase !== seen.states[i - 1])).toEqual(['listing', 'waiting', 'listing', 'watching'])
    expect(seen.sleeps).toBe(1)
    stop.abort()
    await done
  })
})

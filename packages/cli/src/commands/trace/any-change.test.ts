import type { KubeObject } from '@weft/api'
import { type Client, ManualClock, type WatchCallOptions } from '@weft/client'
import { type TraceNode, traceKey } from '@weft/composition'
import { expect, test } from 'vitest'
import { anyChange } from './any-change.ts'
import { readOnce, type Seen } from './traced-tree.ts'

const ref = (name: string) => ({ apiVersion: 'example.org/v1', kind: 'Thing', name })
const node = (name: string, children: readonly TraceNode[] = []): TraceNode => ({ ref: ref(name), state: 'waiting', children })
const thing = (name: string, resourceVersion: string): KubeObject => ({
  apiVersion: 'example.org/v1',
  kind: 'Thing',
  metadata: { name, resourceVersion },
})

/** Watches end as `become` says by the name of what is watched: with an error, an event, or not before they are aborted. */
function clientWhere(
  become: Record<string, Error | 'change'>,
): Pick<Client, 'watch'> & { readonly watched: Record<string, string | undefined> } {
  const watched: Record<string, string | undefined> = {}
  async function* watch(_kind: unknown, { fieldSelector = '', resourceVersion, signal }: WatchCallOptions = {}) {
    const name = fieldSelector.replace('metadata.name=', '')
    watched[name] = resourceVersion
    const outcome = become[name]
    if (outcome instanceof Error) throw outcome
    if (outcome === undefined)
      await new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(new Error('aborted'))))
    yield [{ type: 'MODIFIED' as const, object: thing(name, '9') }]
  }
  return { watch: watch as unknown as Client['watch'], watched }
}

test('what is shown of an object is what it is watched from, however often it is read', async () => {
  const seen: Seen = new Map()
  let version = 0
  const fetch = readOnce(async ({ name }) => thing(name, String(++version)), seen)
  expect(await fetch(ref('a'))).toBe(await fetch(ref('a')))
  const client = clientWhere({ a: 'change' })
  await anyChange(client, { node: node('a'), seen })
  expect(client.watched).toEqual({ a: '1' })
})

test('remembers that something is not there, too', async () => {
  let reads = 0
  const fetch = readOnce(async () => {
    reads++
    return undefined
  }, new Map())
  await fetch(ref('a'))
  await fetch(ref('a'))
  expect(reads).toBe(1)
})

test.each([
  { reason: 'one object may be got and not watched', become: { member: new Error('forbidden') } },
  { reason: 'every watch failed', become: { root: new Error('expired'), member: new Error('connection lost') } },
])('looks again in a while where $reason', async ({ become }) => {
  const clock = new ManualClock(0)
  const seen: Seen = new Map([[traceKey(ref('root')), thing('root', '1')]])
  const changed = anyChange(clientWhere(become), { node: node('root', [node('member')]), seen }, clock)
  await expect.poll(() => clock.pending).toBe(Object.keys(become).length)
  clock.fireNext(2000)
  await changed
  await expect.poll(() => clock.pending).toBe(0)
})

test('leaves alone what may not be seen', async () => {
  const client = clientWhere({ root: 'change' })
  await anyChange(client, { node: node('root', [node('member')]), seen: new Map([[traceKey(ref('member')), 'hidden' as const]]) })
  expect(client.watched).toEqual({ root: undefined })
})

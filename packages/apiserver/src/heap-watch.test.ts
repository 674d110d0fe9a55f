import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { startServer } from './admission/admission.fixture.ts'
import { type HeapReading, HeapWatch } from './heap-watch.ts'

const COLLECTION = '/api/v1/namespaces/default/configmaps'
const config = (name: string): object => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } })

test('memory that is short after a collection is told once, and for a while', () => {
  let nowMs = 0
  let heap: HeapReading = { used: 700e6, limit: 1000e6 }
  const told: string[] = []
  const watch = new HeapWatch({ read: () => heap, now: () => nowMs, onShort: (problem) => told.push(problem) })
  watch.collected()
  expect(watch.problem).toBeUndefined()
  heap = { used: 810e6, limit: 1000e6 }
  expect(watch.problem, 'garbage is no reason').toBeUndefined()
  watch.collected()
  watch.collected()
  expect(watch.problem).toContain('810 of at most 1000 MB')
  expect(told).toHaveLength(1)
  nowMs += 60_000
  expect(watch.problem, 'what was freed meanwhile is found out by letting somebody through').toBeUndefined()
  watch.collected()
  expect(told).toHaveLength(2)
  heap = { used: 300e6, limit: 1000e6 }
  watch.collected()
  expect(watch.problem).toBeUndefined()
})

test('a server that is short of memory stores nothing new, says why, and does everything else', async () => {
  let problem: string | undefined
  const world = await startServer({ memoryProblem: () => problem })
  try {
    await world.ok('POST', COLLECTION, config('there'))
    problem = 'the server is short of memory'
    for (const refused of [
      await world.call('POST', COLLECTION, config('new')),
      await world.call('PATCH', `${COLLECTION}/applied?fieldManager=me`, config('applied'), {
        contentType: 'application/apply-patch+yaml',
      }),
    ])
      expect(refused).toMatchObject({ code: 429, body: { reason: 'TooManyRequests', message: problem, details: { retryAfterSeconds: 5 } } })
    await world.ok('POST', `${COLLECTION}?dryRun=All`, config('tried'))
    await world.ok('PUT', `${COLLECTION}/there`, { ...config('there'), data: { a: 'b' } })
    await world.ok('GET', `${COLLECTION}/there`)
    await world.ok('DELETE', `${COLLECTION}/there`)
    problem = undefined
    await world.ok('POST', COLLECTION, config('new'))
  } finally {
    await world.close()
  }
})

test('the engine is watched: after a full collection the watch looks', async () => {
  let reads = 0
  const watch = new HeapWatch({
    read: () => {
      reads++
      return { used: 1, limit: 1000 }
    },
    now: Date.now,
    onShort: () => undefined,
  })
  watch.start()
  try {
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc') as () => void
    while (reads === 0) {
      collect()
      await new Promise((resolve) => setImmediate(resolve))
    }
    watch.stop()
    const before = reads
    collect()
    await new Promise((resolve) => setImmediate(resolve))
    expect(reads).toBe(before)
  } finally {
    watch.stop()
  }
})

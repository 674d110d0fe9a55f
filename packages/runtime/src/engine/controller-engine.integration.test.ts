import type { KubeObject } from '@weft/api'
import { type ConfigMap, configMapKind, createClient, type CustomResourceDefinition, secretKind } from '@weft/client'
import { eventually, startTestServer, type TestServer } from '@weft/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type ControllerSpec, done, watch } from '../controller/controller.ts'
import { silentLog } from '../log/create-log.ts'
import { createManager } from '../manager/create-manager.ts'
import type { Manager } from '../manager/manager.ts'

let server: TestServer
let manager: Manager
let openWatches = 0

/** Counts what is really open at the server. */
function counting(inner: TestServer['transport']): TestServer['transport'] {
  return {
    local: inner.local,
    request: (request) => inner.request(request),
    async *watch(request) {
      openWatches++
      try {
        yield* inner.watch(request)
      } finally {
        openWatches--
      }
    },
    close: () => inner.close(),
  }
}

const crd: CustomResourceDefinition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.example.org' },
  spec: {
    group: 'example.org',
    scope: 'Namespaced',
    names: { kind: 'Widget', plural: 'widgets' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
}
const widget: KubeObject = { apiVersion: 'example.org/v1', kind: 'Widget', metadata: { name: 'w', namespace: 'default' } }

const counter = (name: string, seen: string[], more: Partial<ControllerSpec<ConfigMap>> = {}): ControllerSpec<ConfigMap> => ({
  name,
  kind: configMapKind,
  reconcile: async (request) => {
    seen.push(`${name} ${request.name}`)
    return done
  },
  ...more,
})

beforeEach(async () => {
  openWatches = 0
  server = await startTestServer()
  manager = createManager({ client: createClient({ transport: counting(server.transport) }), log: silentLog })
  manager.start()
})

afterEach(async () => {
  await manager.stop({ drainMs: 0 })
  expect(openWatches).toBe(0)
  await server.close()
})

describe('controller engine', () => {
  it('starts and stops controllers 1,000 times and keeps nothing of them', async () => {
    const seen: string[] = []
    await server.client.create({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 'default' } })
    await manager.engine.start<KubeObject>({ name: 'keeper', kind: secretKind, reconcile: async () => done })
    const cycle = async (i: number): Promise<void> => {
      const name = `test/${i % 7}`
      await manager.engine.start(
        counter(name, seen, { watches: [watch({ kind: secretKind, map: () => [] })], indexes: { all: () => ['x'] } }),
      )
      expect(openWatches).toBe(2)
      await manager.engine.stop(name)
    }
    for (let i = 0; i < 100; i++) await cycle(i)
    const series = manager.metrics.size
    globalThis.gc?.()
    const before = process.memoryUsage().heapUsed
    for (let i = 0; i < 1000; i++) await cycle(i)
    globalThis.gc?.()
    // Without --expose-gc this includes garbage; a leak of a cache or a watch per cycle would be far above it.
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(100 * 1024 * 1024)
    expect(openWatches).toBe(1)
    expect(manager.informers.running()).toHaveLength(1)
    expect(manager.engine.wanted).toEqual(['keeper'])
    manager.metrics.render()
    expect(manager.metrics.size).toBeLessThanOrEqual(series + 5)
  })

  it('replaces a controller of the same name, never running both', async () => {
    let active = 0
    let most = 0
    const busy = (): ControllerSpec<ConfigMap> =>
      counter('same', [], {
        reconcile: async (_request, { signal }) => {
          most = Math.max(most, ++active)
          await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
          await new Promise((resolve) => setImmediate(resolve))
          active--
          return done
        },
      })
    await server.client.create({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 'default' } })
    const concurrency = { concurrency: 1 }
    await manager.engine.start({ ...busy(), ...concurrency })
    await eventually(() => expect(active).toBe(1))
    const restarts = Array.from({ length: 10 }, () => manager.engine.start({ ...busy(), ...concurrency }))
    await Promise.all([...restarts, manager.engine.stop('same'), manager.engine.start({ ...busy(), ...concurrency })])
    await eventually(() => expect(active).toBe(1))
    expect(most).toBe(1)
    expect(manager.engine.running).toHaveLength(1)
  })

  it('keeps the very same controller when it is started again', async () => {
    const spec = counter('same', [])
    await manager.engine.start(spec)
    const first = manager.engine.get('same')
    await manager.engine.start(spec)
    expect(manager.engine.get('same')).toBe(first)
  })

  it('starts for a kind that does not exist yet, works when its CRD comes, and can be stopped before', async () => {
    const seen: string[] = []
    const spec: ControllerSpec = {
      name: 'widgets',
      kind: { group: 'example.org', kind: 'Widget' },
      reconcile: async ({ name }) => {
        seen.push(name)
        return done
      },
    }
    manager.add(spec)
    manager.add({ ...spec, name: 'other', kind: { group: 'example.org', kind: 'Never' } })
    await eventually(() => expect(manager.health().problems.filter((problem) => problem.includes('absent'))).toHaveLength(2))
    expect(manager.health()).toMatchObject({ live: true, ready: false })
    await manager.engine.stop('other')
    await server.client.create(crd)
    await eventually(() => server.client.create(widget))
    manager.informers.retryNow('example.org', 'Widget')
    await eventually(() => expect(seen).toEqual(['w']))
    expect(manager.health()).toMatchObject({ ready: true, problems: [] })
  })

  it('runs nothing while inactive, and everything wanted again afterwards', async () => {
    const seen: string[] = []
    await manager.engine.start(counter('a', seen))
    await manager.engine.deactivate()
    expect(manager.engine.running).toEqual([])
    await manager.engine.start(counter('b', seen))
    expect(manager.engine.running).toEqual([])
    expect(manager.engine.wanted).toEqual(['a', 'b'])
    manager.engine.activate()
    await eventually(() => expect(manager.engine.running.map(({ isReady }) => isReady)).toEqual([true, true]))
  })
})

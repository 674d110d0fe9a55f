import { type Bench, type Measurement, perSecond, type Sample, type Scenario } from '../bench.ts'
import type { RequestTemplate } from '../load/load.ts'
import type { System } from '../systems/system.ts'
import { configMaps } from '../systems/workload.ts'

const NAMESPACE = 'bench-scale'
const SMALL = 1000
const LARGE = 100_000
const CLIENTS = 64

/** What an operation costs when a hundred times as much is stored. Servers of its own: it must know what is in them. */
export const scale: Scenario = {
  name: 'scale',
  async run(bench) {
    const { weft, kubernetes } = bench.start
    const systems = [await weft(), ...(kubernetes === undefined || bench.quick ? [] : [await kubernetes()])]
    try {
      for (const system of systems) await bench.fill(system, configMaps, NAMESPACE, SMALL)
      for (const { label, request } of operations) await measure(bench, systems, `${label}, 1,000 stored`, request, SMALL)
      for (const system of systems) await bench.fill(system, configMaps, NAMESPACE, LARGE, SMALL)
      for (const { label, request } of operations) await measure(bench, systems, `${label}, 100,000 stored`, request, LARGE)
      await bench.measure({ label: 'memory, 100,000 stored', unit: 'MB', better: 'lower', rounds: 1, systems }, async (system) => ({
        value: system.residentBytes() / 1e6,
      }))
      const own: Measurement = { label: 'own memory, 100,000 stored', unit: 'MB', better: 'lower', rounds: 1, systems }
      await bench.measure(own, async (system) => ({ value: system.ownBytes() / 1e6 }))
    } finally {
      for (const system of systems) await system.stop()
    }
  },
}

const operations: readonly { readonly label: string; readonly request: RequestTemplate }[] = [
  { label: 'get', request: configMaps.get(NAMESPACE) },
  { label: 'update', request: configMaps.update(NAMESPACE) },
  // Creates go elsewhere in the key order than what is there, and few enough not to change its size much.
  { label: 'create', request: configMaps.create(NAMESPACE, 'new') },
  { label: 'list 100', request: { method: 'GET', path: `${configMaps.collection(NAMESPACE)}?limit=100` } },
]

async function measure(bench: Bench, systems: readonly System[], label: string, request: RequestTemplate, objects: number): Promise<void> {
  const row: Measurement = { label, unit: 'req/s', systems }
  await bench.measure(row, async (system): Promise<Sample> => perSecond(await bench.requests(system, 'http1', CLIENTS, request, objects)))
}

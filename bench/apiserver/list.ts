import { megabytesPerSecond, type Scenario } from '../bench.ts'
import { configMaps, gadgets } from '../systems/workload.ts'

export const list: Scenario = {
  name: 'list',
  async run(bench) {
    const variants = [
      { label: '1,000 ConfigMaps, 1 client', workload: configMaps, objects: 1000, clients: 1 },
      { label: '1,000 ConfigMaps, 64 clients', workload: configMaps, objects: 1000, clients: 64 },
      { label: '10,000 ConfigMaps, 1 client', workload: configMaps, objects: 10_000, clients: 1 },
      // Each of these answers is held in memory by the server until it is sent: more clients would measure memory.
      { label: '10,000 ConfigMaps, 4 clients', workload: configMaps, objects: 10_000, clients: 4 },
      { label: '1,000 custom resources, 4 clients', workload: gadgets, objects: 1000, clients: 4 },
    ]
    const filled = new Set<string>()
    for (const { workload, objects, clients, label } of variants) {
      const namespace = `bench-list-${objects}`
      const path = workload.collection(namespace)
      if (!filled.has(path)) for (const system of bench.systems) await bench.fill(system, workload, namespace, objects)
      filled.add(path)
      await bench.measure({ label, unit: 'MB/s', goal: 4 }, async (system) =>
        megabytesPerSecond(await bench.requests(system, 'http1', clients, { method: 'GET', path })),
      )
    }
  },
}

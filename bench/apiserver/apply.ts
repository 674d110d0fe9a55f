import { perSecond, type Scenario } from '../bench.ts'
import { configMaps, gadgets } from '../systems/workload.ts'

const NAMESPACE = 'bench-apply'
const OBJECTS = 1024

/** Server-side apply to objects that exist, with a change each time. */
export const apply: Scenario = {
  name: 'apply',
  async run(bench) {
    for (const system of bench.systems) for (const workload of [configMaps, gadgets]) await bench.fill(system, workload, NAMESPACE, OBJECTS)
    const variants = [
      { label: 'custom resource, 1 client', workload: gadgets, clients: 1 },
      { label: 'custom resource, 64 clients', workload: gadgets, clients: 64, goal: 4 },
      { label: 'ConfigMap, 64 clients', workload: configMaps, clients: 64, goal: 4 },
    ]
    for (const { workload, clients, ...row } of variants)
      await bench.measure({ unit: 'req/s', ...row }, async (system) =>
        perSecond(await bench.requests(system, 'http1', clients, workload.apply(NAMESPACE), OBJECTS)),
      )
  },
}

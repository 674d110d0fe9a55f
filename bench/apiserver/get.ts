import { perSecond, type Scenario } from '../bench.ts'
import { configMaps, gadgets } from '../systems/workload.ts'

const NAMESPACE = 'bench-get'
const OBJECTS = 1024

export const get: Scenario = {
  name: 'get',
  async run(bench) {
    for (const system of bench.systems) for (const workload of [configMaps, gadgets]) await bench.fill(system, workload, NAMESPACE, OBJECTS)
    const variants = [
      { label: 'ConfigMap, 1 client', workload: configMaps, clients: 1, protocol: 'http1' },
      { label: 'ConfigMap, 64 clients', workload: configMaps, clients: 64, protocol: 'http1', goal: 3 },
      { label: 'ConfigMap, 64 clients, HTTP/2', workload: configMaps, clients: 64, protocol: 'http2', goal: 3 },
      { label: 'custom resource, 64 clients', workload: gadgets, clients: 64, protocol: 'http1', goal: 3 },
    ] as const
    for (const { workload, clients, protocol, ...row } of variants)
      await bench.measure({ unit: 'req/s', ...row }, async (system) =>
        perSecond(await bench.requests(system, protocol, clients, workload.get(NAMESPACE), OBJECTS)),
      )
  },
}

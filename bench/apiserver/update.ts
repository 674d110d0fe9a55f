import { perSecond, type Scenario } from '../bench.ts'
import { configMaps } from '../systems/workload.ts'

const NAMESPACE = 'bench-update'
const OBJECTS = 1024

export const update: Scenario = {
  name: 'update',
  async run(bench) {
    for (const system of bench.systems) await bench.fill(system, configMaps, NAMESPACE, OBJECTS)
    const variants = [
      { label: 'ConfigMap, 1 client', clients: 1, protocol: 'http1' },
      { label: 'ConfigMap, 64 clients', clients: 64, protocol: 'http1', goal: 4 },
      { label: 'ConfigMap, 64 clients, HTTP/2', clients: 64, protocol: 'http2', goal: 4 },
    ] as const
    for (const { clients, protocol, ...row } of variants)
      await bench.measure({ unit: 'req/s', ...row }, async (system) =>
        perSecond(await bench.requests(system, protocol, clients, configMaps.update(NAMESPACE), OBJECTS)),
      )
  },
}

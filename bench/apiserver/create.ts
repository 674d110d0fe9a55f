import { perSecond, type Scenario } from '../bench.ts'
import { configMaps, gadgets, prepareNamespace } from '../systems/workload.ts'

const NAMESPACE = 'bench-create'

export const create: Scenario = {
  name: 'create',
  async run(bench) {
    for (const system of bench.systems) await prepareNamespace(system, NAMESPACE)
    const variants = [
      { label: 'ConfigMap, 1 client', workload: configMaps, clients: 1, protocol: 'http1' },
      { label: 'ConfigMap, 64 clients', workload: configMaps, clients: 64, protocol: 'http1', goal: 4 },
      { label: 'ConfigMap, 64 clients, HTTP/2', workload: configMaps, clients: 64, protocol: 'http2', goal: 4 },
      { label: 'custom resource, 64 clients', workload: gadgets, clients: 64, protocol: 'http1', goal: 4 },
    ] as const
    for (const { workload, clients, protocol, ...row } of variants)
      await bench.measure({ unit: 'req/s', ...row }, async (system) =>
        perSecond(await bench.requests(system, protocol, clients, workload.create(NAMESPACE, 'new'))),
      )
  },
}

import { perSecond, type Scenario } from '../bench.ts'
import { configMaps } from '../systems/workload.ts'

const NAMESPACE = 'bench-fan-out'
const OBJECTS = 20

export const fanOut: Scenario = {
  name: 'fan-out',
  async run(bench) {
    for (const system of bench.systems) await bench.fill(system, configMaps, NAMESPACE, OBJECTS)
    const collection = configMaps.collection(NAMESPACE)
    const variants = [
      { label: '1,000 watchers', watchers: 1000, protocol: 'http1', goal: 1.5 },
      { label: '1,000 watchers, HTTP/2', watchers: 1000, protocol: 'http2', goal: 1.5 },
    ] as const
    for (const { watchers, protocol, ...row } of variants)
      await bench.measure({ unit: 'events/s', ...row }, async (system) => {
        const { metadata } = await system.admin.get(`${collection}?limit=1`)
        const watchPath = `${collection}?watch=true&resourceVersion=${metadata?.resourceVersion}`
        return perSecond(
          await bench.fanOut(system, protocol, watchers, { watchPath, write: configMaps.update(NAMESPACE), objects: OBJECTS }),
        )
      })
  },
}

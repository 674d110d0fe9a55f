import { setTimeout as sleep } from 'node:timers/promises'
import type { Bench, Scenario } from '../bench.ts'
import type { System } from '../systems/system.ts'

const MEGABYTE = 1e6

/** From nothing to ready, then what it holds while nobody asks for anything. A fresh data directory each time. */
export const startUp: Scenario = {
  name: 'start-up',
  async run(bench) {
    const begin = starters(bench)
    const rounds = bench.quick ? 2 : 4
    const started: { readonly system: System; readonly bytes: number }[] = []
    for (let round = 0; round < rounds; round++)
      for (const start of begin) {
        const system = await start()
        await sleep(bench.quick ? 2000 : 5000)
        started.push({ system, bytes: system.residentBytes() })
        await system.stop()
      }
    const next = (): ((system: System) => Promise<(typeof started)[number]>) => {
      const left = [...started]
      return async ({ name }) =>
        left.splice(
          left.findIndex((s) => s.system.name === name),
          1,
        )[0] as (typeof started)[number]
    }
    const [forTime, forMemory] = [next(), next()]
    await bench.measure({ label: 'ready', unit: 'ms', better: 'lower', goal: 5 }, async (system) => ({
      value: (await forTime(system)).system.startMs,
    }))
    await bench.measure({ label: 'idle memory', unit: 'MB', better: 'lower', goal: 3 }, async (system) => ({
      value: (await forMemory(system)).bytes / MEGABYTE,
    }))
  },
}

const starters = ({ start }: Bench): (() => Promise<System>)[] => [
  start.weft,
  ...(start.kubernetes === undefined ? [] : [start.kubernetes]),
]

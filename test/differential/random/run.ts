import { compareScenario, type Found, formatFound } from '../scenario.ts'
import type { Servers } from '../servers.ts'
import { Random } from './random.ts'
import { randomWorld } from './world.ts'

export interface RandomRun {
  readonly requests: number
  readonly found: readonly Found[]
}

const PER_WORLD = 100

/** How many seeds a run of so many requests uses up: each world has its own. */
export const worldsOf = (total: number, perWorld: number = PER_WORLD): number => Math.ceil(total / perWorld)

/** Plays worlds of `perWorld` requests, a few at a time, until `total` requests were compared. */
export async function runRandom(
  servers: Servers,
  {
    seed,
    total,
    perWorld = PER_WORLD,
    run,
    log,
    world = randomWorld,
  }: { seed: number; total: number; perWorld?: number; run: string; log?: (text: string) => void; world?: typeof randomWorld },
): Promise<RandomRun> {
  const found: Found[] = []
  const worlds = Array.from({ length: worldsOf(total, perWorld) }, (_, i) => seed + i)
  let next = 0
  let requests = 0
  const worker = async (): Promise<void> => {
    for (;;) {
      const own = worlds[next++]
      if (own === undefined) return
      const scenario = world(own, new Random(own), perWorld)
      const differences = await compareScenario(
        scenario,
        { ns: `diff-${run}-${own}`, group: `w${own}.${run}.example.com`, id: `${run}-${own}` },
        servers.weft,
        servers.kubernetes,
      )
      requests += perWorld
      found.push(...differences)
      for (const each of differences) log?.(`${scenario.name}\n${formatFound(each)}`)
    }
  }
  await Promise.all(Array.from({ length: 8 }, worker))
  return { requests, found }
}

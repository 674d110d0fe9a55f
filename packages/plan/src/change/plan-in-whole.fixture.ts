import type { Client } from '@weft/client'
import { readWorld } from '../world/whole-world.fixture.ts'
import type { Change, Plan } from './plan.ts'
import { planIn } from './plan-change.ts'

/** The plan of a change in a copy of everything: what every other way to make it has to come to. */
export const planInWhole = (client: Client, change: Change): Promise<Plan> =>
  planIn(
    async (reader) => {
      const world = await readWorld(reader, change)
      return { world: () => world, complete: async () => false }
    },
    client,
    change,
  )

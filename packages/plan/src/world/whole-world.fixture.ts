import type { Client } from '@weft/client'
import type { Change } from '../change/plan.ts'
import { beginReading, readEverything } from './read-world.ts'
import type { World } from './world.ts'

/** All of the world that whoever asks may see, whatever the change needs of it. */
export async function readWorld(client: Client, change: Change): Promise<World> {
  const begun = await beginReading(client, change)
  await readEverything(begun)
  return begun.reader.world()
}

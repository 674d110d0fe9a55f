import type { KubeObject } from '@weft/api'
import { between, type Random } from '../crash/random.ts'
import type { User } from './user.ts'

/** What happens to a group of resources that live and die together, and when: the turn is the number of the kill that comes after it. */
export interface Life {
  readonly group: readonly KubeObject[]
  readonly steps: readonly { readonly turn: number; readonly wanted: boolean }[]
}

/** Some stay, some go, some go and come again under the same name; some go at once, when they hardly exist. */
export function planLife(group: readonly KubeObject[], turns: number, random: Random): Life {
  const created = between(random, 0, turns - 3)
  const deleted = random() < 0.3 ? created : between(random, created, turns)
  const steps = [{ turn: created, wanted: true }]
  if (random() < 0.6) steps.push({ turn: deleted, wanted: false })
  if (steps.length === 2 && random() < 0.3) steps.push({ turn: between(random, deleted, turns), wanted: true })
  return { group, steps }
}

export const isWanted = ({ steps }: Life): boolean => steps.at(-1)?.wanted === true

/** Lives as planned, one step after the other, each when its turn has come. */
export async function live({ group, steps }: Life, user: User, turnComes: (turn: number) => Promise<void>): Promise<void> {
  for (const { turn, wanted } of steps) {
    await turnComes(turn)
    // In either order: what needs something that is not there yet waits for it, and what is needed stays until it is not.
    await Promise.all(group.map((object) => (wanted ? user.create(object) : user.delete(object))))
  }
}

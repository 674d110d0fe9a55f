import type { GroupKind, KubeObject } from '@weft/api'
import { fieldsRead } from '../../../world/composition-steps.ts'
import { compositionsFor, defaultCompositionOf } from '../../../world/makes.ts'
import type { WorldSnapshot } from '../../../world/world.ts'

/** What is to be said of a field that the chosen Composition, or the default one, does not read. Says nothing where that is not certain. */
export function unreadFields(
  world: WorldSnapshot,
  composite: GroupKind | undefined,
  chosen: KubeObject | undefined,
): (field: string) => string | undefined {
  const nothing = (): undefined => undefined
  if (composite === undefined) return nothing
  const name = chosen?.metadata.name ?? defaultCompositionOf(world, composite)
  const composition = compositionsFor(world, composite).find(({ metadata }) => metadata.name === name)
  const read = composition && fieldsRead(composition)
  if (read === undefined) return nothing
  return (field) => (read.has(field) ? undefined : `Has no effect: the composition ${name ?? ''} does not use this field.`)
}

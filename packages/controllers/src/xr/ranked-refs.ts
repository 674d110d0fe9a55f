import { RESOURCE_NAME } from '@weft/composition'
import { getOwn, isJsonObject, type KubeObject } from '@weft/api'
import type { RankedRef } from '../deletion/delete-in-order.ts'
import type { XrScope } from '../xrd/xrd.ts'
import { stepsOf } from './pipeline.ts'
import { membersOf } from './machinery.ts'

/** The members, each with its place among the resources that the steps' inputs name, as those of patch-and-transform do. */
export function rankedRefs(xr: KubeObject, scope: XrScope, revision: KubeObject | undefined): readonly RankedRef[] {
  const ranks = new Map<string, number>()
  for (const { input } of revision === undefined ? [] : stepsOf(revision)) {
    const resources = isJsonObject(input) ? getOwn(input, 'resources') : undefined
    for (const resource of Array.isArray(resources) ? resources : []) {
      const name: unknown = isJsonObject(resource) ? getOwn(resource, 'name') : undefined
      if (typeof name === 'string' && !ranks.has(name)) ranks.set(name, ranks.size)
    }
  }
  const rankOf = ({ metadata }: KubeObject): number => ranks.get(metadata.annotations?.[RESOURCE_NAME] ?? '') ?? ranks.size
  return membersOf(xr, scope).map((ref) => ({ ...ref, rankOf }))
}

import type { KubeObject } from '@weft/api'
import type { ClassTuple } from '../bindings-table/table.ts'
import { AGGREGATE_CLASS, COMPOSITE_CLASS, RESOURCE_CLASS, sameKind } from '../bindings-table/well-known.ts'
import { isFor, standsForDirect } from './explain.ts'
import type { KnownClasses } from '../claim/services.ts'
import { answers } from './eligible.ts'
import type { Wish } from '../claim/wish.ts'

/**
 * S6: the classes of the tuple's kind that may satisfy the wish. Of aggregate classes only those that stand for a class the claim could be satisfied
 * from directly (A11b, A12); of flexible ones only those for this kind of claim (F4). Undefined while the kind is not in memory.
 */
export function candidatesOf(services: KnownClasses, tuple: ClassTuple, wish: Wish): readonly KubeObject[] | undefined {
  const found = services.watches
    .reader(tuple.class)
    ?.list()
    .filter((each) => answers(each, wish))
  if (found === undefined) return undefined
  if (sameKind(tuple.class, AGGREGATE_CLASS)) return found.filter((each) => standsForDirect(services, tuple.claim, each))
  if (sameKind(tuple.class, RESOURCE_CLASS) || sameKind(tuple.class, COMPOSITE_CLASS))
    return found.filter((each) => isFor(each, tuple.claim))
  return found
}

import { gvkOf, type KubeObject } from '@weft/api'
import type { Client } from '@weft/client'
import { type DeletionOrder, deletionOrderOf } from '@weft/composition'
import { need, type ReconcileContext } from '@weft/runtime'
import { hasFinalizer } from '../binding/finalizers.ts'
import { deleteInOrder, freeMembers, type Going, type RankedRef } from './delete-in-order.ts'

/** How often is looked at members that nobody watches, while they go. */
export const LOOK_AGAIN_MS = 30_000

/** What a composite says of the order of its members' deletion, else what it is composed by says. */
export const orderOf = (composite: KubeObject, by: KubeObject | undefined): DeletionOrder | 'none' | undefined =>
  deletionOrderOf(composite) ?? (by && deletionOrderOf(by))

/** Are members to wait for their turn, and the composite for them? */
export const isOrder = (order: ReturnType<typeof orderOf>): order is DeletionOrder => order !== undefined && order !== 'none'

export interface GoAfterMembers {
  /** Acts as whoever composes. */
  readonly client: Client
  /** Undefined: nobody says any more, but members may wait. */
  readonly order: ReturnType<typeof orderOf>
  readonly refs: readonly RankedRef[]
}

/**
 * Of a composite that is held by ORDER_FINALIZER and is being deleted: does what can be done now, and has its controller called when a member changes. Answers
 * how far it has come; undefined: nothing holds the composite any more, and its finalizer may go. Called again until then, and after a crash.
 */
export async function goAfterMembers(
  { follow }: Pick<ReconcileContext, 'follow'>,
  composite: KubeObject,
  { client, order = 'references', refs }: GoAfterMembers,
): Promise<Going | undefined> {
  // Whoever orphans them keeps them.
  if (!isOrder(order) || hasFinalizer(composite, 'orphan')) {
    await freeMembers(client, composite, refs)
    return undefined
  }
  const going = await deleteInOrder(client, composite, refs, order)
  if (going.left.length === 0) return undefined
  follow([...new Map(going.left.map((object) => [`${object.apiVersion} ${object.kind}`, need({ kind: gvkOf(object) })])).values()])
  return going
}

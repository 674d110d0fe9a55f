import { hasReason, type KubeObject, parseGroupVersion } from '@weft/api'
import type { Client, Kind } from '@weft/client'
import { controllerOf, DELETION_TURN, type DeletionOrder, nextToGo, type RankedMember } from '@weft/composition'
import { hasFinalizer, withoutFinalizer } from '../binding/finalizers.ts'
import { deleteLive, findLive } from '../binding/live-object.ts'
import type { MemberRef } from '../definition/definition.ts'

/** On composites whose members go in order: it stays until they are gone. */
export const ORDER_FINALIZER = 'weft.dev/deletion-order'

/** A member as its composite refers to it, and its place in the Composition. */
export interface RankedRef extends MemberRef {
  /** After all others unless the Composition says where it stands. */
  rankOf(member: KubeObject): number
}

/** How far a deletion in order has come. */
export interface Going {
  /** Members that are there. Empty: the composite may go. */
  readonly left: readonly KubeObject[]
  /** Of those, the ones whose turn it is. */
  readonly now: readonly KubeObject[]
}

const AT_ONCE = 8

/**
 * Does what can be done now of a deletion in order; called again whenever a member changes, until nothing is left. What is done follows from what is
 * there, so that it does not matter after which line a process ends. Whatever somebody else marked for deletion already (a foreground deletion, the end of
 * a namespace) keeps its finalizer, and so what stands behind it, until its turn.
 */
export async function deleteInOrder(client: Client, owner: KubeObject, refs: readonly RankedRef[], order: DeletionOrder): Promise<Going> {
  const members = await membersOf(client, owner, refs)
  const next = nextToGo(members, order)
  const collected = new Set<KubeObject>()
  for (const { object } of next) if (await letGo(client, object)) collected.add(object)
  const awaited = (all: readonly RankedMember[]): readonly KubeObject[] =>
    all.map(({ object }) => object).filter((object) => !collected.has(object))
  return { left: awaited(members), now: awaited(next) }
}

/** Nobody waits for a turn any more: members go as they are deleted, or stay. */
export async function freeMembers(client: Client, owner: KubeObject, refs: readonly RankedRef[]): Promise<void> {
  for (const { object } of await membersOf(client, owner, refs)) await giveTurn(client, object)
}

/** Those that are there and belong to the owner; what nobody controls any more was orphaned, and is only freed. */
async function membersOf(client: Client, owner: KubeObject, refs: readonly RankedRef[]): Promise<readonly RankedMember[]> {
  const members: RankedMember[] = []
  for (let i = 0; i < refs.length; i += AT_ONCE)
    await Promise.all(
      refs.slice(i, i + AT_ONCE).map(async ({ apiVersion, kind, name, namespace, rankOf }) => {
        const object = await findLive(client, { ...parseGroupVersion(apiVersion), kind }, { name, namespace })
        if (object === undefined) return
        const controller = controllerOf(object)
        if (controller === undefined) await giveTurn(client, object)
        else if (controller.uid === owner.metadata.uid) members.push({ object, rank: rankOf(object) })
      }),
    )
  return members
}

/** Answers true when nobody needs to wait for it: whoever collects what has no owner will delete what may not be deleted here. */
async function letGo(client: Client, member: KubeObject): Promise<boolean> {
  const free = await giveTurn(client, member)
  if (free === undefined || free.metadata.deletionTimestamp !== undefined) return false
  try {
    await deleteLive(client, kindOf(free), free)
    return false
  } catch (error) {
    if (hasReason(error, 'Forbidden')) return true
    throw error
  }
}

/** It may go: answers it as it is then, undefined when it has gone. */
export async function giveTurn(client: Client, member: KubeObject): Promise<KubeObject | undefined> {
  if (!hasFinalizer(member, DELETION_TURN)) return member
  try {
    return await client.update(withoutFinalizer(member, DELETION_TURN))
  } catch (error) {
    if (hasReason(error, 'NotFound')) return undefined
    throw error
  }
}

/** It waits for its turn when it is deleted. */
export const withTurn = (member: KubeObject): KubeObject => ({
  ...member,
  metadata: { ...member.metadata, finalizers: [...new Set([...(member.metadata.finalizers ?? []), DELETION_TURN])] },
})

/** What is waited for, in one sentence. */
export function tellOf({ left, now }: Going): string {
  const named = now.slice(0, NAMED).map(({ kind, metadata }) => `${kind}/${metadata.name ?? ''}`)
  const more = now.length > NAMED ? ` and ${now.length - NAMED} more` : ''
  const after = left.length - now.length
  return `waiting for ${named.join(', ')}${more} to be gone${after > 0 ? `; ${after} ${after === 1 ? 'member goes' : 'members go'} after that` : ''}`
}

const NAMED = 3

const kindOf = ({ apiVersion, kind }: KubeObject): Kind => ({ ...parseGroupVersion(apiVersion), kind })

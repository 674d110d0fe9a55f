import { hasReason, type KubeObject, parseGroupVersion } from '@weft/api'
import { type Client, NoMatchError } from '@weft/client'
import { controllerOf } from '@weft/composition'
import { deleteLive } from '../binding/live-object.ts'
import type { MemberRef } from './definition.ts'

/**
 * Deletes what an object that is being deleted made and controls. Garbage collection does the same, but on a real server it learns of a kind
 * late, and may let the object go before it knows of its members. Once the object's kind is gone too, nobody could tell whose they were, and they
 * would stay for ever.
 */
export async function deleteMembers(client: Client, owner: KubeObject, members: readonly MemberRef[]): Promise<void> {
  for (const member of members) await deleteMember(client, owner, member)
}

async function deleteMember(
  client: Client,
  { metadata: { uid } }: KubeObject,
  { apiVersion, kind, name, namespace }: MemberRef,
): Promise<void> {
  const { group, version } = parseGroupVersion(apiVersion)
  const ref = { name, namespace }
  try {
    const member = await client.find({ group, version, kind }, ref)
    if (member === undefined || controllerOf(member)?.uid !== uid || member.metadata.deletionTimestamp !== undefined) return
    await deleteLive(client, { group, version, kind }, member)
  } catch (error) {
    if (!(error instanceof NoMatchError) && !hasReason(error, 'Conflict')) throw error
  }
}

import { hasReason, type KubeObject } from '@weft/api'
import { type Client, type Kind, NoMatchError } from '@weft/client'
import { deleteLive } from '../binding/live-object.ts'
import type { DefinedKind, DefinitionAdapter } from './definition.ts'
import { deleteMembers } from './delete-members.ts'

/** Objects deleted at a time. */
const AT_ONCE = 8

/**
 * Deletes every instance of a kind and answers how many are left: those that others still hold by a finalizer. Foreground, so that an instance
 * stays until what it composed is gone: afterwards nothing refers to a kind that no longer exists.
 */
export async function deleteInstances(
  client: Client,
  kind: DefinedKind,
  membersOf: DefinitionAdapter['membersOf'] = () => [],
): Promise<number> {
  const items = await instancesOf(client, kind)
  const doomed = items.filter(({ metadata }) => metadata.deletionTimestamp === undefined)
  for (let i = 0; i < doomed.length; i += AT_ONCE)
    await Promise.all(
      doomed.slice(i, i + AT_ONCE).map(async (instance) => {
        try {
          await deleteLive(client, kind, instance, { propagationPolicy: 'Foreground' })
        } catch (error) {
          // Somebody made another one of that name; the next pass sees it.
          if (!hasReason(error, 'Conflict')) throw error
        }
      }),
    )
  for (const instance of items) await deleteMembers(client, instance, membersOf(instance))
  return doomed.length === 0 ? items.length : (await instancesOf(client, kind)).length
}

/** All objects of a kind; none where it is not served. */
export async function instancesOf(client: Client, kind: Kind): Promise<readonly KubeObject[]> {
  try {
    return (await client.list(kind)).items
  } catch (error) {
    // Not served: so there are none.
    if (error instanceof NoMatchError || hasReason(error, 'NotFound')) return []
    throw error
  }
}

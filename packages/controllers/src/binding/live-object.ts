import { hasReason, type KubeObject } from '@weft/api'
import { type Client, type DeleteCallOptions, type Kind, NoMatchError, type ObjectRef, type WriteCallOptions } from '@weft/client'
import { type StatusChange, withStatus } from './conditions.ts'

/*
 * What every design does with objects on the server: X2 names them before they are made, so that another may bear the name by the time one looks. Whatever is
 * found, told or deleted is this very object, by its uid, and never a namesake.
 */

/** Where an object is. */
export const refOf = ({ metadata: { name = '', namespace } }: KubeObject): ObjectRef => ({ name, namespace })

/** From the server itself, not from memory. A kind that is not served has no objects. */
export async function findLive(client: Client, kind: Kind, ref: ObjectRef): Promise<KubeObject | undefined> {
  try {
    return await client.find(kind, ref)
  } catch (error) {
    if (error instanceof NoMatchError) return undefined
    throw error
  }
}

/** This object as it is now; undefined when it is gone. */
export async function latestOf<T extends KubeObject>(client: Client, kind: Kind<T>, object: T): Promise<T | undefined> {
  const latest = await client.find(kind, refOf(object))
  return latest?.metadata.uid === object.metadata.uid ? latest : undefined
}

/** Makes it, unless something of its name exists: then it is for the caller to see whose that is. */
export async function createOrGet(
  client: Client,
  kind: Kind,
  object: KubeObject,
): Promise<{ readonly object: KubeObject; readonly created: boolean }> {
  try {
    return { object: await client.create(object), created: true }
  } catch (error) {
    if (!hasReason(error, 'AlreadyExists')) throw error
    return { object: await client.get(kind, refOf(object)), created: false }
  }
}

/** Deletes this object. Rejects with Conflict when another has its name. */
export async function deleteLive(client: Client, kind: Kind, object: KubeObject, options: DeleteCallOptions = {}): Promise<void> {
  const { uid } = object.metadata
  await client.delete(kind, refOf(object), { ...options, ...(uid !== undefined && { preconditions: { uid } }) })
}

/** Writes status where it changes. Answers the object as it is then. */
export async function writeLiveStatus<T extends KubeObject>(
  client: Client,
  object: T,
  change: StatusChange,
  options: WriteCallOptions = {},
): Promise<T> {
  const next = withStatus(object, change)
  return next === object ? object : client.updateStatus(next, options)
}

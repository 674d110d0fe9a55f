import { hasReason, type KubeObject } from '@weft/api'
import { type Client, type Secret, secretKind } from '@weft/client'
import { CONNECTION_SECRET_TYPE, connectionSecretRef, sameDetails, type SecretData } from '@weft/composition'
import { controllerReference, mustBeControlledBy, mustBeWritableBy } from './control.ts'

export interface SecretAddress {
  readonly namespace: string
  readonly name: string
}

/** Where `object` publishes its connection details. Of a namespaced object that is its own namespace, whatever the reference says. */
export function connectionSecretAddress(object: KubeObject): SecretAddress | undefined {
  const ref = connectionSecretRef(object)
  const namespace = object.metadata.namespace ?? ref?.namespace
  return ref?.name === undefined || namespace === undefined ? undefined : { namespace, name: ref.name }
}

/** The secret that `owner` published; undefined while there is none. Rejects (BindingError SecretRefused) when it is somebody else's. */
export async function readConnection(client: Client, owner: KubeObject): Promise<Secret | undefined> {
  const address = connectionSecretAddress(owner)
  if (address === undefined) return undefined
  const secret = await client.find(secretKind, address)
  if (secret !== undefined) mustBeControlledBy(secret, owner)
  return secret
}

export interface WriteConnection {
  readonly owner: KubeObject
  readonly address: SecretAddress
  readonly data: SecretData
  readonly annotations?: Readonly<Record<string, string>> | undefined
  /** True: keys that are not in `data` go (a copy). False: they stay (X6, publishing is additive). */
  readonly exact: boolean
}

/**
 * Makes the secret hold the data, controlled by `owner`. Answers whether anything was written. Idempotent; optimistic: a lost race rejects
 * with Conflict.
 */
export async function writeConnection(client: Client, write: WriteConnection): Promise<boolean> {
  const existing = await client.find(secretKind, write.address)
  if (existing !== undefined) return updateSecret(client, existing, write)
  const { owner, address, data, annotations } = write
  const secret: Secret = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { ...address, ownerReferences: [controllerReference(owner)], ...(annotations && { annotations }) },
    type: CONNECTION_SECRET_TYPE,
    data,
  }
  try {
    await client.create(secret)
    return true
  } catch (error) {
    if (!hasReason(error, 'AlreadyExists')) throw error
    return updateSecret(client, await client.get(secretKind, address), write)
  }
}

async function updateSecret(client: Client, secret: Secret, { owner, data, annotations = {}, exact }: WriteConnection): Promise<boolean> {
  mustBeWritableBy(secret, owner)
  const { metadata } = secret
  const nextData = exact ? data : { ...secret.data, ...data }
  const nextAnnotations = { ...metadata.annotations, ...annotations }
  const controlled = metadata.ownerReferences?.some(({ uid }) => uid === owner.metadata.uid) === true
  const same = controlled && sameDetails(secret.data ?? {}, nextData) && Object.keys(annotations).every((key) => metadata.annotations?.[key] === annotations[key])
  if (same) return false
  const ownerReferences = controlled ? metadata.ownerReferences : [...(metadata.ownerReferences ?? []), controllerReference(owner)]
  await client.update({ ...secret, metadata: { ...metadata, ...(ownerReferences && { ownerReferences }), annotations: nextAnnotations }, data: nextData })
  return true
}

/** Publishes what `owner` offers at its own reference. No reference: no secret, and no error (X6). */
export async function publishConnection(client: Client, owner: KubeObject, data: SecretData): Promise<boolean> {
  const address = connectionSecretAddress(owner)
  return address === undefined ? false : writeConnection(client, { owner, address, data, exact: false })
}

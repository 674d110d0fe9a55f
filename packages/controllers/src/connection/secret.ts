import { hasReason, type KubeObject, SYSTEM_NAMESPACE } from '@weft/api'
import { type Client, type Secret, secretKind } from '@weft/client'
import { CONNECTION_SECRET_TYPE, connectionSecretRef, sameDetails, type SecretData } from '@weft/composition'
import { controllerReference, mustBeControlledBy, mustBeWritableBy } from './control.ts'

/** All connection secrets there are, as one watch. */
export const CONNECTION_SECRETS: { readonly kind: typeof secretKind; readonly fieldSelector: string } = {
  kind: secretKind,
  fieldSelector: `type=${CONNECTION_SECRET_TYPE}`,
}

export interface SecretAddress {
  readonly namespace: string
  readonly name: string
}

/**
 * Where `object` publishes its connection details. Of a namespaced object that is its own namespace, whatever the reference says; a
 * cluster-scoped one that names no secret gets one named after its uid, as managed resources do.
 */
export function connectionSecretAddress(object: KubeObject): SecretAddress | undefined {
  const ref = connectionSecretRef(object)
  if (ref === undefined) return undefined
  const { namespace, uid } = object.metadata
  if (namespace !== undefined && namespace !== '') return ref.name === undefined ? undefined : { namespace, name: ref.name }
  const name = ref.name ?? uid
  return name === undefined ? undefined : { namespace: ref.namespace ?? SYSTEM_NAMESPACE, name }
}

/** Reads a secret; from memory where somebody has it there. What is written is always written against the version that was read. */
export type FindSecret = (address: SecretAddress) => Promise<Secret | undefined>

const onServer =
  (client: Client): FindSecret =>
  (address) =>
    client.find(secretKind, address)

/** The secret that `owner` published; undefined while there is none. Rejects (BindingError SecretRefused) when it is somebody else's. */
export async function readConnection(client: Client, owner: KubeObject, find: FindSecret = onServer(client)): Promise<Secret | undefined> {
  const address = connectionSecretAddress(owner)
  if (address === undefined) return undefined
  const secret = await find(address)
  if (secret !== undefined) mustBeControlledBy(secret, owner)
  return secret
}

export interface WriteConnection {
  readonly owner: KubeObject
  readonly address: SecretAddress
  readonly data: SecretData
  readonly annotations?: Readonly<Record<string, string>> | undefined
  readonly labels?: Readonly<Record<string, string>> | undefined
  /** True: keys that are not in `data` go (a copy). False: they stay (X6, publishing is additive). */
  readonly exact: boolean
  /** Under whose name; the client's own unless given. */
  readonly fieldManager?: string
}

/**
 * Makes the secret hold the data, controlled by `owner`. Answers whether anything was written. Idempotent; optimistic: a lost race rejects
 * with Conflict.
 */
export async function writeConnection(client: Client, write: WriteConnection, find: FindSecret = onServer(client)): Promise<boolean> {
  const existing = await find(write.address)
  if (existing !== undefined) return updateSecret(client, existing, write)
  const { owner, address, data, annotations, labels } = write
  const secret: Secret = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { ...address, ownerReferences: [controllerReference(owner)], ...(annotations && { annotations }), ...(labels && { labels }) },
    type: CONNECTION_SECRET_TYPE,
    data,
  }
  try {
    await client.create(secret, managerOf(write))
    return true
  } catch (error) {
    if (!hasReason(error, 'AlreadyExists')) throw error
    return updateSecret(client, await client.get(secretKind, address), write)
  }
}

async function updateSecret(client: Client, secret: Secret, write: WriteConnection): Promise<boolean> {
  const { owner, data, annotations = {}, labels = {}, exact } = write
  mustBeWritableBy(secret, owner)
  const { metadata } = secret
  const nextData = exact ? data : { ...secret.data, ...data }
  const controlled = metadata.ownerReferences?.some(({ uid }) => uid === owner.metadata.uid) === true
  const same =
    controlled &&
    sameDetails(secret.data ?? {}, nextData) &&
    includes(metadata.annotations, annotations) &&
    includes(metadata.labels, labels)
  if (same) return false
  const ownerReferences = controlled ? metadata.ownerReferences : [...(metadata.ownerReferences ?? []), controllerReference(owner)]
  const next = {
    ...metadata,
    ...(ownerReferences && { ownerReferences }),
    annotations: { ...metadata.annotations, ...annotations },
    labels: { ...metadata.labels, ...labels },
  }
  await client.update({ ...secret, metadata: next, data: nextData }, managerOf(write))
  return true
}

const managerOf = ({ fieldManager }: WriteConnection): { readonly fieldManager?: string } =>
  fieldManager === undefined ? {} : { fieldManager }

const includes = (all: Readonly<Record<string, string>> | undefined, some: Readonly<Record<string, string>>): boolean =>
  Object.keys(some).every((key) => all?.[key] === some[key])

/**
 * Publishes what `owner` offers at its own reference. No reference: no secret, and no error (X6). Publishing adds, unless the caller knows that this is all
 * (`exact`).
 */
export async function publishConnection(
  client: Client,
  owner: KubeObject,
  data: SecretData,
  { find, exact = false }: { readonly find?: FindSecret; readonly exact?: boolean } = {},
): Promise<boolean> {
  const address = connectionSecretAddress(owner)
  return address === undefined ? false : writeConnection(client, { owner, address, data, exact }, find)
}

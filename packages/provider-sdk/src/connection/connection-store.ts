import { getOwn, gvkOf, hasReason, type KubeObject, setOwn, SYSTEM_NAMESPACE, withMeta } from '@weft/api'
import { type Client, type Secret, secretKind } from '@weft/client'
import {
  conditionsOf,
  CONNECTION_SECRET_TYPE,
  connectionSecretRef,
  controllerOf,
  fromSecretData,
  sameDetails,
  textToBase64,
  toBase64,
} from '@weft/composition'

/** What somebody needs to use an external resource: text, or bytes. */
export type ConnectionDetails = Readonly<Record<string, string | Uint8Array>>

/** The connection secret of one managed resource (X6). */
export interface ConnectionStore {
  /** Does the resource name a secret? Without one, `publish` does nothing and `read` answers nothing. */
  readonly configured: boolean
  /** What is published now. Of a secret that belongs to somebody else: nothing. */
  read(): Promise<Readonly<Record<string, Uint8Array>>>
  /**
   * Adds these details to the secret, and makes it if need be. Keys that are not given stay. Writes only what changes; answers whether
   * it wrote. Throws ConnectionSecretError when the secret belongs to somebody else.
   */
  publish(details: ConnectionDetails): Promise<boolean>
}

export type ConnectionSecretErrorCode = 'ControlledByOther' | 'ForeignType' | 'ForeignNamespace' | 'NoOwner'

/** Not ours to write: whoever may create managed resources must not be able to overwrite any secret. */
export class ConnectionSecretError extends Error {
  readonly code: ConnectionSecretErrorCode

  constructor(code: ConnectionSecretErrorCode, message: string) {
    super(message)
    this.name = 'ConnectionSecretError'
    this.code = code
  }
}

const ATTEMPTS = 5

export function connectionStoreOf(client: Client, resource: KubeObject): ConnectionStore {
  const ref = connectionSecretRef(resource)
  if (ref === undefined) return { configured: false, read: () => Promise.resolve({}), publish: () => Promise.resolve(false) }
  const home = resource.metadata.namespace
  const namespace = ref.namespace ?? home ?? SYSTEM_NAMESPACE
  // What is in a namespace writes into that one alone: its author need have no right in any other.
  if (home !== undefined && namespace !== home) return foreignStore(home, namespace)
  const name = ref.name ?? resource.metadata.uid ?? ''
  const find = (): Promise<Secret | undefined> => client.find(secretKind, { namespace, name })
  return {
    configured: true,
    async read() {
      const secret = await find()
      return secret === undefined || controllerOf(secret)?.uid !== resource.metadata.uid ? {} : fromSecretData(secret.data ?? {})
    },
    async publish(details) {
      const data = encode(details)
      if (Object.keys(data).length === 0) return false
      // One that never reported has published nothing: to make the secret finds out whether somebody else has.
      let mayExist = conditionsOf(resource).length > 0
      for (let attempt = 1; ; attempt++) {
        const secret = mayExist ? await find() : undefined
        const next = secret === undefined ? newSecret(resource, namespace, name, data) : withDetails(secret, resource, data)
        if (next === undefined) return false
        try {
          await (secret === undefined ? client.create(next) : client.update(next))
          return true
        } catch (error) {
          // Somebody else wrote it in between: claims annotate the secrets that they copy.
          if (attempt === ATTEMPTS || !(hasReason(error, 'Conflict') || hasReason(error, 'AlreadyExists'))) throw error
          if (mayExist) await new Promise((resolve) => setTimeout(resolve, 10 * attempt))
          mayExist = true
        }
      }
    },
  }
}

const foreignStore = (home: string, namespace: string): ConnectionStore => ({
  configured: true,
  read: () => Promise.resolve({}),
  publish: () =>
    Promise.reject(
      new ConnectionSecretError(
        'ForeignNamespace',
        `spec.writeConnectionSecretToRef names namespace ${namespace}, but the resource is in ${home}: leave the namespace out`,
      ),
    ),
})

function encode(details: ConnectionDetails): Record<string, string> {
  const data: Record<string, string> = {}
  for (const [key, value] of Object.entries(details)) setOwn(data, key, typeof value === 'string' ? textToBase64(value) : toBase64(value))
  return data
}

function newSecret(resource: KubeObject, namespace: string, name: string, data: Record<string, string>): Secret {
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { namespace, name, ownerReferences: [ownerReference(resource)] },
    type: CONNECTION_SECRET_TYPE,
    data,
  }
}

/** The secret with the details added; undefined when it has them all. */
function withDetails(secret: Secret, resource: KubeObject, added: Record<string, string>): Secret | undefined {
  const { namespace = '', name = '' } = secret.metadata
  const controller = controllerOf(secret)
  if (controller !== undefined && controller.uid !== resource.metadata.uid)
    throw new ConnectionSecretError(
      'ControlledByOther',
      `secret ${namespace}/${name} is controlled by ${controller.kind} ${controller.name}: name another in spec.writeConnectionSecretToRef`,
    )
  if (controller === undefined && secret.type !== CONNECTION_SECRET_TYPE)
    throw new ConnectionSecretError(
      'ForeignType',
      `secret ${namespace}/${name} exists, is not controlled by anything and is of type ${secret.type ?? 'Opaque'}, not ${CONNECTION_SECRET_TYPE}: name another in spec.writeConnectionSecretToRef`,
    )
  const data: Record<string, string> = { ...secret.data }
  for (const [key, value] of Object.entries(added)) setOwn(data, key, value)
  if (controller !== undefined && sameDetails(data, secret.data ?? {})) return undefined
  const owners = secret.metadata.ownerReferences ?? []
  const owned =
    controller === undefined
      ? withMeta(secret, { ownerReferences: [...owners.filter(({ uid }) => uid !== resource.metadata.uid), ownerReference(resource)] })
      : secret
  return { ...owned, data }
}

function ownerReference(resource: KubeObject) {
  const { name = '', uid = '' } = resource.metadata
  if (uid === '') throw new ConnectionSecretError('NoOwner', 'the managed resource has no uid')
  const { kind } = gvkOf(resource)
  return { apiVersion: resource.apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: true }
}

/** A published detail as text. */
export function detailText(details: Readonly<Record<string, Uint8Array>>, key: string): string | undefined {
  const value = getOwn(details, key)
  return value instanceof Uint8Array ? Buffer.from(value).toString('utf8') : undefined
}

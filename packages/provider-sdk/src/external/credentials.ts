import { getOwn, type GroupKind, isJsonObject, type JsonObject, type KubeObject, specOf, SYSTEM_NAMESPACE } from '@weft/api'
import { type Client, NoMatchError, secretKind } from '@weft/client'
import { fromSecretData } from '@weft/composition'
import type { AwaitedTarget } from '../references/awaited-target.ts'
import type { ManagedResource } from '../resource/managed-resource.ts'

/** What a ProviderConfig (or a Provider, its older form) gives. */
export interface Credentials {
  /** The ProviderConfig. */
  readonly config: KubeObject
  readonly source: string
  /** Everything in the secret; empty when the source is None. */
  readonly secret: Readonly<Record<string, Uint8Array>>
  /** The value under the key that the reference names, if it names one. */
  readonly value: Uint8Array | undefined
}

export type CredentialsErrorCode = 'ConfigNotFound' | 'ConfigInvalid' | 'SecretNotFound' | 'KeyNotFound'

/** There are no usable credentials. Retried: somebody may be about to create them. */
export class CredentialsError extends Error {
  readonly code: CredentialsErrorCode
  /** What would help, where it can be named. */
  readonly awaited: AwaitedTarget | undefined

  constructor(code: CredentialsErrorCode, message: string, { awaited, ...options }: ErrorOptions & { awaited?: AwaitedTarget } = {}) {
    super(message, options)
    this.name = 'CredentialsError'
    this.code = code
    this.awaited = awaited
  }
}

export interface CredentialSource {
  readonly client: Client
  /** Kinds that `providerConfigRef` and `providerRef` may mean; a `kind` in the reference decides, else the first that is there. */
  readonly configKinds: readonly GroupKind[]
  readonly signal?: AbortSignal | undefined
}

/** The name used when a resource names no ProviderConfig. */
const DEFAULT_CONFIG = 'default'

/** Follows `spec.providerConfigRef` (or `spec.providerRef`) to its secret. Throws CredentialsError. */
export async function resolveCredentials(resource: ManagedResource, source: CredentialSource): Promise<Credentials> {
  const config = await findConfig(resource, source)
  const where = `${config.kind} ${config.metadata.name ?? ''}`
  const spec = specOf(config)
  const credentials = objectAt(spec, 'credentials')
  const kind = textAt(credentials, 'source') ?? 'Secret'
  if (kind === 'None' || kind === 'InjectedIdentity') return { config, source: kind, secret: {}, value: undefined }
  // `credentialsSecretRef` is how Providers said it; `connectionSecretRef` takes a connection secret as it is.
  const ref = objectAt(credentials, 'secretRef') ?? objectAt(credentials, 'connectionSecretRef') ?? objectAt(spec, 'credentialsSecretRef')
  const name = textAt(ref, 'name')
  if (ref === undefined || name === undefined)
    throw new CredentialsError('ConfigInvalid', `${where} names no secret: set spec.credentials.secretRef`)
  const home = config.metadata.namespace
  const namespace = textAt(ref, 'namespace') ?? home ?? SYSTEM_NAMESPACE
  // Whoever writes in one namespace must not come by the secrets of another.
  if (home !== undefined && namespace !== home)
    throw new CredentialsError(
      'ConfigInvalid',
      `${where} is in namespace ${home} and refers to a secret in namespace ${namespace}: it may use secrets of its own namespace only`,
    )
  const awaited = { kinds: [secretKind], namespace, name }
  const secret = await source.client.find(secretKind, { namespace, name }, { signal: source.signal })
  if (secret === undefined)
    throw new CredentialsError('SecretNotFound', `${where} refers to secret ${namespace}/${name}, which does not exist`, { awaited })
  const data = fromSecretData(secret.data ?? {})
  const key = textAt(ref, 'key')
  const value = key === undefined ? undefined : getOwn(data, key)
  if (key !== undefined && value === undefined)
    throw new CredentialsError('KeyNotFound', `${where} refers to key "${key}" of secret ${namespace}/${name}, which has no such key`, {
      awaited,
    })
  return { config, source: kind, secret: data, value }
}

async function findConfig(resource: ManagedResource, { client, configKinds, signal }: CredentialSource): Promise<KubeObject> {
  const spec = specOf(resource)
  const configRef = objectAt(spec, 'providerConfigRef')
  const ref = configRef ?? objectAt(spec, 'providerRef')
  const name = textAt(ref, 'name') ?? DEFAULT_CONFIG
  const wanted = textAt(ref, 'kind')
  // Each kind of reference means the kind it is named after first.
  const likely = configRef === undefined && ref !== undefined ? 'Provider' : 'ProviderConfig'
  for (const kind of configKinds.toSorted((a, b) => Number(b.kind === likely) - Number(a.kind === likely))) {
    if (wanted !== undefined && kind.kind !== wanted) continue
    const config = await findServed(client, kind, { name, namespace: resource.metadata.namespace }, signal)
    if (config !== undefined) return config
  }
  const what = configKinds.map(({ kind }) => kind).join(' or ')
  throw new CredentialsError(
    'ConfigNotFound',
    `there is no ${what} named ${name}${ref === undefined ? ', and the resource names no other' : ''}`,
    { awaited: { kinds: configKinds, name } },
  )
}

/** Of several possible kinds not all need be installed. */
async function findServed(
  client: Client,
  kind: GroupKind,
  ref: { name: string; namespace: string | undefined },
  signal: AbortSignal | undefined,
): Promise<KubeObject | undefined> {
  try {
    return await client.find(kind, ref, { signal })
  } catch (error) {
    if (error instanceof NoMatchError) return undefined
    throw error
  }
}

function objectAt(holder: JsonObject | undefined, key: string): JsonObject | undefined {
  const value = holder === undefined ? undefined : getOwn(holder, key)
  return isJsonObject(value) ? value : undefined
}

function textAt(holder: JsonObject | undefined, key: string): string | undefined {
  const value = holder === undefined ? undefined : getOwn(holder, key)
  return typeof value === 'string' && value !== '' ? value : undefined
}

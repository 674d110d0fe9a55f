import { getOwn, type GroupKind, isJsonObject, type JsonObject, type KubeObject } from '@weft/api'
import type { Client } from '@weft/client'
import { type ConnectContext, type Credentials, CredentialsError, type ManagedResource, specOf } from '@weft/provider-sdk'
import { blockType, encodeMsgpack, type Field, type ProviderSchema, toConfig } from '@weft/terraform'
import { sensitiveTexts } from './redact.ts'
import { lookUpSecrets } from './secrets.ts'

/** How a provider is configured for one resource, resolved: nothing of it is a reference any more. */
export interface ProviderConfiguration {
  /** msgpack */
  readonly bytes: Uint8Array
  readonly env: Readonly<Record<string, string>>
  /** Texts that must not be shown. */
  readonly secrets: readonly string[]
}

const VARIABLE = /^[A-Z][A-Z0-9_]*$/
const DEFAULT_CONFIG = 'default'

/**
 * Reads the ProviderConfig that a resource names, and what that refers to. Read anew for each reconcile: new credentials are another
 * configuration, and so another process.
 */
export async function providerConfiguration(
  resource: ManagedResource,
  context: ConnectContext,
  { kind, fields, schema }: { readonly kind: GroupKind; readonly fields: readonly Field[]; readonly schema: ProviderSchema },
): Promise<ProviderConfiguration> {
  const { config, secret, value } = await credentialsOf(resource, context, kind, fields)
  const spec = specOf(config)
  const given = objectAt(spec, 'configuration')
  const fromSecret = value === undefined ? overlayOf(fields, secret) : jsonObject(config, value)
  const parameters = { ...given }
  const where = `${config.kind} ${config.metadata.name ?? ''}: spec.configuration`
  const secrets = await lookUpSecrets(context.client, fields, parameters, undefined)
  const chosen = new Map(toConfig(fields, parameters, { path: where, secrets }))
  // What a Secret holds is given by the provider's own names, sensitive or not.
  for (const [name, part] of toConfig(plainFields(fields), fromSecret, { path: where }))
    if (part !== null && Object.hasOwn(fromSecret, name)) chosen.set(name, part)
  const environment = Object.entries(objectAt(spec, 'environment')).flatMap(([name, text]) =>
    typeof text === 'string' ? [[name, text] as const] : [],
  )
  const variables = value === undefined ? Object.entries(secret).filter(([name]) => VARIABLE.test(name)) : []
  const { block } = schema.provider
  return {
    bytes: encodeMsgpack(blockType(block), chosen),
    env: { ...Object.fromEntries(environment), ...Object.fromEntries(variables.map(([name, bytes]) => [name, textOf(bytes)])) },
    secrets: [...sensitiveTexts(block, chosen), ...Object.values(secret).map(textOf)],
  }
}

/** A provider that needs no configuration needs no ProviderConfig either, and one without credentials need not say so. */
async function credentialsOf(
  resource: ManagedResource,
  { client, credentials, signal }: ConnectContext,
  kind: GroupKind,
  fields: readonly Field[],
): Promise<Pick<Credentials, 'config' | 'secret' | 'value'>> {
  const ref = objectAt(specOf(resource), 'providerConfigRef')
  const named = getOwn(ref, 'name')
  const name = typeof named === 'string' && named !== '' ? named : DEFAULT_CONFIG
  const config = await findConfig(client, kind, name, signal)
  if (config !== undefined && getOwn(specOf(config), 'credentials') === undefined) return { config, secret: {}, value: undefined }
  try {
    return await credentials()
  } catch (error) {
    const needless = named === undefined && !fields.some(({ input }) => input === 'required')
    if (!(error instanceof CredentialsError && error.code === 'ConfigNotFound' && needless)) throw error
    return { config: { apiVersion: `${kind.group}/v1`, kind: kind.kind, metadata: { name } }, secret: {}, value: undefined }
  }
}

const findConfig = async (client: Client, kind: GroupKind, name: string, signal: AbortSignal): Promise<KubeObject | undefined> =>
  client.find(kind, { name }, { signal })

/** Keys that are called like an attribute of the configuration. */
function overlayOf(fields: readonly Field[], secret: Readonly<Record<string, Uint8Array>>): JsonObject {
  const names = new Set(fields.filter(({ input }) => input !== 'none').map(({ name }) => name))
  return Object.fromEntries(
    Object.entries(secret)
      .filter(([key]) => names.has(key))
      .map(([key, bytes]) => [key, textOf(bytes)]),
  )
}

function jsonObject(config: KubeObject, bytes: Uint8Array): JsonObject {
  let parsed: unknown
  try {
    parsed = JSON.parse(textOf(bytes))
  } catch {
    parsed = undefined
  }
  if (isJsonObject(parsed)) return parsed
  throw new CredentialsError(
    'ConfigInvalid',
    `the key that ${config.kind} ${config.metadata.name ?? ''} refers to holds no JSON object with attributes of the provider's configuration`,
  )
}

/** Fields under the provider's own names, taken as they are. */
const plainFields = (fields: readonly Field[]): readonly Field[] =>
  fields.map((field) => {
    const { secretField: _by, ...rest } = field
    return { ...rest, field: field.name, input: field.input === 'none' ? 'none' : 'optional' }
  })

const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString()

function objectAt(holder: JsonObject, key: string): JsonObject {
  const value = getOwn(holder, key)
  return isJsonObject(value) ? value : {}
}

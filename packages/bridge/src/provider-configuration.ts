import { getOwn, type GroupKind, isJsonObject, type JsonObject, type KubeObject } from '@weft/api'
import type { Client } from '@weft/client'
import { type ConnectContext, type Credentials, CredentialsError, type ManagedResource, specOf } from '@weft/provider-sdk'
import { blockType, type CallLimits, encodeMsgpack, type Field, type ProviderSchema, toProviderConfiguration } from '@weft/terraform'
import { sensitiveTexts } from './redact.ts'
import { lookUpSecrets } from './secrets.ts'

/** How a provider is configured for one resource, resolved: nothing of it is a reference any more. */
export interface ResolvedConfiguration {
  /** msgpack */
  readonly config: Uint8Array
  readonly env: Readonly<Record<string, string>>
  readonly limits: CallLimits | undefined
  /** Texts that must not be shown. */
  readonly secrets: readonly string[]
  /** Does a ProviderConfig say anything? Otherwise the provider has only its own defaults. */
  readonly configured: boolean
}

/** What a provider lets itself be configured by. */
export interface ProviderSettings {
  readonly kind: GroupKind
  readonly fields: readonly Field[]
  readonly schema: ProviderSchema
  /** Address and version, for people. */
  readonly provider: string
}

const DEFAULT_CONFIG = 'default'

export type ConfigurationContext = Pick<ConnectContext, 'client' | 'signal' | 'credentials'>

/**
 * Reads the ProviderConfig that a resource names, and what that refers to. Read anew for each reconcile: new credentials are another
 * configuration, and so another process.
 */
export async function providerConfiguration(
  resource: ManagedResource,
  context: ConfigurationContext,
  { kind, fields, schema, provider }: ProviderSettings,
): Promise<ResolvedConfiguration> {
  const { config, secret, value } = await credentialsOf(resource, context, kind, fields)
  const spec = specOf(config)
  const configuration = objectAt(spec, 'configuration')
  const environment = objectAt(spec, 'environment')
  const texts = Object.fromEntries(Object.entries(secret).map(([key, bytes]) => [key, textOf(bytes)]))
  const resolved = toProviderConfiguration(fields, {
    configuration,
    environment,
    secret: value === undefined ? texts : {},
    subject: `the configuration of ${provider}`,
    document: value === undefined ? undefined : textOf(value),
    secrets: await lookUpSecrets(context.client, fields, configuration, undefined),
  })
  const { block } = schema.provider
  return {
    config: encodeMsgpack(blockType(block), resolved.config),
    env: resolved.env,
    limits: limitsOf(objectAt(spec, 'limits')),
    secrets: [...sensitiveTexts(block, resolved.config), ...Object.values(texts)],
    configured: value !== undefined || [configuration, environment, texts].some((given) => Object.keys(given).length > 0),
  }
}

/** A provider that needs no configuration needs no ProviderConfig either, and one without credentials need not say so. */
async function credentialsOf(
  resource: ManagedResource,
  { client, credentials, signal }: ConfigurationContext,
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

function limitsOf(given: JsonObject): CallLimits | undefined {
  const count = (key: string): number | undefined => {
    const value = getOwn(given, key)
    return typeof value === 'number' && value >= 1 ? value : undefined
  }
  const limits = { concurrency: count('concurrency'), callsPerMinute: count('callsPerMinute') }
  return limits.concurrency === undefined && limits.callsPerMinute === undefined ? undefined : limits
}

const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString()

function objectAt(holder: JsonObject, key: string): JsonObject {
  const value = getOwn(holder, key)
  return isJsonObject(value) ? value : {}
}

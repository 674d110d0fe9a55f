import { getOwn, type GroupKind, isJsonObject, type KubeObject } from '@weft/api'
import {
  type ConnectContext,
  type Connector,
  CredentialsError as NoCredentials,
  defineProvider,
  managedKind,
  type ProviderDefinition,
} from '@weft/provider-sdk'
import { loadKinds } from '../catalogue/kinds.ts'
import { loadProviderPackage, type ProviderPackage } from '../catalogue/provider-package.ts'
import type { SimulatedKind } from '../catalogue/simulated-kind.ts'
import { SimCloudClient } from '../client/client.ts'
import { CredentialsError, parseCredentials, type SimCloudCredentials } from '../client/credentials.ts'
import { cloudClient } from './cloud-client.ts'

/** Names of the field by which Providers of the clouds say whose resources they manage. */
const ACCOUNT_FIELDS = ['account', 'accountID', 'projectID', 'subscriptionID']
const CONFIG_KINDS: ReadonlySet<string> = new Set(['ProviderConfig', 'Provider'])

export interface SimCloudProviderOptions {
  /** A call to the cloud that takes longer is given up. */
  readonly timeoutMs?: number
}

/**
 * The provider whose package and kinds are in `directory` (`@weft/provider-gcp` and its like export theirs), on a simulated cloud.
 * One controller per managed kind, all of them the same code.
 */
export function simcloudProvider(directory: string, options: SimCloudProviderOptions = {}): ProviderDefinition {
  const contents = loadProviderPackage(directory)
  const catalogue = loadKinds([directory])
  const configKinds = contents.custom.filter(({ kind }) => CONFIG_KINDS.has(kind)).map(({ group, kind }): GroupKind => ({ group, kind }))
  return defineProvider({
    name: contents.name,
    package: { metadata: metadataOf(contents), objects: objectsOf(contents) },
    kinds: contents.managed.flatMap(({ group, kind }) => {
      const simulated = catalogue.findManaged(group, kind)
      // A kind that the cloud does not know stays without a controller, as in any provider that does not implement it.
      return simulated === undefined
        ? []
        : [managedKind({ group, kind, connector: connectorFor(simulated, options), configKinds, creationGraceMs: 0 })]
    }),
  })
}

const isMetadata = ({ apiVersion }: KubeObject): boolean => apiVersion.startsWith('meta.pkg.crossplane.io/')

const all = ({ objects }: ProviderPackage): readonly KubeObject[] => objects as unknown as readonly KubeObject[]

const objectsOf = (contents: ProviderPackage): readonly KubeObject[] => all(contents).filter((object) => !isMetadata(object))

const metadataOf = (contents: ProviderPackage): KubeObject => all(contents).find(isMetadata) as KubeObject

function connectorFor(kind: SimulatedKind, { timeoutMs }: SimCloudProviderOptions): Connector {
  return {
    async connect(_resource, context) {
      const { credentials, account, region } = await readConfig(context)
      const { endpoint, token } = credentials
      const cloud = new SimCloudClient({ endpoint, token, cloud: kind.cloud, account, ...(timeoutMs !== undefined && { timeoutMs }) })
      return cloudClient({ cloud, kind, region })
    },
  }
}

async function readConfig(
  context: ConnectContext,
): Promise<{ credentials: SimCloudCredentials; account: string; region: string | undefined }> {
  const { config, value } = await context.credentials()
  const where = `${config.kind} ${config.metadata.name ?? ''}`
  if (value === undefined)
    throw new NoCredentials('ConfigInvalid', `${where} does not say under which key of the secret the credentials are`)
  const credentials = parsed(Buffer.from(value).toString('utf8'), where)
  const spec = config['spec']
  const setting = (name: string): string | undefined => {
    const given = isJsonObject(spec) ? getOwn(spec, name) : undefined
    return typeof given === 'string' && given !== '' ? given : undefined
  }
  const account = ACCOUNT_FIELDS.map(setting).find((found) => found !== undefined) ?? credentials.account
  if (account === undefined) throw new NoCredentials('ConfigInvalid', `${where} and its credentials name no account`)
  return { credentials, account, region: setting('region') }
}

function parsed(text: string, where: string): SimCloudCredentials {
  try {
    return parseCredentials(text)
  } catch (error) {
    if (error instanceof CredentialsError) throw new NoCredentials('ConfigInvalid', `${where}: ${error.message}`, { cause: error })
    throw error
  }
}

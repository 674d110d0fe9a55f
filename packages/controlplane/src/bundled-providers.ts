import type { ProviderDefinition } from '@weft/provider-sdk'

/** Providers that come with Weft, loaded only when they are wanted. gcp, azure and aws manage a simulated cloud (providers/simcloud). */
const bundled: Readonly<Record<string, () => Promise<ProviderDefinition>>> = {
  nop: async () => (await import('@weft/provider-nop')).nopProvider,
  postgresql: async () => (await import('@weft/provider-postgresql')).postgresqlProvider,
  gcp: async () => simulated((await import('@weft/provider-gcp')).directory),
  azure: async () => simulated((await import('@weft/provider-azure')).directory),
  aws: async () => simulated((await import('@weft/provider-aws')).directory),
}

export const BUNDLED_PROVIDERS: readonly string[] = Object.keys(bundled)
export const DEFAULT_PROVIDERS: readonly string[] = ['nop', 'postgresql']

/** The clouds that are simulated, each with the folder that says how it behaves. */
export async function simulatedClouds(): Promise<Readonly<Record<string, string>>> {
  const [gcp, azure, aws] = await Promise.all([import('@weft/provider-gcp'), import('@weft/provider-azure'), import('@weft/provider-aws')])
  return { gcp: gcp.directory, azure: azure.directory, aws: aws.directory }
}

async function simulated(directory: string): Promise<ProviderDefinition> {
  const { simcloudProvider } = await import('@weft/provider-simcloud')
  return simcloudProvider(directory)
}

/** Throws for a name that is not bundled, naming those that are. */
export function loadProviders(wanted: readonly (string | ProviderDefinition)[]): Promise<ProviderDefinition[]> {
  return Promise.all(
    [...new Set(wanted)].map((name) => {
      if (typeof name !== 'string') return name
      const load = Object.hasOwn(bundled, name) ? bundled[name] : undefined
      if (load === undefined) throw new Error(`there is no bundled provider "${name}": choose from ${BUNDLED_PROVIDERS.join(', ')}`)
      return load()
    }),
  )
}

import { BUNDLED } from '@weft/controllers'
import type { ProviderDefinition } from '@weft/provider-sdk'

/** Providers that come with Weft, loaded only when they are wanted. gcp, azure and aws manage a simulated cloud (providers/simcloud). */
const bundled: Readonly<Record<string, () => Promise<ProviderDefinition>>> = {
  nop: async () => (await import('@weft/provider-nop')).nopProvider,
  postgresql: async () => (await import('@weft/provider-postgresql')).postgresqlProvider,
  kubernetes: async () => (await import('@weft/provider-kubernetes')).kubernetesProvider,
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

/** The providers that this process can run itself, by the name that follows `bundled:`. Each is loaded once, when it is first asked for. */
export interface ProviderShelf {
  /** Undefined when there is none of that name. */
  find(name: string): Promise<ProviderDefinition | undefined>
  /** The name of one that was given as a definition, or that is bundled. */
  nameOf(wanted: string | ProviderDefinition): string
}

/** Those that come with Weft, and those that whoever embeds it adds. */
export function providerShelf(wanted: readonly (string | ProviderDefinition)[]): ProviderShelf {
  const given = new Map(wanted.flatMap((each) => (typeof each === 'string' ? [] : [[each.name, each] as const])))
  const loaded = new Map<string, Promise<ProviderDefinition>>()
  return {
    find(name) {
      const own = given.get(name)
      if (own !== undefined) return Promise.resolve(own)
      const load = Object.hasOwn(bundled, name) ? bundled[name] : undefined
      if (load === undefined) return Promise.resolve(undefined)
      let loading = loaded.get(name)
      if (loading === undefined) loaded.set(name, (loading = load()))
      return loading
    },
    nameOf: (each) => (typeof each === 'string' ? each : each.name),
  }
}

/** Throws for a name that is not bundled, naming those that are. */
export function mustBeBundled(wanted: readonly (string | ProviderDefinition)[]): void {
  for (const name of wanted)
    if (typeof name === 'string' && !Object.hasOwn(bundled, name))
      throw new Error(`there is no bundled provider "${name}": choose from ${BUNDLED_PROVIDERS.join(', ')}`)
}

/** The providers themselves. Throws for a name that is not bundled, naming those that are. */
export async function loadProviders(wanted: readonly (string | ProviderDefinition)[]): Promise<ProviderDefinition[]> {
  mustBeBundled(wanted)
  const shelf = providerShelf(wanted)
  const found = await Promise.all([...new Set(wanted)].map((each) => shelf.find(shelf.nameOf(each))))
  return found.filter((each) => each !== undefined)
}

/** The code of a bundled package; undefined for the sources of others. */
export function bundledCode(shelf: ProviderShelf, source: string): (() => Promise<ProviderDefinition>) | undefined {
  if (!source.startsWith(BUNDLED)) return undefined
  return async () => {
    const definition = await shelf.find(source.slice(BUNDLED.length))
    if (definition === undefined) throw new Error(`${source} does not come with this control plane`)
    return definition
  }
}

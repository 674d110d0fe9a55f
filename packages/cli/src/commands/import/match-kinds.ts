import { managedResourceDefinitionKind } from '@weft/controllers'
import { groupOf, parseAddress, renameKey, type StateResource, stubOf } from '@weft/terraform'
import type { Cluster } from '../../cluster/index.ts'
import { listed } from './listed.ts'

/** The kind that stands for a type of a provider that is installed. */
export interface MatchedKind {
  readonly kind: string
  readonly group: string
  readonly version: string
  /** Name of its ManagedResourceDefinition. */
  readonly definition: string
  /** Name of the Provider that brought it. */
  readonly provider: string
  readonly active: boolean
}

export interface Matched {
  readonly resource: StateResource
  readonly kind: MatchedKind
}

const PACKAGE_LABEL = 'pkg.crossplane.io/package'
const API_VERSION = 'v1alpha1'
/** Part of the program itself: no provider to install. */
const BUILT_IN = 'terraform.io/builtin/'

/** Finds the kind of each resource. What has none is left out, with what to do about it. */
export async function matchKinds(
  { client }: Cluster,
  resources: readonly StateResource[],
): Promise<{ readonly matched: readonly Matched[]; readonly left: readonly string[] }> {
  const { items } = await client.list(managedResourceDefinitionKind)
  const byType = new Map<string, MatchedKind[]>()
  const groups = new Set<string>()
  for (const definition of items) {
    const stub = stubOf(definition)
    const kind = definition.spec.names['kind']
    if (stub === undefined || typeof kind !== 'string') continue
    const { group, state } = definition.spec
    groups.add(group)
    const key = renameKey(stub.type)
    const found: MatchedKind = {
      kind,
      group,
      version: API_VERSION,
      definition: definition.metadata.name ?? '',
      provider: definition.metadata.labels?.[PACKAGE_LABEL] ?? '',
      active: state === 'Active',
    }
    byType.set(key, [...(byType.get(key) ?? []), found])
  }
  const matched: Matched[] = []
  const missing = new Map<string, { why: string; addresses: string[] }>()
  for (const resource of resources) {
    const kind = kindOf(resource, byType)
    if (kind !== undefined) {
      matched.push({ resource, kind })
      continue
    }
    const { key, why } = reasonFor(resource, groups)
    const others = missing.get(key) ?? { why, addresses: [] }
    others.addresses.push(resource.address)
    missing.set(key, others)
  }
  return { matched, left: [...missing.values()].map(({ why, addresses }) => `${listed(addresses)}: ${why}`) }
}

/** Of the provider that the state names; of one that was installed from a file, and so has no address, where only one has the type. */
function kindOf({ type, provider }: StateResource, byType: ReadonlyMap<string, readonly MatchedKind[]>): MatchedKind | undefined {
  const candidates = byType.get(type) ?? []
  const group = groupFor(provider)
  const exact = candidates.find((kind) => kind.group === group)
  const [only] = candidates
  return exact ?? (candidates.length === 1 && only?.group.includes('.terraform.local.') === true ? only : undefined)
}

function groupFor(provider: string): string | undefined {
  try {
    return groupOf(parseAddress(provider))
  } catch {
    return undefined
  }
}

function reasonFor({ type, provider }: StateResource, groups: ReadonlySet<string>): { readonly key: string; readonly why: string } {
  if (provider.startsWith(BUILT_IN)) return { key: provider, why: `${type} is part of Terraform itself, and no provider has it` }
  const group = groupFor(provider)
  if (group === undefined) return { key: provider, why: `${JSON.stringify(provider)} is not the address of a provider` }
  if (groups.has(group)) return { key: `${provider} ${type}`, why: `the provider ${provider} that is installed has no type ${type}` }
  const short = provider.replace(/^registry\.(?:opentofu\.org|terraform\.io)\//, '')
  return { key: provider, why: `its provider is not installed: weft provider add ${short}` }
}

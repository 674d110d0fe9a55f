import type { KubeObject } from '@weft/api'
import type { Client } from '@weft/client'
import { managedResourceDefinitionKind, type ManagedResourceDefinition, TERRAFORM } from '@weft/controllers'
import { renameKey, stubOf } from '@weft/terraform'
import { CommandFailure } from '../../report.ts'
import { PACKAGE_GROUP } from '../package/package-object.ts'

const PROVIDER = { group: PACKAGE_GROUP, kind: 'Provider' }
/** By which a definition says which package installed it. */
const PACKAGE_LABEL = 'pkg.crossplane.io/package'

/** A kind that a Terraform provider offers. */
export interface OfferedKind {
  readonly kind: string
  /** As Terraform writes it: `aws_vpc`, `data.aws_vpc`. */
  readonly type: string
  /** Of its ManagedResourceDefinition. */
  readonly definition: string
  readonly group: string
  readonly active: boolean
}

export const packageOf = (provider: KubeObject): string => {
  const text = (provider['spec'] as { readonly package?: unknown } | undefined)?.package
  return typeof text === 'string' ? text : ''
}

export const isTerraform = (provider: KubeObject): boolean => packageOf(provider).startsWith(TERRAFORM)

/** The Provider of that name, which must be a Terraform provider. */
export async function findProvider(client: Client, name: string): Promise<KubeObject> {
  const provider = await client.find(PROVIDER, { name })
  if (provider === undefined) throw new CommandFailure(`there is no Provider ${name}; weft provider list shows those that exist`)
  if (!isTerraform(provider)) throw new CommandFailure(`Provider ${name} is not a Terraform provider: it is ${packageOf(provider)}`)
  return provider
}

export async function listProviders(client: Client): Promise<readonly KubeObject[]> {
  return (await client.list(PROVIDER)).items.filter(isTerraform)
}

/** The kinds of a provider, by name. */
export async function offeredKinds(client: Client, name: string): Promise<readonly OfferedKind[]> {
  const { items } = await client.list(managedResourceDefinitionKind, { labels: { matchLabels: { [PACKAGE_LABEL]: name } } })
  return items.flatMap((definition) => offered(definition) ?? []).toSorted((a, b) => (a.kind < b.kind ? -1 : 1))
}

function offered(definition: ManagedResourceDefinition): OfferedKind | undefined {
  const stub = stubOf(definition)
  const { names, group, state } = definition.spec
  if (stub === undefined || typeof names['kind'] !== 'string') return undefined
  return { kind: names['kind'], type: renameKey(stub.type), definition: definition.metadata.name ?? '', group, active: state === 'Active' }
}

import { createHash } from 'node:crypto'
import { LOCAL_HOST, type ProviderAddress } from '../sources/address.ts'

/** What a type of a provider is called as a kind. */
export interface KindNames {
  readonly kind: string
  readonly plural: string
  readonly singular: string
  readonly listKind: string
}

export type TypeSort = 'resource' | 'data'

/** A type of a provider: `aws_vpc`, as something that is managed or that is only looked up. */
export interface ProviderType {
  readonly sort: TypeSort
  readonly name: string
}

/** The names of all kinds of a provider: by sort and type. */
export type ProviderKinds = Readonly<Record<TypeSort, ReadonlyMap<string, KindNames>>>

/** Names must fit a DNS label. */
const LONGEST = 63
const ROOT = 'tf.weft.dev'
export const WELL_KNOWN_HOSTS: ReadonlySet<string> = new Set(['registry.opentofu.org', 'registry.terraform.io', LOCAL_HOST])

/**
 * The group of a provider's kinds: `aws.tf.weft.dev`. Who publishes it is part of the group unless it is HashiCorp, and so is a registry that
 * is not one of the two that everybody means: two providers never share a group.
 */
export function groupOf({ host, namespace, type }: ProviderAddress): string {
  const label = (text: string): string => text.replaceAll(/[^a-z0-9.-]+/g, '-')
  const known = WELL_KNOWN_HOSTS.has(host)
  const parts = known && namespace === 'hashicorp' ? [type] : known ? [type, namespace] : [type, namespace, ...host.split(/[.:]/)]
  return [...parts.map(label), ROOT].join('.')
}

/**
 * Names for all types at once, since none may be given twice. What `renames` says comes first, then resources, then data sources, each in the
 * order of their names; whoever finds a name taken gets one with a hash of its type behind it. So a name depends on nothing but the types.
 */
export function kindNames(
  provider: Pick<ProviderAddress, 'type'>,
  types: { readonly resources: Iterable<string>; readonly dataSources: Iterable<string> },
  renames: ReadonlyMap<string, string> = new Map(),
): ProviderKinds {
  const taken = new Set(['ProviderConfig', 'ProviderConfigList', 'providerconfigs', 'providerconfig'])
  const all: ProviderType[] = [
    ...[...types.resources].map((name) => ({ sort: 'resource', name }) as const),
    ...[...types.dataSources].map((name) => ({ sort: 'data', name }) as const),
  ]
  const rank = ({ sort, name }: ProviderType): string =>
    `${renames.has(renameKey({ sort, name })) ? 0 : sort === 'resource' ? 1 : 2} ${name}`
  const ordered = all.toSorted((a, b) => (rank(a) < rank(b) ? -1 : 1))
  const chosen = new Map<ProviderType, { kind: string; plural: string }>()
  for (const type of ordered) {
    const wanted = renames.get(renameKey(type)) ?? kindOf(provider.type, type)
    const kind = free(wanted, type, (text) => taken.has(text) || taken.has(text.toLowerCase()))
    taken.add(kind).add(kind.toLowerCase())
    const plural = free(pluralOf(kind.toLowerCase()), type, (text) => taken.has(text))
    taken.add(plural)
    chosen.set(type, { kind, plural })
  }
  const names: Record<TypeSort, Map<string, KindNames>> = { resource: new Map(), data: new Map() }
  for (const [type, { kind, plural }] of chosen) {
    // Nobody types it: where it does not fit, it gives way, and the kind stays what people guess.
    const listKind = free(`${kind}List`, type, (text) => taken.has(text))
    taken.add(listKind)
    names[type.sort].set(type.name, { kind, plural, singular: kind.toLowerCase(), listKind })
  }
  return names
}

/** How a type is called in a list of renames: a data source as Terraform writes it, `data.aws_vpc`. */
export const renameKey = ({ sort, name }: ProviderType): string => (sort === 'data' ? `data.${name}` : name)

/** `aws_rds_cluster` → RdsCluster; `data.aws_vpc` → VpcDataSource. */
function kindOf(provider: string, { sort, name }: ProviderType): string {
  const prefixes = [provider.replaceAll('-', '_'), provider.split('-')[0] ?? provider]
  const prefix = prefixes.find((each) => name.startsWith(`${each}_`))
  const rest = prefix === undefined ? name : name.slice(prefix.length + 1)
  const words = rest.split(/[^A-Za-z0-9]+/).filter((word) => word !== '')
  const camel = words.map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`).join('')
  return `${/^[A-Z]/.test(camel) ? '' : 'X'}${camel}${sort === 'data' ? 'DataSource' : ''}`
}

/** As one would say it, and good enough where English is not regular. */
function pluralOf(singular: string): string {
  if (/(?:s|x|z|ch|sh)$/.test(singular)) return `${singular}es`
  return /[^aeiou]y$/.test(singular) ? `${singular.slice(0, -1)}ies` : `${singular}s`
}

/** The name itself, unless it is too long or taken: then as much of it as fits, with a hash of the type behind it. */
function free(wanted: string, type: ProviderType, isTaken: (text: string) => boolean): string {
  if (wanted.length <= LONGEST && !isTaken(wanted)) return wanted
  const hash = createHash('sha256').update(renameKey(type)).digest('hex')
  for (let digits = 6; ; digits += 2) {
    const name = `${wanted.slice(0, LONGEST - digits - 1)}x${hash.slice(0, digits)}`
    if (!isTaken(name)) return name
  }
}

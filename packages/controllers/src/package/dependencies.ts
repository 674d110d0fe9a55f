import { formatGroupVersion, hasReason } from '@weft/api'
import type { Client } from '@weft/client'
import { conditionOf } from '@weft/composition'
import {
  type Catalogue,
  type Package,
  PackageError,
  type PackageType,
  type PackageVersion,
  parseSource,
  repositoryOf,
  resolveFrom,
  type Resolution,
} from '@weft/xpkg'
import { type LockedPackage, type PackageObject, providerKind, type RevisionObject, SORTS } from './kinds.ts'
import { changeLock, findLock } from './lock.ts'
import { PackageRefusal } from './package-refusal.ts'
import type { FetchOptions, PackageStore } from './package-store.ts'
import { dependencyName } from './revision-names.ts'

/** A revision that is to be put into effect, as the lock knows packages. */
export interface Member {
  readonly revision: RevisionObject
  readonly contents: Package
  readonly source: string
  readonly version: string
}

export interface DependencyCounts {
  readonly foundDependencies: number
  readonly installedDependencies: number
  readonly invalidDependencies: number
}

export type Resolved = Exclude<Resolution, { kind: 'unknown' }>

/**
 * Finds versions for everything that `member` needs, directly or not, that fit each other and what is installed. Asks registries, changes
 * nothing.
 */
export async function resolveMember(client: Client, store: PackageStore, member: Member, options: FetchOptions): Promise<Resolved> {
  const installed = ((await findLock(client))?.packages ?? []).filter(({ source }) => source !== member.source).map(toVersion)
  const { source, version, contents } = member
  const root: PackageVersion = { repository: source, type: contents.type, version, dependencies: contents.dependencies }
  const catalogue: Catalogue = {
    versions: (repository) => store.versions(repository, options),
    async package(repository, wanted) {
      const fetched = await store.fetch(imageOf(repository, wanted), options)
      return {
        repository,
        type: fetched.contents.type,
        version: wanted,
        digest: fetched.digest,
        dependencies: fetched.contents.dependencies,
      }
    },
  }
  return resolveFrom(catalogue, { roots: [root], installed })
}

const toVersion = ({ source, type = 'Provider', version, dependencies = [] }: LockedPackage): PackageVersion => ({
  repository: source,
  type,
  version,
  dependencies: dependencies.map((each) => ({ package: each.package, type: each.type ?? 'Provider', version: each.constraints })),
})

const imageOf = (repository: string, version: string): string => {
  if (parseSource(repository).kind === 'path') return repository
  return version.startsWith('sha256:') ? `${repository}@${version}` : `${repository}:${version}`
}

/**
 * Enters `member` into the lock, then makes the packages that it needs and that are not there: in this order, so that after a crash the lock
 * says what they are for. Throws when they cannot be had; nothing was made then.
 */
export async function requireDependencies(client: Client, member: Member, resolution: Resolved): Promise<void> {
  if (resolution.kind === 'refused')
    throw new PackageRefusal('UnresolvableDependencies', resolution.problems.map(({ message }) => message).join('; '), { retry: true })
  const missing = resolution.install.filter(({ repository }) => repository !== member.source)
  const wanted = await withoutPresent(client, missing, member)
  await enterLock(client, member)
  for (const each of wanted) await install(client, each, member)
}

/** As newer releases of Crossplane name what older ones call the type. */
const kindOf = (kind: PackageType): Pick<LockedPackage, 'apiVersion' | 'kind'> => ({ apiVersion: formatGroupVersion(providerKind), kind })

export const enterLock = (client: Client, { revision, contents, source, version }: Member): Promise<readonly LockedPackage[]> => {
  const entry: LockedPackage = {
    name: revision.metadata.name ?? '',
    ...kindOf(contents.type),
    type: contents.type,
    source,
    version,
    dependencies: contents.dependencies.map(({ package: name, type, version: constraints }) => ({
      package: repositoryOf(parseSource(name)),
      ...kindOf(type),
      type,
      constraints,
    })),
  }
  return changeLock(client, (packages) => {
    const at = packages.findIndex(({ name, source: other }) => name === entry.name || other === source)
    // In its place: two packages that wait for each other must not push each other to the end for ever.
    const kept = packages.filter(({ name, source: other }, i) => i === at || (name !== entry.name && other !== source))
    return at < 0 ? [...packages, entry] : kept.map((each, i) => (i === at ? entry : each))
  })
}

/** A package that somebody is installing already is not made twice; one of that name from elsewhere is in the way. */
async function withoutPresent(client: Client, missing: readonly PackageVersion[], { source }: Member): Promise<readonly PackageVersion[]> {
  if (missing.length === 0) return []
  const present: PackageObject[] = []
  for (const { kind } of SORTS) present.push(...(await client.list(kind)).items)
  const sources = new Set(present.map(({ spec }) => sourceOf(spec.package)))
  const wanted = missing.filter(({ repository }) => !sources.has(repository))
  for (const { repository, type } of wanted) {
    const name = dependencyName(repository)
    const other = present.find(({ kind, metadata }) => kind === type && metadata.name === name)
    if (other !== undefined)
      throw new PackageRefusal(
        'UnresolvableDependencies',
        `${source} needs ${repository}, but ${type} ${name} is installed from ${other.spec.package}: install the former under another name`,
        { retry: true },
      )
  }
  return wanted
}

function sourceOf(text: string): string {
  try {
    return repositoryOf(parseSource(text))
  } catch (error) {
    if (error instanceof PackageError) return text
    throw error
  }
}

async function install(client: Client, { repository, type, version }: PackageVersion, { revision }: Member): Promise<void> {
  const sort = SORTS.find((each) => each.type === type)
  if (sort === undefined) return
  const { packagePullSecrets } = revision.spec
  const object: PackageObject = {
    apiVersion: formatGroupVersion(sort.kind),
    kind: sort.kind.kind,
    metadata: { name: dependencyName(repository) },
    spec: { package: imageOf(repository, version), ...(packagePullSecrets && { packagePullSecrets }) },
  }
  try {
    await client.create(object)
  } catch (error) {
    if (!hasReason(error, 'AlreadyExists')) throw error
  }
}

/** How many of the dependencies there are, and which are not in effect yet. */
export async function dependencyState(
  client: Client,
  { source }: Member,
): Promise<{ readonly counts: DependencyCounts; readonly missing: readonly string[] }> {
  const packages = (await findLock(client))?.packages ?? []
  const needed = closureOf(packages, source)
  const missing: string[] = []
  for (const repository of needed) {
    const locked = packages.find((each) => each.source === repository)
    if (locked === undefined || !(await isInEffect(client, locked))) missing.push(repository)
  }
  return {
    counts: { foundDependencies: needed.size, installedDependencies: needed.size - missing.length, invalidDependencies: 0 },
    missing,
  }
}

function closureOf(packages: readonly LockedPackage[], source: string): ReadonlySet<string> {
  const found = new Set<string>()
  const visit = (repository: string): void => {
    for (const { package: next } of packages.find((each) => each.source === repository)?.dependencies ?? []) {
      if (next === source || found.has(next)) continue
      found.add(next)
      visit(next)
    }
  }
  visit(source)
  return found
}

async function isInEffect(client: Client, { name, type = 'Provider' }: LockedPackage): Promise<boolean> {
  const sort = SORTS.find((each) => each.type === type)
  const revision = sort === undefined ? undefined : await client.find(sort.revisionKind, { name })
  return revision !== undefined && conditionOf(revision, 'RevisionHealthy')?.status === 'True'
}

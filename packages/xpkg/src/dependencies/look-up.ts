import { type Knowledge, type PackageVersion, resolveDependencies, type Resolution } from './resolve-dependencies.ts'

/** Where versions and their dependencies are looked up; each is asked once for one thing. Rejects with a PackageError. */
export interface Catalogue {
  versions(repository: string): Promise<readonly string[]>
  package(repository: string, version: string): Promise<PackageVersion>
}

/** Packages whose contents are looked at for one resolution, at most. */
const MAX_LOOKUPS = 300

/** Resolves, looking up what is not known until nothing is missing. A failed look-up is the caller's to report. */
export async function resolveFrom(
  catalogue: Catalogue,
  { roots, installed }: Pick<Knowledge, 'roots' | 'installed'>,
): Promise<Exclude<Resolution, { kind: 'unknown' }>> {
  const versions = new Map<string, readonly string[]>()
  const packages = new Map<string, PackageVersion>()
  const knowledge: Knowledge = {
    roots,
    installed,
    versions: (repository) => versions.get(repository),
    package: (repository, version) => packages.get(`${repository}:${version}`),
  }
  for (;;) {
    const resolution = resolveDependencies(knowledge)
    if (resolution.kind !== 'unknown') return resolution
    if (versions.size + packages.size > MAX_LOOKUPS)
      return {
        kind: 'refused',
        problems: [{ code: 'TooComplex', message: `gave up after looking at ${packages.size} packages; narrow the ranges` }],
      }
    for (const repository of resolution.versions) versions.set(repository, await catalogue.versions(repository))
    for (const { repository, version } of resolution.packages)
      packages.set(`${repository}:${version}`, await catalogue.package(repository, version))
  }
}

import { getOwn, isJsonObject, type KubeObject } from '@weft/api'
import { type PackageContents, Refusal } from '@weft/console'
import { type FetchedPackage, type FetchOptions, fetchPackage, formatSource, openBundle, PackageError, parseSource } from '@weft/xpkg'

/** As the control plane was told about packages, so that what is looked into is what would be installed. */
export interface PackageOptions extends Pick<FetchOptions, 'plainHttp' | 'publicKeys' | 'paths'> {
  /** Files that hold packages. */
  readonly bundles?: readonly string[] | undefined
}

const PATIENCE_MS = 60_000

/**
 * What is in a package. Fetched without anybody's credentials: what takes a pull secret cannot be looked into here, only installed. Without `paths` nothing
 * is read from disk.
 */
export async function readPackage(
  source: string,
  { bundles = [], paths = { within: [] }, ...options }: PackageOptions,
  signal: AbortSignal,
): Promise<PackageContents> {
  try {
    const opened = await Promise.all(bundles.map((file) => openBundle(file)))
    return contentsOf(await fetchPackage(parseSource(source), { ...options, paths, bundles: opened, timeoutMs: PATIENCE_MS, signal }))
  } catch (error) {
    throw error instanceof PackageError ? new Refusal(422, 'Invalid', error.message, { cause: error }) : error
  }
}

function contentsOf({ type, name, source, digest, objects, dependencies }: FetchedPackage): PackageContents {
  const kinds = objects.flatMap(kindsIn)
  const isDefinition = (object: KubeObject): boolean => kindsIn(object).length > 0
  return {
    type,
    name,
    // What is in a folder by then is what was looked at, and another content is another revision.
    source: formatSource(source.kind === 'path' ? { ...source, digest } : source),
    kinds,
    others: objects.filter((object) => !isDefinition(object)).map(({ kind, metadata }) => ({ kind, name: metadata.name ?? '' })),
    dependencies,
  }
}

/** The kinds that an object of a package defines. */
function kindsIn({ kind, ...object }: KubeObject): PackageContents['kinds'] {
  const spec = object['spec']
  switch (kind) {
    case 'CustomResourceDefinition':
    case 'ManagedResourceDefinition':
      return named(spec, at(spec, 'names'))
    case 'CompositeResourceDefinition':
      return [...named(spec, at(spec, 'names')), ...named(spec, at(spec, 'claimNames'))]
    case 'InfrastructureDefinition':
    case 'ApplicationDefinition':
      return named(at(spec, 'crdSpecTemplate'), at(spec, 'crdSpecTemplate', 'names'))
    default:
      return []
  }
}

function named(holder: unknown, names: unknown): PackageContents['kinds'] {
  const [group, kind, plural] = [at(holder, 'group'), at(names, 'kind'), at(names, 'plural')]
  return typeof group === 'string' && typeof kind === 'string' && typeof plural === 'string' ? [{ group, kind, plural }] : []
}

const at = (value: unknown, ...path: readonly string[]): unknown =>
  path.reduce<unknown>((node, key) => (isJsonObject(node) ? getOwn(node, key) : undefined), value)

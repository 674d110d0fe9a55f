import type { Catalogue } from '../dependencies/look-up.ts'
import { type FetchOptions, fetchPackage, listTags } from '../fetch-package.ts'
import { isDigest } from '../digest.ts'
import { PackageError } from '../package-error.ts'
import { type ImageReference, parseSource } from '../source/package-source.ts'

/** Looks packages up in the registries that they name. */
export function registryCatalogue(options: FetchOptions = {}): Catalogue {
  return {
    versions: (repository) => listTags(imageOf(repository), options),
    async package(repository, version) {
      const { registry, repository: path } = imageOf(repository)
      const image: ImageReference = { registry, repository: path, ...(isDigest(version) ? { digest: version } : { tag: version }) }
      const { type, dependencies, digest } = await fetchPackage({ kind: 'image', image }, options)
      return { repository, type, version, digest, dependencies }
    },
  }
}

function imageOf(repository: string): ImageReference {
  const source = parseSource(repository)
  if (source.kind === 'image') return source.image
  throw new PackageError('Malformed', `${repository} is a path; only packages of a registry can be depended on`)
}

/**
 * Packages in Crossplane's format: what they hold, where they are kept, what they depend on. Reads and writes them; installs nothing.
 */
export { type Digest, digestOf, isDigest } from './digest.ts'
export { type BlobCache, type FetchedPackage, fetchPackage, type FetchOptions } from './fetch-package.ts'
export type { Dependency, Package, PackageType } from './format/package.ts'
export { parsePackage } from './format/parse-package.ts'
export { DEFAULT_LIMITS, type Limits } from './limits.ts'
export { PackageError, type PackageErrorCode } from './package-error.ts'
export type { Credentials, CredentialSource } from './registry/credentials.ts'
export type { RegistryOptions } from './registry/registry-options.ts'
export {
  DEFAULT_REGISTRY,
  formatImage,
  formatSource,
  type ImageReference,
  type PackageSource,
  parseSource,
  repositoryOf,
} from './source/package-source.ts'
export { type Catalogue, resolveFrom } from './dependencies/look-up.ts'
export {
  type DependencyProblem,
  type Knowledge,
  type PackageVersion,
  type Resolution,
  resolveDependencies,
} from './dependencies/resolve-dependencies.ts'
export { newestFirst, parseRange, type VersionRange } from './dependencies/version-range.ts'

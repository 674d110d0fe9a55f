/**
 * Packages in Crossplane's format: what they hold, where they are kept, what they depend on. Reads and writes them; installs nothing.
 */
export { type BuiltPackage, buildPackage, writeOciLayout, writeXpkg } from './build-package.ts'
export { type Bundle, openBundle } from './bundle/open-bundle.ts'
export { writeBundle, type WriteBundleOptions } from './bundle/write-bundle.ts'
export { type Catalogue, resolveFrom } from './dependencies/look-up.ts'
export {
  type DependencyProblem,
  type Knowledge,
  type PackageVersion,
  type Resolution,
  resolveDependencies,
} from './dependencies/resolve-dependencies.ts'
export { newestFirst, parseRange, type VersionRange } from './dependencies/version-range.ts'
export { type Digest, digestOf, isDigest } from './digest.ts'
export { type FetchedPackage, fetchPackage, type FetchOptions, listTags, resolveDigest } from './fetch-package.ts'
export type { Dependency, Package, PackageType } from './format/package.ts'
export { parsePackage } from './format/parse-package.ts'
export type { Image, Runtime } from './image/build-image.ts'
export { DEFAULT_LIMITS, type Limits } from './limits.ts'
export { openPackage } from './open-package.ts'
export { PackageError, type PackageErrorCode } from './package-error.ts'
export { hostPlatform, type Platform, platformText } from './program/platform.ts'
export type { Program } from './program/program.ts'
export { folderRuntime, type FolderRuntimeOptions } from './program/folder-runtime.ts'
export { imageRuntime } from './program/image-runtime.ts'
export { executableAt, type Executable, missingInterpreter, withoutInterpreter } from './program/interpreter.ts'
export { programFile, type ProgramFile } from './program/program-file.ts'
export { type ProgramStore, programStore } from './program/program-store.ts'
export { followInside } from './program/inside.ts'
export { pushImage, type PushOptions } from './push-package.ts'
export type { CredentialSource, RegistryCredentials } from './registry/credentials.ts'
export { dockerCredentials, parseDockerConfig } from './registry/docker-config.ts'
export { registryCatalogue } from './registry/registry-catalogue.ts'
export { type BodySink, type HttpRequest, type HttpResponse, isLoopback, send } from './registry/http.ts'
export type { RegistryOptions } from './registry/registry-options.ts'
export type { Authority, Identity, Keyless, TrustedKey } from './signature/authority.ts'
export { type AllowedPaths, allowedPath } from './source/allowed-paths.ts'
export { readPlainFile } from './source/read-file.ts'
export {
  DEFAULT_REGISTRY,
  formatImage,
  formatSource,
  type ImageReference,
  type PackageSource,
  parseSource,
  repositoryOf,
} from './source/package-source.ts'

import type { KubeObject } from '@weft/api'
import type { Program } from '../program/program.ts'

/** The sorts of packages that Weft installs. */
export type PackageType = 'Provider' | 'Configuration' | 'Function'

/** One entry of `spec.dependsOn`. */
export interface Dependency {
  /** Repository without version, as written: `xpkg.crossplane.io/crossplane-contrib/provider-aws`. */
  readonly package: string
  /** What sort it must be. */
  readonly type: PackageType
  /** A range of versions (`>=v0.1.0`, `v1.x`), one version, or a digest. */
  readonly version: string
}

/**
 * What a package says and holds, read and checked: exactly one metadata document, and only objects that a package of its type may carry.
 * Nothing of it has been applied anywhere.
 */
export interface Package {
  readonly type: PackageType
  /** `metadata.name` of the metadata document. */
  readonly name: string
  /** The metadata document: `meta.pkg.crossplane.io Provider | Configuration | Function`. */
  readonly metadata: KubeObject
  /** In the order of the file. Kinds as packaged: turning CRDs into ManagedResourceDefinitions (M5) is the installer's work. */
  readonly objects: readonly KubeObject[]
  readonly dependencies: readonly Dependency[]
  /** `spec.capabilities`, as written (M11). */
  readonly capabilities: readonly string[]
  /** `spec.crossplane.version`: a range of control plane versions that it was made for. */
  readonly crossplaneConstraint?: string
  /** Other files that travel with it, such as a JavaScript module. Paths are relative, with `/`, and stay inside the package. */
  readonly files: ReadonlyMap<string, Uint8Array>
  /** What its image runs; its files are in a ProgramStore, where there is one. */
  readonly program?: Program | undefined
}

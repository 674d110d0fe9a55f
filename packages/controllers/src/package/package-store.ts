import type { Authority, Package } from '@weft/xpkg'
import type { AppliedImageConfig } from './kinds.ts'

/** A package that is here. */
export interface FetchedPackage {
  /** Names the contents: the same digest is the same package. */
  readonly digest: string
  readonly contents: Package
  /** By which dependencies know it: where it came from, without version. */
  readonly source: string
  /** Its tag, or its digest where it has none. */
  readonly version: string
  /** The image that it was fetched as, where it is one, and the ImageConfigs that had a say. */
  readonly resolved?: string
  readonly applied?: readonly AppliedImageConfig[]
}

export interface FetchOptions {
  readonly signal?: AbortSignal | undefined
  /** Contents of pull secrets (`.dockerconfigjson`), tried for the registry that they name. */
  readonly dockerConfigs?: readonly string[] | undefined
  /** It must be signed by one of these, whatever else it must be. */
  readonly signedBy?: readonly Authority[] | undefined
  /** Nothing may be asked of a registry. */
  readonly offline?: boolean | undefined
  /** Told how far it is, in words, by those who have something to tell. */
  readonly onProgress?: ((message: string) => void) | undefined
}

/**
 * Where packages come from, and where they are kept. Called by the package controllers only; all methods may be called at any time and
 * by several at once.
 */
export interface PackageStore {
  /**
   * The package that `source` (the text of `spec.package`) means now. Checked completely: a package that is answered can be read, carries
   * only what it may, and its bytes are those that were asked for. It stays here afterwards, under its digest.
   * Rejects with a PackageError, and then nothing has changed.
   */
  fetch(source: string, options?: FetchOptions): Promise<FetchedPackage>
  /** What `fetch` once answered; undefined when it is no longer here. */
  load(digest: string): Promise<Package | undefined>
  /** The digest of what `source` means now, where that is known without asking anybody: it comes with this process. */
  peek?(source: string): string | undefined
  /** Source and version of a text of `spec.package`, without asking anybody. */
  identify(source: string, digest: string): { readonly source: string; readonly version: string }
  /** Forgets every package that is neither of these nor came lately: what no revision names any more is fetched again when it is wanted. */
  prune?(wanted: ReadonlySet<string>): Promise<void>
  /** Tags of a repository, in no order. */
  versions(repository: string, options?: FetchOptions): Promise<readonly string[]>
}

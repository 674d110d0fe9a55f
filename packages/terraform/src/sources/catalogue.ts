import type { ProviderAddress } from './address.ts'
import type { Platform } from './platform.ts'

/**
 * Where providers are offered: a registry, or a mirror of one. Asked when a provider is installed or upgraded, and at no other time. Every
 * method rejects with a PackageError that names what was asked of whom.
 */
export interface ProviderCatalogue {
  /** For messages: `registry.opentofu.org`, `the mirror /srv/providers`. */
  readonly name: string
  /** All versions that are offered for the platform, in no order. */
  versions(address: ProviderAddress, request: CatalogueRequest): Promise<readonly string[]>
  /** Where the files of one version are, and by which hashes they are known. What must be signed has been checked when this resolves. */
  archive(address: ProviderAddress, version: string, request: CatalogueRequest): Promise<ProviderArchive>
}

export interface CatalogueRequest {
  readonly platform: Platform
  readonly signal: AbortSignal
}

export interface ProviderArchive {
  readonly place:
    | { readonly kind: 'url'; readonly url: URL }
    /** A zip on this machine. */
    | { readonly kind: 'zip'; readonly path: string }
    /** What is unpacked already. */
    | { readonly kind: 'folder'; readonly path: string }
    /** The program alone. */
    | { readonly kind: 'program'; readonly path: string }
  /** `zh:` (of the zip) and `h1:` (of the files), whichever are known: one of them must be right. Empty: nobody vouches for it. */
  readonly hashes: readonly string[]
  /** Who says so: `signed by 34365D9472D7468F`, `not signed`. */
  readonly trust: string
}

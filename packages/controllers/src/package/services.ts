import type { DefinitionServices } from '../definition/services.ts'
import type { PackageStore } from './package-store.ts'
import type { ProviderRuntime } from './provider-runtime.ts'

/** What the package controllers need besides. */
export interface PackageServices extends DefinitionServices {
  readonly store: PackageStore
  readonly runtime: ProviderRuntime
}

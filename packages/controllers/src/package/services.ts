import type { DefinitionServices } from '../definition/services.ts'
import type { PackageStore } from './package-store.ts'
import { NO_RUNTIME, type PackageRuntime } from './package-runtime.ts'
import type { PackageSort } from './kinds.ts'
import { besideBuiltIns } from './built-in-functions.ts'

/** What the package controllers need besides. */
export interface PackageServices extends DefinitionServices {
  readonly store: PackageStore
  /** Runs the code of providers. */
  readonly runtime: PackageRuntime
  /** Runs the code of functions; without it none is run. */
  readonly functions?: PackageRuntime | undefined
}

const NO_FUNCTIONS: PackageRuntime = {
  ensure: () =>
    Promise.resolve({ healthy: false, reason: 'NoRuntime', message: 'programs of functions are not run by this control plane' }),
  stop: () => Promise.resolve(),
}

/** What runs the code of packages of a sort. */
export function runtimeOf({ type }: PackageSort, { runtime, functions = NO_FUNCTIONS }: PackageServices): PackageRuntime {
  switch (type) {
    case 'Provider':
      return runtime
    case 'Function':
      return besideBuiltIns(functions)
    case 'Configuration':
      return NO_RUNTIME
  }
}

import type { Client } from '@weft/client'
import type { ManagedKind } from '../reconciler/managed-kind.ts'
import type { ProviderPackage } from './provider-package.ts'

/**
 * A provider: kinds with their controllers, and the package that installs the kinds. The control plane installs the package and starts
 * the provider (`startProvider`); a provider may as well be started by a process of its own.
 */
export interface ProviderDefinition {
  /** Names the package, its controllers and its events: `provider-nop`. */
  readonly name: string
  readonly kinds: readonly ManagedKind[]
  readonly package: ProviderPackage
  /** Called once before any controller starts; what it answers is called when the provider stops. */
  readonly start?: ((context: ProviderContext) => Promise<() => Promise<void>>) | undefined
}

export interface ProviderContext {
  readonly log: {
    info(message: string, fields?: Record<string, unknown>): void
    warn(message: string, fields?: Record<string, unknown>): void
  }
  /** Reads of the API server. Kinds may not be served yet. */
  readonly client: Client
  /** A folder of its own for what the provider keeps on this machine. */
  readonly dataDir: string
}

/** Checks the definition and answers it. Throws on mistakes that would otherwise show at run time, far from their cause. */
export function defineProvider(definition: ProviderDefinition): ProviderDefinition {
  if (definition.kinds.length === 0) throw new TypeError(`provider ${definition.name} has no kinds`)
  const seen = new Set<string>()
  for (const { group, kind } of definition.kinds) {
    const key = `${kind}.${group}`
    if (seen.has(key)) throw new TypeError(`provider ${definition.name} has two controllers for ${key}`)
    seen.add(key)
  }
  return definition
}

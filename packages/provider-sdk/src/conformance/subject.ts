import type { KubeObject } from '@weft/api'
import type { ManagedResource } from '../resource/managed-resource.ts'
import type { World } from './world.ts'

/**
 * What the conformance suite needs to know of a provider: how to make a resource, and how to look into the external system behind the
 * provider's back. What is left out is not applicable to the provider, and its cases are not run.
 */
export interface ConformanceSubject {
  /** A resource that becomes Ready by itself, with a connection secret in namespace `conformance` if the kind publishes one. */
  resource(name: string): ManagedResource
  /** The same resource with a parameter changed that can be changed. */
  readonly change?: (resource: ManagedResource) => ManagedResource
  readonly external: ExternalSystem
  /** A resource that leaves a parameter to the external system, and the path under `spec.forProvider` where it must appear. */
  readonly lateInit?: { resource(name: string): ManagedResource; readonly field: string }
  /** Resources that refer to one another, in an order in which they could be created one by one. */
  readonly references?: (name: string) => readonly ManagedResource[]
  /** Keys that the connection secret must have. */
  readonly connectionKeys?: readonly string[]
  /** What tells one external resource of the kind from another; see ManagedKind.identity. `name` unless told. */
  readonly identifiedBy?: 'name' | 'parameters'
  /** As the kind says: ManagedKind.adoption. */
  readonly adoption?: 'asked' | 'free'
  readonly credentials?: ConformanceCredentials
  readonly faults?: Faults
  /** Called before the first case, for ProviderConfigs and the like. */
  prepare?(world: World): Promise<void>
  /** How long things may take. */
  readonly timeoutMs?: number
}

/** The external system itself, by its own means. */
export interface ExternalSystem {
  /** How many external resources of this name there are. Undefined `external.count` is a provider without an external system. */
  readonly count?: (externalName: string) => Promise<number>
  /** Is the external resource what the managed resource asks for? */
  readonly matches?: (resource: ManagedResource) => Promise<boolean>
  /** Somebody changes it by hand. */
  readonly drift?: (externalName: string) => Promise<void>
  /** Somebody makes it, or removes it, by hand. */
  readonly make?: (resource: ManagedResource) => Promise<void>
  readonly remove?: (externalName: string) => Promise<void>
}

export interface ConformanceCredentials {
  /** Makes what the ProviderConfig of `resource` points to missing, or wrong, until `restore`. */
  missing(world: World): Promise<void>
  wrong(world: World): Promise<void>
  restore(world: World): Promise<void>
  /** The external system accepts only new credentials from now on, and the secret has them. */
  readonly rotate?: (world: World) => Promise<void>
}

/** Each begins a fault and answers how to end it. */
export interface Faults {
  readonly down?: () => Promise<() => Promise<void>>
  readonly slow?: () => Promise<() => Promise<void>>
  readonly throttling?: () => Promise<() => Promise<void>>
  /** Requests take effect, but their answers do not arrive. */
  readonly losingAnswers?: () => Promise<() => Promise<void>>
}

/** One statement about providers, and how to check it. Rejects when it does not hold. */
export interface ConformanceCase {
  readonly name: string
  run(world: World, subject: ConformanceSubject): Promise<void>
}

/** A case, if the subject has what it needs. */
export interface ConditionalCase extends ConformanceCase {
  readonly applies?: (subject: ConformanceSubject) => boolean
}

export const SECRET_NAMESPACE = 'conformance'

export const namespaceObject: KubeObject = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: SECRET_NAMESPACE } }

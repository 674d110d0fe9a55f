import type { GroupKind, KubeObject } from '@weft/api'
import type { BackoffOptions } from '@weft/client'
import type { ReferenceTarget } from '@weft/composition'
import type { Connector } from '../external/connector.ts'
import type { ManagedResource } from '../resource/managed-resource.ts'

/** A kind of managed resource that a provider takes care of. Only `group`, `kind` and `connector` are needed. */
export interface ManagedKind<T extends ManagedResource = ManagedResource> extends GroupKind {
  readonly connector: Connector<T>
  /** The kinds that `providerConfigRef` (or `providerRef`) may mean. */
  readonly configKinds?: readonly GroupKind[] | undefined
  /** `ours`: the external resource bears the name we choose, and can be found by it. `assigned`: its system names it. */
  readonly externalNames?: 'ours' | 'assigned' | undefined
  /**
   * Only for `assigned`: the name of an external resource that exists, where an author states it in the spec instead of by the annotation. It is
   * written down as the external name before anything else is done, and not asked for again. Throws what is wrong with it.
   */
  readonly statedName?: ((resource: ManagedResource) => string | undefined) | undefined
  /**
   * What tells one external resource of the kind from all others in a provider configuration, where that is not its external name (a grant is
   * told by its role and database). Undefined while it cannot be told. Must not throw.
   */
  readonly identity?: ((resource: KubeObject) => string | undefined) | undefined
  /**
   * `asked`: what was made for a claim, a requirement or a composite takes over an external resource that it did not create only if an
   * operator allowed it. `free`: there is nothing in one that could be anybody's, so it is simply made what it should be.
   */
  readonly adoption?: 'asked' | 'free' | undefined
  /** Where the provider configurations of namespaced kinds are. Only those of one namespace are then taken to be different ones. */
  readonly configScope?: 'Cluster' | 'Namespaced' | undefined
  /**
   * What its reference fields point at, beside what ResourceReferenceDefinitions say, which come first. Asked once, when the kind is served: of
   * thousands of kinds few are.
   */
  readonly references?: (() => readonly ReferenceTarget[]) | undefined
  /** How often an external resource is looked at when nothing changes: what drift may last. */
  readonly pollIntervalMs?: number | undefined
  /** How often one is looked at that is not available yet. */
  readonly notReadyIntervalMs?: number | undefined
  /**
   * For how long after a create the external system may deny that the resource exists, as systems do that replicate lazily. Until
   * then it is not created again. 0 for systems whose reads see their writes.
   */
  readonly creationGraceMs?: number | undefined
  /**
   * How long a create whose answer was lost may still be on its way. A resource that is deleted meanwhile is looked for until then,
   * so that nothing appears that nobody would ever delete.
   */
  readonly createInFlightMs?: number | undefined
  /** Longest time for one reconcile. */
  readonly timeoutMs?: number | undefined
  /** Resources worked on at a time. */
  readonly concurrency?: number | undefined
  /** Delay after failures, per resource. */
  readonly backoff?: BackoffOptions | undefined
}

export const DEFAULTS = {
  pollIntervalMs: 60_000,
  notReadyIntervalMs: 2_000,
  creationGraceMs: 30_000,
  createInFlightMs: 30_000,
  timeoutMs: 60_000,
  concurrency: 10,
  backoff: { baseMs: 200, maxMs: 60_000, jitter: 0.2 },
} as const

/** Types a kind against its own resources; lists of kinds are of many. */
export function managedKind<T extends ManagedResource>(kind: ManagedKind<T>): ManagedKind {
  return kind
}

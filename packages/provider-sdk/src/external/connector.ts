import type { Client } from '@weft/client'
import type { ManagedResource } from '../resource/managed-resource.ts'
import type { Credentials } from './credentials.ts'
import type { ExternalClient } from './external-client.ts'

/**
 * Makes the client for one reconcile of one managed resource. Called at the start of each, so that new credentials are used at once;
 * a connector that holds connections keeps them itself, keyed by what they were made from.
 *
 * Throw CredentialsError (`context.credentials` does) or ExternalError when there is no way to connect: the resource says so and the
 * next attempt follows with back-off.
 */
export interface Connector<T extends ManagedResource = ManagedResource> {
  connect(resource: T, context: ConnectContext): Promise<ExternalClient<T>>
  /**
   * The managed resource is about to go, whatever becomes of its external resource: called each time before our finalizer is taken away, so
   * that what the provider put elsewhere on its behalf can be taken back. Idempotent. What it throws is reported and retried.
   */
  release?(resource: T, context: ReleaseContext): Promise<void>
  /**
   * Which external system the configuration of a resource leads to, as a text that two have in common only if they certainly lead to the same one: a
   * name there is then one thing, whichever of the configurations is used. It is compared, and never kept or shown.
   */
  systemOf?(resource: T, context: Pick<ConnectContext, 'client' | 'signal' | 'credentials'>): Promise<string>
  /** The managed resource is gone: what is kept in memory for it can go too. */
  forget?(resource: { readonly namespace?: string | undefined; readonly name: string }): void
  /** Releases what is held, when the provider stops. */
  close?(): Promise<void>
}

export interface ReleaseContext extends Pick<ConnectContext, 'client' | 'signal' | 'credentials'> {
  /** Does the external resource stay? The way there may be closed by now, which must not keep the managed resource from going. */
  readonly staying: boolean
}

export interface ConnectContext {
  /** Reads of the API server, for what credentials point to. */
  readonly client: Client
  readonly signal: AbortSignal
  /** Those that `providerConfigRef`, or `providerRef`, leads to. Read anew each time. */
  credentials(): Promise<Credentials>
  /** Has the resource looked at soon. May be called at any time, also long after the reconcile: by a watch, for instance. */
  requeue(): void
}

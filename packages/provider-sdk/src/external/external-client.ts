import type { Condition, JsonObject } from '@weft/api'
import type { ConnectionDetails, ConnectionStore } from '../connection/connection-store.ts'
import type { ManagedResource } from '../resource/managed-resource.ts'

/**
 * What a provider implements for a kind: four calls about one external resource. The managed reconciler does everything else
 * (names, finalizers, references, conditions, events, secrets, retries).
 *
 * Who calls: the managed reconciler, never twice at a time for one managed resource, each call with a deadline (`context.signal`).
 * Calls for different resources run at the same time.
 *
 * What persists: before `create` is called the API server has the finalizer, the external name and a note that a create is under way.
 * A process may be killed at any moment, and an answer may get lost: afterwards `observe` is called again, and what it finds decides.
 * So `observe` must find what `create` made under `context.externalName` (kinds whose external system assigns names: see `locate`).
 *
 * Failures: throw ExternalError where the cause is known: its code decides how soon the next attempt is and whether a create may have
 * taken effect. Anything else that is thrown is retried with back-off. Messages end up in conditions and events: never put a secret
 * into one.
 *
 * `resource` is shared and deeply read-only. Nothing here writes it: what should be stored is answered.
 */
export interface ExternalClient<T extends ManagedResource = ManagedResource> {
  /**
   * Looks, and changes nothing. Called first in every reconcile, so it must be cheap, and right: saying `exists: false` of something
   * that exists makes a second one, or loses one on deletion. When in doubt, throw.
   */
  observe(resource: T, context: CallContext): Promise<Observation>
  /**
   * Starts making the external resource, named `context.externalName`; it may answer before that is done (`observe` then reports
   * `readiness`). Called when `observe` said that there is none. When there is one by now, throw ExternalError `AlreadyExists`:
   * it is observed again, never made twice, and is somebody else's unless an earlier create can have made it. A create of several steps that
   * fails after the first throws ExternalError with `mayHaveTakenEffect`: what it began would otherwise be taken for somebody else's.
   */
  create(resource: T, context: CallContext): Promise<Creation>
  /**
   * Only for systems that tell whose something is (`heldBy`): marks what there is as this resource's, unless it changed since it was observed.
   * Called before it is recorded that the resource took it over, so that of several that want it one gets it. Idempotent.
   */
  claim?(resource: T, context: CallContext): Promise<void>
  /** Makes the external resource what the managed resource says. Idempotent. Called when `observe` said `upToDate: false`. */
  update(resource: T, context: CallContext): Promise<Change>
  /**
   * Starts removing the external resource. Idempotent: nothing to remove is success. Called again until `observe` says that it is
   * gone, unless `observe` reports readiness `deleting`.
   */
  delete(resource: T, context: CallContext): Promise<void>
  /**
   * Only for kinds with `externalNames: 'assigned'`: the name of what an earlier `create` for this very object (`metadata.uid`, as a
   * tag or an idempotency token) made, when its answer was lost. Undefined: certainly nothing was made. Without this method such a
   * resource stops and asks for help, since either guess could be wrong.
   */
  locate?(resource: T, context: CallContext): Promise<string | undefined>
}

export interface CallContext {
  /** Aborts when the reconcile has taken too long, or the controller stops. */
  readonly signal: AbortSignal
  /** The name in the external system: prefix, annotation or else the object's name, suffix (A18, F15). */
  readonly externalName: string
  /** The connection secret, for clients that must publish a credential before they set it, or read what they published. */
  readonly connection: ConnectionStore
  /** Milliseconds since 1970. */
  now(): number
}

export type Readiness = 'available' | 'creating' | 'unavailable' | 'deleting'

export type Observation =
  | { readonly exists: false; readonly message?: string }
  | {
      readonly exists: true
      /**
       * The external system itself tells whose it is, and it is not this one's: `another` managed resource's of this control plane, or one's
       * of a control plane `elsewhere`. Whoever looks may look; nothing is changed or deleted.
       */
      readonly heldBy?: 'another' | 'elsewhere'
      /** False: `update` is called, if the management policies allow. */
      readonly upToDate: boolean
      /** What differs, for the event of the update. Names of fields, not values. */
      readonly difference?: string
      readonly readiness: Readiness
      /** Why it is not available, for people. */
      readonly message?: string
      /** Becomes `status.atProvider`. */
      readonly atProvider?: JsonObject
      /** Values the external system chose; those that the parameters do not give are filled into `spec.forProvider`. */
      readonly lateInit?: JsonObject
      readonly connection?: ConnectionDetails
      /** Conditions of the provider's own, beside Ready and Synced. */
      readonly conditions?: readonly Condition[]
      /** When it is worth looking again, if sooner than the poll. */
      readonly recheckAfterMs?: number
      /** The client has it watched and calls `requeue` when it changes: it is polled only to be on the safe side. */
      readonly watched?: boolean
      /** Fields of the status beside `atProvider` and `conditions`. */
      readonly status?: JsonObject
    }

export interface Change {
  readonly connection?: ConnectionDetails
  /** Added to what `observe` answered last; the next `observe` must answer it too if it is to stay. */
  readonly atProvider?: JsonObject
}

export interface Creation {
  readonly connection?: ConnectionDetails
  /** Only for kinds with `externalNames: 'assigned'`: the name that the external system gave. */
  readonly externalName?: string
}

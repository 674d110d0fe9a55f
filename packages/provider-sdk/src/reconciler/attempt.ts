import { type GroupKind, hasReason, type KubeObject, messageOf, withMeta } from '@weft/api'
import { abortable, type Client, type Clock, type Random } from '@weft/client'
import { externalName, requestedExternalName } from '@weft/composition'
import type { ReconcileContext, Request } from '@weft/runtime'
import { connectionStoreOf } from '../connection/connection-store.ts'
import { type Credentials, resolveCredentials } from '../external/credentials.ts'
import type { CallContext, ExternalClient } from '../external/external-client.ts'
import type { TargetSource } from '../references/targets.ts'
import type { ManagedResource } from '../resource/managed-resource.ts'
import type { ManagementPolicy } from '../resource/policies.ts'
import type { ManagedKind } from './managed-kind.ts'

/** Tells people what happened to an object. */
export type RecordEvent = (
  object: KubeObject,
  event: { readonly type: 'Normal' | 'Warning'; readonly reason: string; readonly message: string },
) => void

/** What all reconciles of a kind share. */
export interface ManagedServices {
  /** Not bound to a reconcile: for what must be recorded even when time is up. */
  readonly client: Client
  readonly clock: Clock
  readonly random: Random
  readonly recordEvent: RecordEvent
  readonly targets: TargetSource
  /** The longest that an external resource is not looked at which has not changed for long; the interval of its kind unless given. */
  readonly maxPollIntervalMs?: number | undefined
  /** Has a resource reconciled soon. */
  readonly requeue?: ((kind: GroupKind, resource: Request) => void) | undefined
}

/** One reconcile of one managed resource. `resource` is always what the API server has, as far as this reconcile knows. */
export interface Attempt {
  readonly kind: ManagedKind
  readonly services: ManagedServices
  readonly context: ReconcileContext<ManagedResource>
  readonly policy: ManagementPolicy
  resource: ManagedResource
}

export interface Connected extends Attempt {
  readonly external: ExternalClient
}

/** What failed, for the event and the condition. */
export type FailureReason =
  | 'CannotConnectToProvider'
  | 'CannotResolveResourceReferences'
  | 'CannotObserveExternalResource'
  | 'CannotCreateExternalResource'
  | 'CannotUpdateExternalResource'
  | 'CannotDeleteExternalResource'
  | 'CannotPublishConnectionDetails'
  | 'CannotInitializeManagedResource'
  | 'CannotUpdateManagedResource'

/** A step of a reconcile failed: reported on the resource, then retried. */
export class StepFailure extends Error {
  readonly reason: FailureReason

  constructor(reason: FailureReason, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'StepFailure'
    this.reason = reason
  }
}

/** Runs a step; what it throws becomes a failure with this reason. Losing a race with another writer is none: it is simply tried again. */
export async function step<T>(reason: FailureReason, doing: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    if (error instanceof StepFailure || hasReason(error, 'Conflict')) throw error
    throw new StepFailure(reason, `cannot ${doing}: ${messageOf(error)}`, { cause: error })
  }
}

/** Writes the resource, unless `next` is what is stored already. */
export async function store(attempt: Attempt, next: ManagedResource): Promise<void> {
  if (next === attempt.resource) return
  attempt.resource = await step('CannotUpdateManagedResource', 'update the managed resource', () => attempt.context.client.update(next))
}

/**
 * Calls the external client, and gives up waiting when time is up. A client should end its calls itself by then; one that does not must
 * not keep the resource from ever being worked on again.
 */
export function call<T>(
  attempt: Connected,
  run: (external: ExternalClient, resource: ManagedResource, context: CallContext) => Promise<T>,
): Promise<T> {
  const context = callContext(attempt)
  return inTime(context.signal, () => run(attempt.external, attempt.resource, context))
}

/** Begins nothing when time is up already, and leaves no rejection behind that nobody sees. */
export async function inTime<T>(signal: AbortSignal, run: () => Promise<T>): Promise<T> {
  signal.throwIfAborted()
  return abortable(run(), signal)
}

/** Those that its configuration leads to now. */
export const credentialsOf = ({ resource, kind, context: { client, signal } }: Attempt): Promise<Credentials> =>
  resolveCredentials(resource, { client, configKinds: kind.configKinds ?? [], signal })

export function callContext({ resource, services, context, kind }: Attempt): CallContext {
  const assigned = kind.externalNames === 'assigned'
  return {
    signal: context.signal,
    externalName: assigned && requestedExternalName(resource) === undefined ? '' : externalName(resource),
    connection: connectionStoreOf(context.client, resource),
    now: () => services.clock.now(),
  }
}

export function withAnnotations<T extends KubeObject>(object: T, annotations: Readonly<Record<string, string>>): T {
  return withMeta(object, { annotations: { ...object.metadata.annotations, ...annotations } })
}

import { type Condition, hasReason, isPaused, type KubeObject, messageOf, type Schema } from '@weft/api'
import type { Client } from '@weft/client'
import { conditionOf, REQUIREMENT_UID_LABEL } from '@weft/composition'
import { done, type EventRecorder, type ReconcileContext, type Request, type Result } from '@weft/runtime'
import { BindingError } from '../binding/binding-error.ts'
import { available, deleting, notSynced, reverted, stillReverted, synced, waiting } from '../binding/conditions.ts'
import { hasFinalizer, withoutFinalizer } from '../binding/finalizers.ts'
import { createOrGet, deleteLive, latestOf, writeLiveStatus } from '../binding/live-object.ts'
import { findMade, wasWritten } from '../binding/naming.ts'
import { reclaim, reclaimPolicyOf } from '../binding/reclaim.ts'
import { composedRefsOf } from '../composite/members.ts'
import { INFRASTRUCTURE } from '../composite/composite-type.ts'
import { type Propagation, propagateConnection, stopPropagation } from '../connection/propagate.ts'
import { DEFINITION_FINALIZER, type DefinedKind } from '../definition/definition.ts'
import { deleteMembers } from '../definition/delete-members.ts'
import type { DefinitionServices } from '../definition/services.ts'
import {
  bindTo,
  describeResource,
  isBoundTo,
  isProvisioned,
  PLACE,
  provision,
  recordOf,
  released,
  resourceOf,
  sentBy,
  withResource,
} from './bound.ts'
import { type BoundComposites, boundComposites, ownerOf } from './bound-composites.ts'
import type { Fields } from './fields.ts'

export interface RequirementReconcilerOptions {
  readonly kind: DefinedKind
  /** The kind that is published. */
  readonly composite: DefinedKind
  readonly services: DefinitionServices
  readonly events: EventRecorder
  /** The schema of a requirement's spec, as it is now. */
  readonly schema: () => Schema | undefined
}

/** What one reconcile asks: the server, and what is known of composites without asking. */
interface Means {
  readonly client: Client
  readonly bound: BoundComposites
}

/**
 * Binds one requirement. Outcomes:
 *
 * - bound, the composite ready, its secret copied: Ready=True `Available`.
 * - its composite does not exist (static), or is not ready: Ready=False `Waiting`; the composite calls again.
 * - its composite belongs to somebody else: Synced=False; the composite calls again.
 * - it names another composite than the one that it is bound to, or none: the reference is set back, and Synced says so.
 * - deleted: every composite that carries its uid goes or stays by its reclaimPolicy, then the requirement goes.
 */
export class RequirementReconciler {
  readonly #options: RequirementReconcilerOptions

  constructor(options: RequirementReconcilerOptions) {
    this.#options = options
  }

  async reconcile(request: Request, { client, signal, cached }: ReconcileContext): Promise<Result> {
    const bound = boundComposites(cached(this.#options.composite))
    const requirement = await client.find(this.#options.kind, request)
    await this.#freeAbandoned(request, requirement, { client, bound })
    if (requirement === undefined || isPaused(requirement)) return done
    const isDeleted = requirement.metadata.deletionTimestamp !== undefined
    try {
      await (isDeleted ? this.#release(requirement, client) : this.#bind(requirement, { client, bound }))
      return done
    } catch (error) {
      if (signal.aborted || hasReason(error, 'Conflict')) throw error
      const message = messageOf(error)
      const reason = isDeleted ? 'UnbindCompositeResource' : 'BindCompositeResource'
      this.#options.events.warning(requirement, reason, message)
      await this.#fail(requirement, message, client)
      // Only a change of the composite or of the requirement can help; both call.
      if (error instanceof BindingError && error.code === 'Refused') return done
      throw error
    }
  }

  async #bind(given: KubeObject, means: Means): Promise<void> {
    const { client } = means
    const kept = await this.#kept(given, means)
    const named = withResource(given, this.#options.composite, { kept, random: this.#options.services.random })
    const requirement = named === given ? given : await client.update(named)
    const name = resourceOf(requirement, this.#options.composite) as string
    const sync = kept === undefined ? synced() : this.#setBack(requirement, name)
    const found =
      (await client.find(this.#options.composite, { name })) ??
      (isProvisioned(requirement, name) ? await this.#provision(requirement, name, client) : undefined)
    if (found === undefined)
      return this.#report(requirement, [waiting(`${describeResource(this.#options.composite, name)} does not exist`), sync], client)
    if (found.metadata.deletionTimestamp !== undefined)
      return this.#report(requirement, [waiting(`${describeResource(this.#options.composite, name)} is being deleted`), sync], client)
    const wasBound = isBoundTo(found, requirement)
    const sent = sentBy(requirement, found, this.#options.schema())
    const bound = bindTo(found, requirement, sent)
    const composite = bound === found ? found : await client.update(bound)
    if (!wasBound)
      this.#options.events.normal(requirement, 'BindCompositeResource', `bound to ${describeResource(this.#options.composite, name)}`)
    const propagation = await propagateConnection(client, composite, requirement)
    if (propagation === 'written')
      this.#options.events.normal(
        requirement,
        'PropagateConnectionSecret',
        `copied the connection secret of ${describeResource(this.#options.composite, name)}`,
      )
    await this.#report(
      requirement,
      [...stateOf(composite, requirement, { kind: this.#options.composite, propagation, sync })],
      client,
      sent,
    )
  }

  /**
   * The composite that this requirement is bound to, where it names another or none: a choice once made stays. Its status remembers it; where
   * that was not written in time, the composites do, by its uid. Undefined: it names the right one, or none is bound yet.
   */
  async #kept(requirement: KubeObject, { client, bound }: Means): Promise<string | undefined> {
    const named = this.#nameIn(requirement)
    const { resource } = recordOf(requirement)
    if (named !== undefined && named === resource) return undefined
    const isMine = (composite: KubeObject | undefined): boolean => composite !== undefined && isBoundTo(composite, requirement)
    if (resource !== undefined && isMine(await client.find(this.#options.composite, { name: resource }))) return resource
    const isLost = named === undefined && wasWritten(requirement, 1)
    const [found] = isLost ? await this.#made(requirement, client) : bound.byUid(requirement.metadata.uid ?? '')
    return found?.metadata.name === named ? undefined : found?.metadata.name
  }

  #setBack(requirement: KubeObject, name: string): Condition {
    const message = `spec.infrastructure.resourceRef was set back to ${name}: a requirement stays bound; delete it and create another to be bound to something else`
    this.#options.events.warning(requirement, 'BindCompositeResource', message)
    return reverted(message)
  }

  /** Composites that carry the uid of the requirement and are bound to it. */
  #made(requirement: KubeObject, client: Client): Promise<readonly KubeObject[]> {
    const mark = { label: REQUIREMENT_UID_LABEL, value: requirement.metadata.uid ?? '' }
    return findMade(client, this.#options.composite, mark, (composite) => isBoundTo(composite, requirement))
  }

  /**
   * Composites that are bound to a requirement of this name which is gone without having released them: its finalizer was taken off. They are
   * kept, whatever their policy: nobody is left to say that the deletion was meant, and a backup that is being restored looks the same.
   */
  async #freeAbandoned(request: Request, requirement: KubeObject | undefined, { client, bound }: Means): Promise<void> {
    const abandoned = bound.byName(request).filter(({ uid }) => uid !== requirement?.metadata.uid)
    if (abandoned.length === 0) return
    // A kind that is not served for a moment has no objects either; only an answer counts.
    const { items } = await client.list(this.#options.kind, {
      namespace: request.namespace,
      fieldSelector: `metadata.name=${request.name}`,
    })
    for (const { name, uid } of abandoned) {
      const composite = await client.find(this.#options.composite, { name })
      const isFree = composite === undefined || composite.metadata.deletionTimestamp !== undefined
      if (isFree || items.some(({ metadata }) => metadata.uid === uid) || ownerOf(composite)?.uid !== uid) continue
      await client.update(released(composite))
      const message = `the requirement that it was bound to was removed without releasing it: it is kept; delete it, or bind it with a resourceRef`
      this.#options.events.warning(composite, 'UnbindCompositeResource', message)
    }
  }

  async #provision(requirement: KubeObject, name: string, client: Client): Promise<KubeObject> {
    const { object, created } = await createOrGet(client, this.#options.composite, provision(requirement, this.#options.composite, name))
    if (created)
      this.#options.events.normal(requirement, 'ConfigureCompositeResource', `created ${describeResource(this.#options.composite, name)}`)
    return object
  }

  async #release(requirement: KubeObject, client: Client): Promise<void> {
    if (!hasFinalizer(requirement, DEFINITION_FINALIZER)) return
    for (const composite of await this.#boundComposites(requirement, client)) await this.#releaseOne(composite, requirement, client)
    const latest = await writeLiveStatus(client, requirement, { conditions: [deleting()], nowMs: this.#options.services.clock.now() })
    await client.update(withoutFinalizer(latest, DEFINITION_FINALIZER))
  }

  async #releaseOne(composite: KubeObject, requirement: KubeObject, client: Client): Promise<void> {
    const { name = '' } = composite.metadata
    const policy = await reclaim(composite, {
      policy: reclaimPolicyOf(composite, PLACE),
      remove: async () => {
        // Foreground: it stays until all it is composed of is gone, so nothing is left behind when its kind goes next.
        await deleteLive(client, this.#options.composite, composite, { propagationPolicy: 'Foreground' })
        const refs = composedRefsOf(composite, INFRASTRUCTURE)
        await deleteMembers(
          client,
          composite,
          refs.filter((ref) => ref !== undefined),
        )
      },
      free: async () => {
        await stopPropagation(client, composite, requirement)
        await client.update(released(composite))
      },
    })
    this.#options.events.normal(
      requirement,
      'UnbindCompositeResource',
      `released ${describeResource(this.#options.composite, name)}, whose reclaim policy is ${policy}`,
    )
  }

  /** Everything that carries its uid, and what it names where that was bound before uids were written down. */
  async #boundComposites(requirement: KubeObject, client: Client): Promise<readonly KubeObject[]> {
    const made = await this.#made(requirement, client)
    const name = recordOf(requirement).resource ?? this.#nameIn(requirement)
    const isListed = name === undefined || made.some(({ metadata }) => metadata.name === name)
    const named = isListed ? undefined : await client.find(this.#options.composite, { name })
    return named !== undefined && isBoundTo(named, requirement) ? [...made, named] : made
  }

  /** The name in its reference; one that cannot be read was never bound. */
  #nameIn(requirement: KubeObject): string | undefined {
    try {
      return resourceOf(requirement, this.#options.composite)
    } catch {
      return undefined
    }
  }

  async #fail(requirement: KubeObject, message: string, client: Client): Promise<void> {
    const latest = await latestOf(client, this.#options.kind, requirement)
    if (latest === undefined) return
    // One that is bound goes on to be so, whatever just failed.
    const state = latest.metadata.deletionTimestamp === undefined ? waiting('it is not bound') : deleting()
    const isBound = state.reason === 'Waiting' && recordOf(latest).resource !== undefined
    const conditions = [...(isBound ? [] : [state]), notSynced(message)]
    const { generation } = requirement.metadata
    await writeLiveStatus(client, latest, { conditions, generation, nowMs: this.#options.services.clock.now() })
  }

  /** With what it sent, once it is bound: what is recorded here is what it keeps. */
  async #report(requirement: KubeObject, conditions: readonly Condition[], client: Client, sent?: Fields): Promise<void> {
    const name = this.#nameIn(requirement)
    const record = sent && { infrastructure: { resource: name, provisioned: isProvisioned(requirement, name ?? ''), fields: sent } }
    const told = conditions.map((condition) => stillReverted(requirement, condition))
    await writeLiveStatus(client, requirement, { conditions: told, fields: { ...record }, nowMs: this.#options.services.clock.now() })
  }
}

/**
 * How a bound requirement does: as its composite does. What the composite said of an earlier generation of itself says nothing about what
 * was just sent to it; then the requirement's own word stays as it is, about its own earlier generation.
 */
function stateOf(
  composite: KubeObject,
  requirement: KubeObject,
  { kind, propagation, sync }: { readonly kind: DefinedKind; readonly propagation: Propagation; readonly sync: Condition },
): readonly Condition[] {
  const what = describeResource(kind, composite.metadata.name ?? '')
  const [ready, below] = ['Ready', 'Synced'].map((type) => conditionOf(composite, type))
  const isCurrent = [ready, below].every((condition) => (condition?.observedGeneration ?? Infinity) >= (composite.metadata.generation ?? 0))
  if (!isCurrent && conditionOf(requirement, 'Ready') !== undefined) return sync.reason === 'ReconcileSuccess' ? [] : [sync]
  const state: Condition =
    ready?.status !== 'True'
      ? waiting(`${what} is not ready${why(ready)}`)
      : propagation === 'pending'
        ? waiting(`${what} has not published its connection details yet`)
        : available()
  return [state, below?.status === 'False' ? notSynced(`${what} is not synced${why(below)}`) : sync]
}

const why = (condition: Condition | undefined): string =>
  condition?.message === undefined || condition.message === '' ? '' : `: ${condition.message}`

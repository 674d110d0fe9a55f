import { type Condition, findCondition, hasReason, type KubeObject } from '@weft/api'
import type { Client } from '@weft/client'
import { conditionsOf } from '@weft/composition'
import { done, type EventRecorder, type ReconcileContext, type Request, type Result } from '@weft/runtime'
import { BindingError } from '../binding/binding-error.ts'
import { available, deleting, notSynced, synced, waiting, withStatus } from '../binding/conditions.ts'
import { hasFinalizer, withoutFinalizer } from '../binding/finalizers.ts'
import { composedRefsOf } from '../composite/members.ts'
import { INFRASTRUCTURE } from '../composite/place.ts'
import { type Propagation, propagateConnection, stopPropagation } from '../connection/propagate.ts'
import { DEFINITION_FINALIZER, type DefinedKind } from '../definition/definition.ts'
import { deleteMembers } from '../definition/delete-members.ts'
import { isPaused } from '../definition/reconcile.ts'
import type { DefinitionServices } from '../definition/services.ts'
import {
  bindTo,
  describeResource,
  isBoundTo,
  isProvisioned,
  provision,
  reclaimPolicyOf,
  released,
  resourceOf,
  withResource,
} from './bound.ts'

export interface RequirementReconcilerOptions {
  readonly kind: DefinedKind
  /** The kind that is published. */
  readonly composite: DefinedKind
  readonly services: DefinitionServices
  readonly events: EventRecorder
}

type Given = Omit<Condition, 'lastTransitionTime'>

/**
 * Binds one requirement. Outcomes:
 *
 * - bound, the composite ready, its secret copied: Ready=True `Available`.
 * - its composite does not exist (static), or is not ready: Ready=False `Waiting`; the composite calls again.
 * - its composite belongs to somebody else: Synced=False; the composite calls again.
 * - deleted: the composite goes or stays by its reclaimPolicy, then the requirement goes.
 */
export class RequirementReconciler {
  readonly #own: DefinedKind
  readonly #kind: DefinedKind
  readonly #services: DefinitionServices
  readonly #events: EventRecorder

  constructor({ kind, composite, services, events }: RequirementReconcilerOptions) {
    this.#own = kind
    this.#kind = composite
    this.#services = services
    this.#events = events
  }

  async reconcile(request: Request, { client, signal }: ReconcileContext): Promise<Result> {
    const requirement = await client.find(this.#own, request)
    if (requirement === undefined || isPaused(requirement)) return done
    if (requirement.metadata.deletionTimestamp !== undefined) {
      await this.#release(requirement, client)
      return done
    }
    try {
      await this.#bind(requirement, client)
      return done
    } catch (error) {
      if (signal.aborted || hasReason(error, 'Conflict')) throw error
      const message = error instanceof Error ? error.message : String(error)
      this.#events.record(requirement, { type: 'Warning', reason: 'BindCompositeResource', message })
      await this.#fail(requirement, message, client)
      // Only a change of the composite or of the requirement can help; both call.
      if (error instanceof BindingError && error.code === 'Refused') return done
      throw error
    }
  }

  async #bind(given: KubeObject, client: Client): Promise<void> {
    const named = withResource(given, this.#kind, this.#services.random)
    const requirement = named === given ? given : await client.update(named)
    const name = resourceOf(requirement, this.#kind) as string
    const found =
      (await client.find(this.#kind, { name })) ??
      (isProvisioned(requirement, name) ? await this.#provision(requirement, name, client) : undefined)
    if (found === undefined)
      return this.#report(requirement, [waiting(`${describeResource(this.#kind, name)} does not exist`), synced()], client)
    if (found.metadata.deletionTimestamp !== undefined)
      return this.#report(requirement, [waiting(`${describeResource(this.#kind, name)} is being deleted`), synced()], client)
    const wasBound = isBoundTo(found, requirement)
    const bound = bindTo(found, requirement)
    const composite = bound === found ? found : await client.update(bound)
    if (!wasBound)
      this.#events.record(requirement, {
        type: 'Normal',
        reason: 'BindCompositeResource',
        message: `bound to ${describeResource(this.#kind, name)}`,
      })
    const propagation = await propagateConnection(client, composite, requirement)
    if (propagation === 'written')
      this.#events.record(requirement, {
        type: 'Normal',
        reason: 'PropagateConnectionSecret',
        message: `copied the connection secret of ${describeResource(this.#kind, name)}`,
      })
    await this.#report(requirement, [readiness(composite, this.#kind, propagation), synced()], client)
  }

  async #provision(requirement: KubeObject, name: string, client: Client): Promise<KubeObject> {
    try {
      const composite = await client.create(provision(requirement, this.#kind, name))
      this.#events.record(requirement, {
        type: 'Normal',
        reason: 'ConfigureCompositeResource',
        message: `created ${describeResource(this.#kind, name)}`,
      })
      return composite
    } catch (error) {
      if (!hasReason(error, 'AlreadyExists')) throw error
      return client.get(this.#kind, { name })
    }
  }

  async #release(requirement: KubeObject, client: Client): Promise<void> {
    if (!hasFinalizer(requirement, DEFINITION_FINALIZER)) return
    const composite = await this.#boundComposite(requirement, client)
    if (composite !== undefined) {
      const { name = '', uid } = composite.metadata
      const policy = reclaimPolicyOf(composite, requirement)
      if (policy === 'Retain') {
        await stopPropagation(client, composite, requirement)
        await client.update(released(composite))
      } else if (composite.metadata.deletionTimestamp === undefined) {
        // Foreground: it stays until all it is composed of is gone, so nothing is left behind when its kind goes next.
        await client.delete(this.#kind, { name }, { propagationPolicy: 'Foreground', ...(uid !== undefined && { preconditions: { uid } }) })
        await deleteMembers(
          client,
          composite,
          composedRefsOf(composite, INFRASTRUCTURE).filter((ref) => ref !== undefined),
        )
      }
      this.#events.record(requirement, {
        type: 'Normal',
        reason: 'UnbindCompositeResource',
        message: `released ${describeResource(this.#kind, name)}, whose reclaim policy is ${policy}`,
      })
    }
    const next = withStatus(requirement, { conditions: [deleting()], nowMs: this.#services.clock.now() })
    const latest = next === requirement ? requirement : await client.updateStatus(next)
    await client.update(withoutFinalizer(latest, DEFINITION_FINALIZER))
  }

  async #boundComposite(requirement: KubeObject, client: Client): Promise<KubeObject | undefined> {
    let name: string | undefined
    try {
      name = resourceOf(requirement, this.#kind)
    } catch {
      // A reference that cannot be read was never bound.
      return undefined
    }
    const composite = name === undefined ? undefined : await client.find(this.#kind, { name })
    return composite !== undefined && isBoundTo(composite, requirement) ? composite : undefined
  }

  async #fail(requirement: KubeObject, message: string, client: Client): Promise<void> {
    const { name = '', namespace, uid } = requirement.metadata
    const latest = await client.find(this.#own, { name, namespace })
    if (latest === undefined || latest.metadata.uid !== uid) return
    await this.#report(latest, [waiting('it is not bound'), notSynced(message)], client)
  }

  async #report(requirement: KubeObject, conditions: readonly Given[], client: Client): Promise<void> {
    const next = withStatus(requirement, { conditions, nowMs: this.#services.clock.now() })
    if (next !== requirement) await client.updateStatus(next)
  }
}

function readiness(composite: KubeObject, kind: DefinedKind, propagation: Propagation): Given {
  const what = describeResource(kind, composite.metadata.name ?? '')
  const ready = findCondition(conditionsOf(composite), 'Ready')
  if (ready?.status !== 'True')
    return waiting(`${what} is not ready${ready?.message === undefined || ready.message === '' ? '' : `: ${ready.message}`}`)
  return propagation === 'pending' ? waiting(`${what} has not published its connection details yet`) : available()
}

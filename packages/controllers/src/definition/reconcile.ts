import { findCondition, getOwn, hasReason, type Condition, type KubeObject } from '@weft/api'
import { customResourceDefinitionKind } from '@weft/client'
import { conditionsOf, controllerOf } from '@weft/composition'
import { done, type EventRecorder, type Reconcile, type ReconcileContext, requeueAfter, type Result } from '@weft/runtime'
import { hasFinalizer, withFinalizer, withoutFinalizer } from '../binding/finalizers.ts'
import { deleteLive, latestOf, writeLiveStatus } from '../binding/live-object.ts'
import { definedBy, definedKind, ensureDefinition, establishment } from './custom-resource-definition.ts'
import { type DefinitionAdapter, DefinitionError, PAUSED, type Rendering } from './definition.ts'
import { deleteInstances } from './drain.ts'
import type { DefinitionServices } from './services.ts'

export const isPaused = ({ metadata }: KubeObject): boolean => getOwn(metadata.annotations ?? {}, PAUSED) === 'true'

/** Only for what no watch announces: an instance that came while the last one was being deleted. */
const DRAIN_CHECK_MS = 5_000

/**
 * The one reconciler of definitions. Outcomes:
 *
 * - rendered and served: Established=True, its controllers run.
 * - not wanted (Inactive): Established=False `Inactive…`, nothing exists.
 * - blocked, or refused by the server: Established=False `Pending…` with the reason; again when something changes.
 * - deleted: Established=False `Terminating…`; instances, then controllers, then the CustomResourceDefinition, then the finalizer go.
 */
export function reconcileDefinition<D extends KubeObject>(adapter: DefinitionAdapter<D>, services: DefinitionServices): Reconcile<D> {
  const reconciler = new DefinitionReconciler(adapter, services)
  return (request, context) => reconciler.reconcile(request.name, context)
}

class DefinitionReconciler<D extends KubeObject> {
  readonly #adapter: DefinitionAdapter<D>
  readonly #services: DefinitionServices
  readonly #events: EventRecorder

  constructor(adapter: DefinitionAdapter<D>, services: DefinitionServices) {
    this.#adapter = adapter
    this.#services = services
    this.#events = services.recorder(adapter.component)
  }

  async reconcile(name: string, context: ReconcileContext<D>): Promise<Result> {
    const definition = context.primary.get({ name })
    if (definition === undefined) {
      // Its finalizer was taken off by hand, or it never had one.
      await this.#adapter.stop?.(name)
      return done
    }
    if (isPaused(definition)) return done
    try {
      return await this.#bringAbout(definition, context)
    } catch (error) {
      return this.#refused(definition, error, context)
    }
  }

  async #bringAbout(definition: D, context: ReconcileContext<D>): Promise<Result> {
    if (definition.metadata.deletionTimestamp !== undefined) return this.#takeDown(definition, context)
    const rendering = await this.#adapter.render(definition, context)
    if (rendering.type === 'wanted') return this.#putUp(definition, rendering, context)
    const reason = rendering.type === 'unwanted' ? 'Inactive' : 'Pending'
    await this.#report(definition, { status: 'False', reason, message: rendering.message }, context)
    return done
  }

  async #putUp(given: D, { crd: wanted }: Extract<Rendering, { type: 'wanted' }>, context: ReconcileContext<D>): Promise<Result> {
    const { client } = context
    const cache = context.cached(customResourceDefinitionKind)
    const marked = withFinalizer(given, this.#adapter.finalizer)
    const definition = marked === given ? given : await client.update(marked)
    await this.#adapter.claim?.(definition, client)
    const { crd, change } = await ensureDefinition(client, cache, wanted)
    if (change === 'created')
      this.#tell(definition, 'CreateCustomResourceDefinition', `created CustomResourceDefinition ${wanted.metadata.name ?? ''}`)
    if (change === 'updated')
      this.#tell(definition, 'UpdateCustomResourceDefinition', `updated CustomResourceDefinition ${wanted.metadata.name ?? ''}`)
    const { established, message } = establishment(crd)
    if (!established) {
      await this.#report(definition, { status: 'Unknown', reason: 'Pending', message }, context)
      return done
    }
    await this.#adapter.start?.(definition, crd)
    await this.#report(definition, { status: 'True', reason: 'Established' }, context)
    return done
  }

  /** Says why, then tries again as fits: not at all when only a change of the definition, or of the CRD it watches, can help. */
  async #refused(given: D, error: unknown, context: ReconcileContext<D>): Promise<Result> {
    // Somebody else wrote it meanwhile: nothing is wrong with it.
    if (context.signal.aborted || hasReason(error, 'Conflict')) throw error
    const message = error instanceof Error ? error.message : String(error)
    const definition = await latestOf(context.client, this.#adapter.kind, given)
    if (definition === undefined) return done
    this.#events.record(definition, { type: 'Warning', reason: 'CannotDefine', message })
    const reason = given.metadata.deletionTimestamp === undefined ? 'Pending' : 'Terminating'
    await this.#report(definition, { status: 'False', reason, message }, context)
    if (error instanceof DefinitionError) return done
    throw error
  }

  async #takeDown(definition: D, context: ReconcileContext<D>): Promise<Result> {
    const { client } = context
    const name = definition.metadata.name ?? ''
    if (!hasFinalizer(definition, this.#adapter.finalizer)) return done
    const held = this.#adapter.heldBy?.(definition)
    // Once: later passes say how many are left, and must not take that back.
    const isAnnounced = findCondition(conditionsOf(definition), 'Established')?.reason === `Terminating${this.#adapter.noun}`
    const message = held ?? (isAnnounced ? undefined : 'its instances are deleted, then its kind')
    const reported =
      message === undefined ? definition : await this.#report(definition, { status: 'False', reason: 'Terminating', message }, context)
    if (held !== undefined) return done
    const crd = definedBy(context.cached(customResourceDefinitionKind), definition)
    if (crd !== undefined && controllerOf(crd)?.uid === definition.metadata.uid) {
      // While it terminates, the server itself deletes what is left; its disappearance calls again.
      if (crd.metadata.deletionTimestamp !== undefined) return done
      const kind = definedKind(crd)
      const left = await deleteInstances(client, kind, this.#adapter.membersOf?.bind(this.#adapter))
      if (left > 0) {
        context.follow([{ kind, wakes: ({ type }) => type === 'deleted' }])
        await this.#report(
          reported,
          { status: 'False', reason: 'Terminating', message: `${left} of ${kind.plural} are being deleted` },
          context,
        )
        return requeueAfter(DRAIN_CHECK_MS)
      }
      context.follow([])
      await this.#adapter.stop?.(name)
      await deleteLive(client, customResourceDefinitionKind, crd)
      return done
    }
    context.follow([])
    await this.#adapter.stop?.(name)
    await this.#adapter.release?.(definition, client)
    await client.update(withoutFinalizer(reported, this.#adapter.finalizer))
    return done
  }

  #tell(definition: D, reason: string, message: string): void {
    this.#events.record(definition, { type: 'Normal', reason, message })
  }

  async #report(
    definition: D,
    { status, reason, message }: { status: Condition['status']; reason: string; message?: string },
    { client }: ReconcileContext<D>,
  ): Promise<D> {
    const condition = { type: 'Established', status, reason: `${reason}${this.#adapter.noun}`, ...(message !== undefined && { message }) }
    return writeLiveStatus(client, definition, { conditions: [condition], nowMs: this.#services.clock.now() })
  }
}

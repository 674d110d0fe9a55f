import { hasReason, isPaused, type KubeObject, messageOf } from '@weft/api'
import { customResourceDefinitionKind, type WriteCallOptions } from '@weft/client'
import { conditionOf, controllerOf } from '@weft/composition'
import { done, type EventRecorder, type Reconcile, type ReconcileContext, requeueAfter, type Result } from '@weft/runtime'
import type { StatusChange } from '../binding/conditions.ts'
import { hasFinalizer, withFinalizer, withoutFinalizer } from '../binding/finalizers.ts'
import { deleteLive, latestOf, writeLiveStatus } from '../binding/live-object.ts'
import { definedBy, definedKind, ensureDefinition, establishment } from './custom-resource-definition.ts'
import { type DefinitionAdapter, DefinitionError, type DefinitionWords, type Progress, type Rendering } from './definition.ts'
import { deleteInstances } from './drain.ts'
import { houseWords } from './house-words.ts'
import type { DefinitionServices } from './services.ts'

/** Only for what no watch announces: an instance that came while the last one was being deleted. */
const DRAIN_CHECK_MS = 5_000

/** When the server has said nothing of a new CustomResourceDefinition by then, people are told that it is waited for. */
const ESTABLISHED_SOON_MS = 5_000

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
  readonly #words: DefinitionWords<D>
  readonly #manager: WriteCallOptions

  constructor(adapter: DefinitionAdapter<D>, services: DefinitionServices) {
    this.#adapter = adapter
    this.#services = services
    this.#events = services.recorder(adapter.component)
    this.#words = adapter.words ?? houseWords(adapter.noun)
    this.#manager = adapter.fieldManager === undefined ? {} : { fieldManager: adapter.fieldManager }
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
    const progress = rendering.type === 'unwanted' ? 'Inactive' : 'Pending'
    await this.#report(definition, progress, context, rendering.message)
    return done
  }

  async #putUp(given: D, { crd: wanted }: Extract<Rendering, { type: 'wanted' }>, context: ReconcileContext<D>): Promise<Result> {
    const { client } = context
    const cache = context.cached(customResourceDefinitionKind)
    const existing = cache.get({ name: wanted.metadata.name ?? '' })
    if (existing !== undefined && this.#adapter.isKeptElsewhere?.(given, existing) === true) {
      await this.#adapter.start?.(given, existing)
      return done
    }
    const marked = withFinalizer(given, this.#adapter.finalizer)
    const definition = marked === given ? given : await client.update(marked, this.#manager)
    await this.#adapter.claim?.(definition, client)
    const { crd, change } = await ensureDefinition(client, cache, wanted, this.#manager)
    const crdName = wanted.metadata.name ?? ''
    if (change !== 'none') this.#tell(definition, { type: change, crd: crdName })
    const { established, message } = establishment(crd)
    if (!established) {
      this.#tell(definition, { type: 'pending', crd: crdName })
      // What the server says of it calls again, mostly within milliseconds: until then there is nothing to write down.
      if (change === 'created') return requeueAfter(ESTABLISHED_SOON_MS)
      await this.#report(definition, 'Pending', context, message, 'Unknown')
      return done
    }
    await this.#adapter.start?.(definition, crd)
    await this.#report(definition, 'Established', context)
    return done
  }

  /** Says why, then tries again as fits: not at all when only a change of the definition, or of the CRD it watches, can help. */
  async #refused(given: D, error: unknown, context: ReconcileContext<D>): Promise<Result> {
    // Somebody else wrote it meanwhile: nothing is wrong with it.
    if (context.signal.aborted || hasReason(error, 'Conflict')) throw error
    const message = messageOf(error)
    const definition = await latestOf(context.client, this.#adapter.kind, given)
    if (definition === undefined) return done
    this.#tell(definition, { type: 'refused', error })
    await this.#report(definition, given.metadata.deletionTimestamp === undefined ? 'Pending' : 'Terminating', context, message)
    if (error instanceof DefinitionError) return done
    throw error
  }

  async #takeDown(definition: D, context: ReconcileContext<D>): Promise<Result> {
    const { client } = context
    const name = definition.metadata.name ?? ''
    if (!hasFinalizer(definition, this.#adapter.finalizer)) return done
    const held = this.#adapter.heldBy?.(definition)
    // Once: later passes say how many are left, and must not take that back.
    const announced = this.#words.condition('Terminating', undefined)
    const isAnnounced = announced !== undefined && conditionOf(definition, announced.type)?.reason === announced.reason
    const message = held ?? (isAnnounced ? undefined : 'its instances are being deleted, then its kind')
    const reported = message === undefined ? definition : await this.#report(definition, 'Terminating', context, message)
    if (held !== undefined) return done
    const crd = definedBy(context.cached(customResourceDefinitionKind), definition, this.#adapter.crdName?.(definition))
    if (crd !== undefined && controllerOf(crd)?.uid === definition.metadata.uid) {
      // While it terminates, the server itself deletes what is left; its disappearance calls again.
      if (crd.metadata.deletionTimestamp !== undefined) return done
      const kind = definedKind(crd)
      const left = await deleteInstances(client, kind, this.#adapter.membersOf?.bind(this.#adapter))
      if (left > 0) {
        context.follow([{ kind, wakes: ({ type }) => type === 'deleted' }])
        this.#tell(definition, { type: 'draining', left })
        await this.#report(reported, 'Terminating', context, `${left} of ${kind.plural} are being deleted`)
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
    await client.update(withoutFinalizer(reported, this.#adapter.finalizer), this.#manager)
    return done
  }

  #tell(definition: D, news: Parameters<DefinitionWords['event']>[0]): void {
    const details = this.#words.event(news)
    if (details !== undefined) this.#events.record(definition, details)
  }

  async #report(definition: D, progress: Progress, { client }: ReconcileContext<D>, message?: string, status?: 'Unknown'): Promise<D> {
    const condition = this.#words.condition(progress, message)
    const change: StatusChange = {
      conditions: condition === undefined ? [] : [{ ...condition, ...(status && { status }) }],
      fields: this.#words.fields?.(definition, progress) ?? {},
      nowMs: this.#services.clock.now(),
    }
    return writeLiveStatus(client, definition, change, this.#manager)
  }
}

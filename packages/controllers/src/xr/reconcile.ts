import {
  annotationOf,
  deepEqual,
  formatTime,
  hasReason,
  isJsonObject,
  isPaused,
  type KubeObject,
  messageOf,
  RECONCILE_REQUESTED_AT,
  specOf,
  statusOf,
} from '@weft/api'
import type { Clock, Random } from '@weft/client'
import type { FunctionRunner } from '@weft/functions'
import { done, type EventRecorder, type ReconcileContext, type Request, requeueAfter, type Result } from '@weft/runtime'
import { deleting, notSynced, synced } from '../binding/conditions.ts'
import { hasFinalizer, withFinalizer, withoutFinalizer } from '../binding/finalizers.ts'
import type { MemberApplier } from '../composite/apply-member.ts'
import type { KindIndex } from '../composite/kind-index.ts'
import type { DefinedKind } from '../definition/definition.ts'
import { deleteMembers } from '../definition/delete-members.ts'
import { ORDER_FINALIZER, tellOf } from '../deletion/delete-in-order.ts'
import { goAfterMembers, isOrder, LOOK_AGAIN_MS, orderOf } from '../deletion/go-after-members.ts'
import { compositionRevisionKind, pipelineCompositionKind } from '../revision/kinds.ts'
import { revisionsOf } from '../revision/revisions.ts'
import { composeXr, type Composition } from './compose.ts'
import { ComposeError } from './compose-error.ts'
import { about, paused, report, responsive, saying, unresponsive, withConditions } from './conditions.ts'
import { configure, INCOMPATIBLE, labelled } from './configure.ts'
import { publishXr } from './publish-xr.ts'
import type { Disclosure } from './live-requirements.ts'
import { LiveWorld } from './live-world.ts'
import { machineryOf, membersOf, nameOf } from './machinery.ts'
import { patientRunner } from './patient-runner.ts'
import { stepsOf } from './pipeline.ts'
import { rankedRefs } from './ranked-refs.ts'
import { parseGoDuration } from './seconds.ts'
import { type KnownCompositions, mustBeValid, selectComposition, selectRevision, selectRevisionSelector } from './select.ts'
import type { XrSettings } from './settings.ts'
import type { StormGuard } from './storm-guard.ts'
import type { XrEvent } from './xr-event.ts'
import { CORE_MANAGER } from '../definition/core-manager.ts'

export const XR_FINALIZER = 'composite.apiextensions.crossplane.io'
const POLL_INTERVAL = 'crossplane.io/poll-interval'
export const BY_COMPOSITION = 'composition'

export interface XrReconcilerOptions {
  readonly kind: DefinedKind
  readonly settings: () => XrSettings
  readonly runner: FunctionRunner
  readonly events: EventRecorder
  readonly applier: MemberApplier
  readonly index: KindIndex
  readonly disclosure?: Disclosure | undefined
  /** Whether composites of this kind have a field for the request to look that was heard last. */
  readonly keepsRequests: () => boolean
  readonly guard: StormGuard
  /** The kind itself is about to go, because its definition is. */
  readonly isEnding: (context: ReconcileContext) => boolean
  readonly clock: Clock
  readonly random: Random
}

/**
 * Reconciles one composite resource (K51–K92). Outcomes:
 *
 * - composed: Synced=True; Ready as its functions say. A change of a composed resource calls again, or the time that a function named.
 * - a function gave a fatal result, or something was refused: Synced=False with the reason, nothing half-written; again after a growing delay.
 * - paused: Synced=False `ReconcilePaused`, and nothing else, deletion included.
 * - deleted: its finalizer goes; what it is composed of goes with it, by garbage collection. Where its members go in order, it stays until they are gone.
 */
export class XrReconciler {
  readonly #options: XrReconcilerOptions
  /** Whose request to look was heard last, by uid: most kinds have no field to keep it in (K29). */
  readonly #heard = new Map<string, string>()

  constructor(options: XrReconcilerOptions) {
    this.#options = options
  }

  async reconcile(request: Request, context: ReconcileContext): Promise<Result> {
    const { kind, clock, guard, applier } = this.#options
    // Read from the server: what was just written here must not be composed from memory that lags behind.
    const given = await context.client.find(kind, request)
    if (given === undefined) {
      guard.forget(request)
      applier.forget(request)
      return done
    }
    const storm = guard.storm(request)
    const xr = saying(given, clock.now(), storm === undefined ? responsive() : unresponsive(stormMessage(storm)))
    if (isPaused(xr)) {
      this.#tell(given, { type: 'Normal', reason: 'ReconciliationPaused', message: 'Reconciliation is paused via the pause annotation' })
      await report(context.client, given, saying(xr, clock.now(), paused()))
      return done
    }
    this.#hear(given)
    if (given.metadata.deletionTimestamp !== undefined) {
      guard.forget(request)
      this.#heard.delete(given.metadata.uid ?? '')
      applier.forget(request)
    }
    let outcome: Result | Error
    try {
      outcome =
        given.metadata.deletionTimestamp === undefined
          ? await this.#compose(given, xr, context)
          : ((await this.#goInOrder(given, xr, context)) ?? (await this.#release(given, xr, context)))
    } catch (error) {
      // Somebody else wrote it meanwhile: nothing is wrong with it.
      if (context.signal.aborted || hasReason(error, 'Conflict')) throw error
      const message = messageOf(error)
      this.#tell(given, { type: 'Warning', reason: reasonOf(message), message })
      const now = await context.client.find(kind, request)
      if (now === undefined || now.metadata.uid !== given.metadata.uid) return done
      await report(context.client, now, withConditions({ ...now, status: xr['status'] }, about(now, notSynced(message)), clock.now()))
      throw error
    }
    // What went wrong while composing has been told with the rest.
    if (outcome instanceof Error) throw outcome
    return outcome
  }

  /** K87: somebody asked for a look. Told once; Crossplane tells of it at every look, because what it notes is lost. */
  #hear(xr: KubeObject): void {
    const { uid = '' } = xr.metadata
    const token = annotationOf(xr, RECONCILE_REQUESTED_AT)
    if (token === undefined || this.#heard.get(uid) === token) return
    this.#heard.set(uid, token)
    if (statusOf(xr)['lastHandledReconcileAt'] !== token)
      this.#tell(xr, { type: 'Normal', reason: 'ReconcileRequestHandled', message: 'Handling reconcile request' })
  }

  /** Where its members go in order, it goes after them. Undefined: nothing holds it, or nothing any more. */
  async #goInOrder(given: KubeObject, xr: KubeObject, context: ReconcileContext): Promise<Result | undefined> {
    if (!hasFinalizer(given, ORDER_FINALIZER)) return undefined
    const { scope } = this.#options.settings()
    const revision = context.cached(compositionRevisionKind).get({ name: nameOf(machineryOf(given, scope).compositionRevisionRef) ?? '' })
    const refs = rankedRefs(given, scope, revision)
    const going = await goAfterMembers(context, given, { client: context.client, order: orderOf(given, revision), refs })
    if (going === undefined) return undefined
    const conditions = about(given, { ...deleting(), message: tellOf(going) }, synced())
    await report(context.client, given, withConditions(xr, conditions, this.#options.clock.now()))
    return requeueAfter(LOOK_AGAIN_MS)
  }

  /** K55. Other finalizers may hold it: then it says that it is being deleted. */
  async #release(given: KubeObject, xr: KubeObject, context: ReconcileContext): Promise<Result> {
    context.follow([])
    // A claim that goes with the definition lets its composite go at once: whoever empties the kind may find nothing left to ask for its members.
    if (this.#options.isEnding(context) && !hasFinalizer(given, 'orphan'))
      await deleteMembers(context.client, given, membersOf(given, this.#options.settings().scope))
    const released = withoutFinalizer(withoutFinalizer(given, ORDER_FINALIZER), XR_FINALIZER)
    const current = released === given ? given : await context.client.update(released, { fieldManager: CORE_MANAGER })
    if ((current.metadata.finalizers ?? []).length === 0) return done
    const told = withConditions({ ...current, status: xr['status'] }, about(current, deleting(), synced()), this.#options.clock.now())
    await report(context.client, current, told).catch((error: unknown) => {
      if (!hasReason(error, 'NotFound')) throw error
    })
    return done
  }

  async #compose(given: KubeObject, start: KubeObject, context: ReconcileContext): Promise<Result | Error> {
    const { clock, random, runner, applier, index, disclosure } = this.#options
    const settings = this.#options.settings()
    const { scope } = settings
    const known = compositionsIn(context)
    const marked = withFinalizer(start, XR_FINALIZER)
    const chosen = selectComposition(marked, settings, known, random)
    const name = nameOf(machineryOf(chosen, scope).compositionRef) ?? ''
    if (name !== nameOf(machineryOf(given, scope).compositionRef))
      this.#tell(given, { type: 'Normal', reason: 'SelectComposition', message: `Successfully selected composition: ${name}` })
    let selected: ReturnType<typeof selectRevision>
    try {
      selected = selectRevision(selectRevisionSelector(chosen, settings), settings, known)
    } catch (error) {
      // What was chosen is kept, so that the composite says what it waits for.
      await this.#write(given, chosen, context)
      throw error
    }
    const { revision } = selected
    mustBeValid(revision)
    const configured = configure(selected.xr, scope, revision)
    if (configured === undefined) {
      await this.#write(given, labelled(selected.xr), context)
      throw new ComposeError(`cannot configure composite resource: ${INCOMPATIBLE}`)
    }
    const isOrdered = isOrder(orderOf(given, revision))
    // Before any member waits for its turn, so that somebody is there to give it.
    const server = await this.#write(given, isOrdered ? withFinalizer(configured, ORDER_FINALIZER) : configured, context)
    const written = { ...server, status: configured['status'] }
    const world = new LiveWorld({ context, server, applier, index, disclosure, isOrdered })
    const composing = await composeXr({
      xr: written,
      scope,
      steps: stepsOf(revision),
      runner: patientRunner(runner, clock, context.waits),
      world,
      nowMs: () => clock.now(),
      signal: context.signal,
    })
    return this.#conclude(world, composing, context)
  }

  /** Answers the error of a composition that failed, once its status tells of it. */
  async #conclude(world: LiveWorld, composing: Composition, context: ReconcileContext): Promise<Result | Error> {
    const { clock } = this.#options
    const settings = this.#options.settings()
    const given = world.latest
    for (const event of composing.events) this.#tell(given, event)
    let xr = composing.xr
    if (composing.error === undefined && settings.scope === 'LegacyCluster') {
      const published = await publishXr(context.client, xr, composing.connectionDetails, settings.connectionKeys)
      if (published)
        this.#tell(given, {
          type: 'Normal',
          reason: 'PublishConnectionSecret',
          message: 'Successfully published connection details',
        })
      if (published) xr = withPublished(xr, clock.now())
    }
    await report(context.client, given, this.#acknowledged(xr))
    return composing.error ?? this.#next(given, composing)
  }

  /** Which request to look was heard, where the kind has a field for it; the server leaves it out of others, and is not asked to twice. */
  #acknowledged(xr: KubeObject): KubeObject {
    const token = annotationOf(xr, RECONCILE_REQUESTED_AT)
    if (token === undefined || !this.#options.keepsRequests()) return xr
    return { ...xr, status: { ...statusOf(xr), lastHandledReconcileAt: token } }
  }

  /** K85: nothing is polled unless somebody asks for it. */
  #next(xr: KubeObject, { pipeline }: Composition): Result {
    const asked = parseGoDuration(annotationOf(xr, POLL_INTERVAL) ?? '')
    const interval = asked === undefined ? undefined : Math.max(asked, 1)
    const ttl = pipeline?.ttlSeconds === undefined ? undefined : pipeline.ttlSeconds * (0.9 + 0.2 * this.#options.random())
    const seconds = Math.min(interval ?? Infinity, ttl ?? Infinity)
    return Number.isFinite(seconds) ? requeueAfter(Math.max(seconds, 1) * 1000) : done
  }

  /** Metadata and machinery, in one write where anything changed. Answers what the server has. */
  async #write(given: KubeObject, wanted: KubeObject, { client }: ReconcileContext): Promise<KubeObject> {
    if (deepEqual(given.metadata, wanted.metadata) && deepEqual(given['spec'], wanted['spec'])) return given
    return client.update({ ...given, metadata: wanted.metadata, spec: wanted['spec'] } as KubeObject, { fieldManager: CORE_MANAGER })
  }

  #tell(xr: KubeObject, { type, reason, message, claim }: XrEvent): void {
    this.#options.events.record(xr, { type, reason, message })
    const ref = specOf(xr)['claimRef']
    if (claim === undefined || !isJsonObject(ref)) return
    const [apiVersion = '', kind = '', namespace = '', name = ''] = ['apiVersion', 'kind', 'namespace', 'name'].map((field) =>
      String(ref[field] ?? ''),
    )
    this.#options.events.record({ apiVersion, kind, metadata: { namespace, name } }, { type, reason, message: claim })
  }
}

const stormMessage = (by: string): string => `Too many watch events from ${by}. Allowing events periodically.`

const withPublished = (xr: KubeObject, nowMs: number): KubeObject => ({
  ...xr,
  status: { ...statusOf(xr), connectionDetails: { lastPublishedTime: formatTime(nowMs) } },
})

const reasonOf = (message: string): string => (/^cannot (select|fetch|configure)/.test(message) ? 'SelectComposition' : 'ComposeResources')

function compositionsIn({ cached }: ReconcileContext): KnownCompositions {
  const compositions = cached(pipelineCompositionKind)
  const revisions = cached(compositionRevisionKind)
  return {
    composition: (name) => compositions.get({ name }),
    compositions: () => compositions.list(),
    revision: (name) => revisions.get({ name }),
    revisionsOf: (name) => revisionsOf(revisions, name),
  }
}

/** Who must hear of a Composition or revision: those that use it, and those that still look for one. */
export const compositionOf = (xr: KubeObject, settings: XrSettings): string => nameOf(machineryOf(xr, settings.scope).compositionRef) ?? ''

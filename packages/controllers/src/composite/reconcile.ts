import { type Condition, deepEqual, gvkOf, hasReason, isPaused, type KubeObject, messageOf, statusOf } from '@weft/api'
import { type Client, type InformerReader, type Secret, secretKind } from '@weft/client'
import { applyPatches, conditionOf, machineryOf, type Readiness, readinessOf, summariseReadiness } from '@weft/composition'
import { done, type EventRecorder, type ReconcileContext, type Request, requeueAfter, type Result } from '@weft/runtime'
import { describeObject } from '../binding/claimant.ts'
import { available, creating, deleting, notSynced, reverted, stillReverted, synced, waiting } from '../binding/conditions.ts'
import { hasFinalizer, withFinalizer, withoutFinalizer } from '../binding/finalizers.ts'
import { latestOf, writeLiveStatus } from '../binding/live-object.ts'
import { withMachinery } from '../binding/spec-reference.ts'
import { compositionKind } from '../definition/kinds.ts'
import { deleteMembers } from '../definition/delete-members.ts'
import { freeMembers, ORDER_FINALIZER, tellOf } from '../deletion/delete-in-order.ts'
import { goAfterMembers, isOrder, LOOK_AGAIN_MS, orderOf } from '../deletion/go-after-members.ts'
import type { DefinitionServices } from '../definition/services.ts'
import { pick } from '../selection/pick.ts'
import { mustNotRepeat } from './must-not-repeat.ts'
import { type Choice, choiceOf, compositionRefOf } from './choose.ts'
import { type Composed, composeMembers, kindsOf, mustKeepContract, plan, type Workshop } from './compose.ts'
import { CompositeError } from './composite-error.ts'
import { templatesFor } from './composition-source.ts'
import { type Published, publishComposite } from './publish-composite.ts'
import { reportsConditions } from './kind-index.ts'
import { type ComposedRef, composedRefsOf } from './members.ts'
import { MOVE_TO, moveRefusal, moveTarget, planMove, withoutMove } from './move.ts'
import { labelledCompositions, noComposition, withComposition, withMembers } from './named.ts'
import { composedBy, inNamespace, mustBeTheSame, recordOf } from './record.ts'
import type { CompositeSettings } from './settings.ts'

export interface CompositeReconcilerOptions {
  readonly workshop: Workshop
  readonly services: DefinitionServices
  readonly events: EventRecorder
  /** Read anew on every pass: the definition may change. */
  readonly settings: () => CompositeSettings
}

/**
 * Composes one composite: selects its Composition, writes the names of its members down, applies them, publishes their connection, and says how
 * it went. Outcomes:
 *
 * - all members ready, all promised details published: Ready=True `Available`.
 * - composed, but not ready: Ready=False `Creating`; a change of a member calls again.
 * - nobody says which Composition to use: Ready=False `Waiting`, no error; a Composition that comes calls again.
 * - deleted: what it is composed of goes with it, by garbage collection. Where its members go in order, it stays until they are gone.
 * - anything else: Synced=False with the reason, and again after a growing delay, or as soon as what was missing comes.
 */
export class CompositeReconciler {
  readonly #workshop: Workshop
  readonly #services: DefinitionServices
  readonly #events: EventRecorder
  readonly #settings: () => CompositeSettings

  constructor({ workshop, services, events, settings }: CompositeReconcilerOptions) {
    this.#workshop = workshop
    this.#services = services
    this.#events = events
    this.#settings = settings
  }

  async reconcile(request: Request, context: ReconcileContext): Promise<Result> {
    // Read from the server: what was just written here must not be composed from memory that lags behind, nor by a schema that has changed.
    const composite = await context.client.find(this.#workshop.kind, request)
    const isDeleted = composite?.metadata.deletionTimestamp !== undefined
    if (composite === undefined || isDeleted) this.#workshop.applier.forget(request)
    if (composite === undefined) return done
    // C20: what it is composed of goes with it, by its controller references.
    if (isDeleted && !hasFinalizer(composite, ORDER_FINALIZER)) {
      context.follow([])
      return done
    }
    if (isPaused(composite)) return done
    try {
      if (isDeleted) return await this.#goInOrder(composite, context)
      await this.#compose(composite, context)
      return done
    } catch (error) {
      if (context.signal.aborted || hasReason(error, 'Conflict')) throw error
      await this.#failed(composite, error, context.client)
      throw error
    }
  }

  async #compose(given: KubeObject, context: ReconcileContext): Promise<void> {
    const settings = this.#settings()
    const selected = this.#select(given, settings, context)
    if (selected === undefined) {
      await this.#unsatisfied(given, context.client)
      return
    }
    // Told with what comes of it, or else by itself.
    let untold = selected.news
    const composed = (composite: KubeObject, created: readonly KubeObject[]): void => {
      const what = `composed ${created.map(describeObject).join(', ')}`
      this.#events.normal(composite, 'ComposeResources', untold === undefined ? what : `${untold}, and ${what}`)
      untold = undefined
    }
    try {
      await this.#composeBy(given, selected.name, { settings, composed }, context)
    } finally {
      if (untold !== undefined) this.#events.normal(given, 'SelectComposition', untold)
    }
  }

  async #composeBy(given: KubeObject, name: string, { settings, composed }: Composing, context: ReconcileContext): Promise<void> {
    const { client, known, follow, inMemory } = context
    const acting = settings.account === undefined ? client : client.impersonate(settings.account)
    // An account that composes must be allowed to read what it composes by: then the server is asked.
    const find = settings.account === undefined ? findKnown(context.cached(compositionKind), client) : findAllowed(acting)
    const chosen = await this.#resolve(given, name, { acting, find })
    const { composition, note } = chosen
    const source = templatesFor(composition, given)
    mustKeepContract(source, this.#workshop.type, settings, chosen.name)
    await mustNotRepeat(client, given, chosen.name)
    const kinds = await kindsOf(this.#workshop, given, source.templates, {
      client: acting,
      account: settings.account !== undefined,
      follow,
      inMemory,
    })
    const planned = await plan(this.#workshop, given, source.templates, { client: acting, known, kinds, refs: chosen.known })
    const { members, refs, changed, observed, named: newNames } = planned
    const named = withMembers(given, this.#workshop.type, { composition: chosen.name, source, settings, ...(changed && { refs }) })
    const isOrdered = isOrder(orderOf(given, composition))
    const held = isOrdered ? withFinalizer(named, ORDER_FINALIZER) : named
    // X2: a crash after this leaves names without objects, never objects without names.
    const composite = held === given ? given : await acting.update(held)
    const composing = await composeMembers(this.#workshop, composite, members, {
      client: acting,
      known,
      kinds,
      blocking: settings.account === undefined,
      observed,
      named: newNames,
      isOrdered,
    })
    if (composing.created.length > 0) composed(composite, composing.created)
    const { errors } = composing
    if (chosen.isMove && errors.length === 0) {
      const dropped = this.#dropped(composite, members.length)
      const { namespace } = composite.metadata
      if (hasFinalizer(composite, ORDER_FINALIZER))
        await freeMembers(
          acting,
          composite,
          dropped.map((ref) => ({ ...ref, namespace, rankOf: () => 0 })),
        )
      await deleteMembers(acting, composite, dropped)
    }
    const secrets = this.#workshop.type.name === 'Infrastructure' ? context.cached(secretKind) : undefined
    await this.#finish(composite, { composition, members: composing.members, errors, note }, { client, secrets })
    if (chosen.isMove && errors.length === 0) await this.#moved(composite, chosen.name, members.length, acting)
  }

  /** Its members go in order, and it goes after them. */
  async #goInOrder(composite: KubeObject, context: ReconcileContext): Promise<Result> {
    const { type, kind } = this.#workshop
    const { account } = this.#settings()
    const client = account === undefined ? context.client : context.client.impersonate(account)
    const name = composedBy(composite)
    const composition = name === undefined ? undefined : await context.client.find(compositionKind, { name })
    const { namespace } = composite.metadata
    const refs = composedRefsOf(composite, type).flatMap((ref, i) => (ref === undefined ? [] : [{ ...ref, namespace, rankOf: () => i }]))
    const going = await goAfterMembers(context, composite, { client, order: orderOf(composite, composition), refs })
    if (going === undefined) {
      context.follow([])
      await context.client.update(withoutFinalizer(composite, ORDER_FINALIZER))
      return done
    }
    const latest = await latestOf(context.client, kind, composite)
    if (latest !== undefined) await this.#report(latest, [{ ...deleting(), message: tellOf(going) }, synced()], context.client)
    return requeueAfter(LOOK_AGAIN_MS)
  }

  /**
   * The Composition to compose by, and the members that are there. One that composed something goes on to do so, unless somebody asked for a move
   * to another; a move that would delete what nobody confirmed is not made, and `note` says why.
   */
  async #resolve(given: KubeObject, name: string, { acting, find }: Finding): Promise<Resolved> {
    const known = composedRefsOf(given, this.#workshop.type)
    const target = composedBy(given) === undefined ? undefined : moveTarget(given)
    if (target !== undefined) {
      const composition = await find(target)
      const move = planMove(templatesFor(composition, given).templates, known)
      const refusal = moveRefusal(given, target, move)
      if (refusal === undefined) return { composition, name: target, known: [...move.kept, ...move.dropped], isMove: true, note: undefined }
      this.#events.warning(given, 'MoveComposite', refusal)
      const current = await this.#fetch(given, name, { acting, find })
      mustBeTheSame(given, current)
      return { composition: current, name, known, isMove: false, note: notSynced(refusal) }
    }
    const composition = await this.#fetch(given, name, { acting, find })
    mustBeTheSame(given, composition)
    const written = compositionRefOf(given, this.#workshop.type.place)
    const isSetBack = composedBy(given) !== undefined && written !== name
    return { composition, name, known, isMove: false, note: isSetBack ? this.#setBack(given, name) : undefined }
  }

  #setBack(composite: KubeObject, name: string): Condition {
    const { kind, metadata } = composite
    const message = `compositionRef was set back to ${name}, which composed this. To move it to another: kubectl annotate ${kind.toLowerCase()} ${metadata.name ?? ''}${inNamespace(composite)} ${MOVE_TO}=NAME`
    this.#events.warning(composite, 'SelectComposition', message)
    return reverted(message)
  }

  /** Members that no template makes any more, after those that one does. */
  #dropped(composite: KubeObject, made: number): readonly ComposedRef[] {
    return composedRefsOf(composite, this.#workshop.type)
      .slice(made)
      .filter((ref) => ref !== undefined)
  }

  /** The move is done and recorded: what asked for it goes, and so do the names of what it deleted. */
  async #moved(composed: KubeObject, name: string, made: number, acting: Client): Promise<void> {
    const latest = await acting.get(this.#workshop.kind, { name: composed.metadata.name ?? '', namespace: composed.metadata.namespace })
    const refs = composedRefsOf(latest, this.#workshop.type).slice(0, made)
    await acting.update(withMachinery(withoutMove(latest), this.#workshop.type.place, { composedRefs: refs }))
    this.#events.normal(composed, 'MoveComposite', `moved to Composition ${name}`)
  }

  /** The name of the Composition (C18), and what there is to tell about the choice; undefined when nobody says. Rejects when a selector matches none. */
  #select(composite: KubeObject, settings: CompositeSettings, { cached }: ReconcileContext): Selected | undefined {
    const { type, random } = this.#workshop
    const choice: Choice = choiceOf(composite, type, settings)
    if (choice.type === 'none') return undefined
    if (choice.type === 'named') {
      const written = compositionRefOf(composite, type.place)
      const isNews = written === undefined && choice.why !== 'frozen'
      return { name: choice.name, news: isNews ? `selected Composition ${choice.name} (${choice.why})` : undefined }
    }
    const candidates = labelledCompositions(cached(compositionKind).list(), choice.labels, composite)
    const chosen = pick(candidates, { random, jitterMs: 0 })?.chosen
    if (chosen === undefined) throw noComposition(composite, choice.labels)
    const { name = '' } = chosen.metadata
    return { name, news: `selected Composition ${name} by its labels` }
  }

  /** B25: a Composition that does not exist is referred to all the same, so that the composite says what it waits for. */
  async #fetch(composite: KubeObject, name: string, { acting, find }: Finding): Promise<KubeObject> {
    try {
      return await find(name)
    } catch (error) {
      const referring = withComposition(composite, this.#workshop.type, name)
      if (referring !== composite) await acting.update(referring)
      throw error
    }
  }

  async #finish(given: KubeObject, { composition, members, errors, note }: Outcome, { client, secrets }: Telling): Promise<void> {
    const { composite, status } = await this.#patchBack(given, members, client)
    const promised = this.#settings().connectionDetails
    const published = secrets === undefined ? NOTHING_PUBLISHED : await publishComposite(client, composite, members, promised, secrets)
    if (published.wrote) this.#events.normal(composite, 'PublishConnectionSecret', 'published connection details')
    const readiness = summariseReadiness(
      members.map((member) => ({ name: `${member.ref.kind}/${member.ref.name}`, readiness: this.#readinessOf(member) })),
    )
    const missing = unpublished(published)
    const isReady = readiness.all && missing === ''
    const ready = isReady ? available() : creating(readiness.message + missing)
    const failures = [...errors.map(({ message }) => message), ...members.flatMap(notSyncedBelow)]
    const sync = failures.length > 0 ? notSynced(failures.slice(0, 5).join('; ')) : stillReverted(composite, note ?? synced())
    // What a member said of an earlier generation of itself says nothing about what was just asked of it.
    const isEarly = errors.length === 0 && members.some(({ object }) => lagsBehind(object)) && hasReported(composite)
    const exists = members.some(({ object }) => object !== undefined)
    await this.#report(composite, isEarly ? [] : [ready, sync], client, { ...status, ...(exists && recordOf(composition)) })
    for (const { message } of errors) this.#events.warning(composite, 'ComposeResources', message)
    if (errors[0] !== undefined) throw errors[0]
  }

  #readinessOf({ template, object }: Composed): Readiness {
    const gvk = gvkOf(template.base)
    const crd = this.#workshop.index.find(gvk)
    if (object?.metadata.deletionTimestamp !== undefined) return { ready: false, reason: 'is being deleted' }
    return readinessOf(object, {
      checks: template.readinessChecks,
      reportsReady: crd === undefined ? undefined : reportsConditions(crd, gvk.version),
    })
  }

  /** Patches that write back to the composite, from members that were observed. Never to its machinery, nor to more of its metadata than labels and annotations. */
  async #patchBack(
    given: KubeObject,
    members: readonly Composed[],
    client: Client,
  ): Promise<{ composite: KubeObject; status: Record<string, unknown> }> {
    let patched = given
    for (const { template, object } of members) {
      if (object === undefined) continue
      const result = applyPatches(template.patches, 'composite', { composed: object }, patched)
      if (!result.ok) throw new CompositeError('RenderFailed', result.error.message)
      patched = result.value.object
    }
    if (patched === given) return { composite: given, status: {} }
    const { type } = this.#workshop
    const { labels, annotations } = patched.metadata
    const spec = { ...(patched['spec'] as object), [type.field]: machineryOf(given, type.place) }
    const next: KubeObject = {
      ...given,
      spec,
      metadata: { ...given.metadata, ...(labels && { labels }), ...(annotations && { annotations }) },
    }
    const { conditions: _conditions, ...status } = statusOf(patched)
    return { composite: deepEqual(next, given) ? given : await client.update(next), status }
  }

  async #unsatisfied(composite: KubeObject, client: Client): Promise<void> {
    const { field } = this.#workshop.type
    const message = `no Composition is selected: set compositionRef or compositionSelector in spec.${field}, or a defaultComposition in the definition`
    await this.#report(composite, [waiting(message), synced()], client)
  }

  async #failed(composite: KubeObject, error: unknown, client: Client): Promise<void> {
    // Condition already, with what is known of the members.
    if (error instanceof CompositeError && error.code === 'ApplyFailed') return
    const message = messageOf(error)
    this.#events.warning(composite, 'ComposeResources', message)
    const latest = await latestOf(client, this.#workshop.kind, composite)
    if (latest === undefined) return
    const conditions = [...(composedBy(latest) === undefined ? [waiting('it has not been composed yet')] : []), notSynced(message)]
    const { generation } = composite.metadata
    await writeLiveStatus(client, latest, { conditions, generation, nowMs: this.#services.clock.now() })
  }

  /** As the control plane itself: an account without rights must not be able to hide that. */
  async #report(
    composite: KubeObject,
    conditions: readonly Condition[],
    client: Client,
    fields: Record<string, unknown> = {},
  ): Promise<void> {
    await writeLiveStatus(client, composite, { conditions, fields, nowMs: this.#services.clock.now() })
  }
}

/** Rejects when there is none, or the account may not read it. */
type FindComposition = (name: string) => Promise<KubeObject>

interface Finding {
  readonly acting: Client
  readonly find: FindComposition
}

interface Telling {
  readonly client: Client
  /** Connection secrets, where there is a connection. */
  readonly secrets: InformerReader<Secret> | undefined
}

interface Selected {
  readonly name: string
  readonly news: string | undefined
}

interface Composing {
  readonly settings: CompositeSettings
  /** Called with what did not exist before, where there is something. */
  readonly composed: (composite: KubeObject, created: readonly KubeObject[]) => void
}

/** The Composition to compose by. */
interface Resolved {
  readonly composition: KubeObject
  readonly name: string
  /** The members that are there, in the order of its templates. */
  readonly known: readonly (ComposedRef | undefined)[]
  readonly isMove: boolean
  /** What Synced says of it, where there is something to say. */
  readonly note: Condition | undefined
}

interface Outcome {
  readonly composition: KubeObject
  readonly members: readonly Composed[]
  readonly errors: readonly CompositeError[]
  readonly note: Condition | undefined
}

const NOTHING_PUBLISHED: Published = { wrote: false, missing: [], silent: [] }

/** Promised details that are not there, and members that cannot ever bring them. */
function unpublished({ missing, silent }: Published): string {
  if (missing.length === 0) return ''
  const hint = silent.length === 0 ? '' : ` (${silent.join('; ')})`
  return `; connection details that are not published yet: ${missing.join(', ')}${hint}`
}

/** An edit that fails below shows above. */
function notSyncedBelow({ ref, object }: Composed): readonly string[] {
  const condition = object === undefined ? undefined : conditionOf(object, 'Synced')
  return condition?.status === 'False' ? [`${ref.kind}/${ref.name} is not synced: ${condition.message ?? condition.reason ?? ''}`] : []
}

function lagsBehind(object: KubeObject | undefined): boolean {
  if (object === undefined) return false
  const { generation = 0 } = object.metadata
  return ['Ready', 'Synced'].some((type) => (conditionOf(object, type)?.observedGeneration ?? Infinity) < generation)
}

const hasReported = (composite: KubeObject): boolean => conditionOf(composite, 'Ready') !== undefined

/** Compositions do not change (C4): one that is in memory is as good as the server's. */
const findKnown =
  (known: InformerReader, client: Client): FindComposition =>
  async (name) =>
    known.get({ name }) ?? findComposition(client, name)

const findAllowed =
  (acting: Client): FindComposition =>
  (name) =>
    findComposition(acting, name)

async function findComposition(client: Client, name: string): Promise<KubeObject> {
  try {
    return await client.get(compositionKind, { name })
  } catch (error) {
    const why = hasReason(error, 'NotFound') ? 'it does not exist' : messageOf(error)
    throw new CompositeError('CompositionNotFound', `cannot get Composition ${name}: ${why}`, { cause: error })
  }
}

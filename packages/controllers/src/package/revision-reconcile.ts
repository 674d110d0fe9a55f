import { setMaxListeners } from 'node:events'
import { type Condition, hasReason, isPaused, type KubeObject, messageOf } from '@weft/api'
import { conditionOf } from '@weft/composition'
import { done, type EventRecorder, type Reconcile, type ReconcileContext, requeueAfter, type Result, underWay } from '@weft/runtime'
import { type Package, PackageError, parseRange } from '@weft/xpkg'
import { withStatus } from '../binding/conditions.ts'
import { withoutFinalizer } from '../binding/finalizers.ts'
import {
  type DependencyCounts,
  dependencyState,
  enterLock,
  type Member,
  requireDependencies,
  type Resolved,
  resolveMember,
} from './dependencies.ts'
import { AWAITING_ACTIVATION, isRuntimeActive, RUNTIME_ACTIVE, runtimeActive, whyAwaiting } from './awaiting-activation.ts'
import { Downloads } from './downloads.ts'
import { labelled } from './revision-labels.ts'
import { paused, withoutPause } from './pause.ts'
import { establish, type Established, type Establishment } from './establish.ts'
import { type Establishments, establishmentsOf } from './establishment.ts'
import { ELSEWHERE_FINALIZER, isActiveRevision, isMadeElsewhere, packageNameOf, type PackageSort, type RevisionObject } from './kinds.ts'
import { changeLock } from './lock.ts'
import { PackageRefusal } from './package-refusal.ts'
import { AWAITING, type PackageRun, type RuntimeHealth } from './package-runtime.ts'
import { pullSecrets } from './pull-secrets.ts'
import { findRuntimeSettings } from './runtime-settings.ts'
import { type PackageServices, runtimeOf } from './services.ts'
import { carriesWebhooks, type WebhookTarget } from './webhooks.ts'
import { described, isOverwritten, type Written, writtenOf } from './written.ts'

/** The version of Crossplane whose packages can be installed: what `spec.crossplane.version` of a package is compared with. */
export const COMPATIBLE_VERSION = 'v2.0.0'
/** Packages that came with the control plane say so in `spec.package`. */
export const BUNDLED = 'bundled:'
/** Terraform providers say so: what follows is where theirs comes from. */
export const TERRAFORM = 'terraform:'

type Context = ReconcileContext<RevisionObject>
/** Something is under way beside the workers, which will call again. */
const PENDING = Symbol('pending')
const LISTENERS = 200
const ESTABLISHING = 'Establishing'
/** How often a status tells how many kinds are still on their way. */
const NEWS_MS = 500

/**
 * The reconciler of revisions. Outcomes:
 *
 * - Inactive: its code does not run, and it is not in the lock. What it installed stays until another revision, or the package, is done with it.
 * - Active, but a later revision of the package is too: that one is about to take over; its code goes on until then.
 * - Active: its contents are read, its dependencies are there, everything it holds is installed and every kind of it served, its code runs:
 *   Healthy=True. Where none of its kinds is active and its code can wait for that, it does: Healthy=True `AwaitingActivation`.
 *   Whatever is refused: RevisionHealthy=False with the reason, and nothing was changed.
 */
export function reconcileRevision(sort: PackageSort, services: PackageServices): RevisionReconcile {
  const reconciler = new RevisionReconciler(sort, services)
  return {
    reconcile: (request, context) => reconciler.reconcile(request.name, context),
    deleted: (name) => reconciler.deleted(name),
    edited: (name, object) => reconciler.edited(name, object),
  }
}

export interface RevisionReconcile {
  readonly reconcile: Reconcile<RevisionObject>
  /** Something that the revision installed was deleted: it is to be established anew. Answers that it is. */
  deleted(name: string): boolean
  /** Something that the revision installed has been written. Answers whether it is to be established anew: if somebody changed what it wrote. */
  edited(name: string, object: KubeObject): boolean
}

export const revisionComponentOf = ({ type }: PackageSort): string => `package/${type.toLowerCase()}-revision`

class RevisionReconciler {
  readonly #sort: PackageSort
  readonly #services: PackageServices
  readonly #events: EventRecorder
  readonly #loads = new Downloads<Package>()
  readonly #resolutions = new Downloads<Resolved>()
  readonly #established = new Map<
    string,
    { readonly uid: string | undefined; readonly generation: number | undefined; readonly established: Established }
  >()
  /** By revision, and by `Kind name`, the last write of what it installs while it was not established. */
  readonly #edits = new Map<string, Map<string, Written>>()

  /** By revision, when its status last told of kinds that are on their way. */
  readonly #told = new Map<string, number>()

  constructor(sort: PackageSort, services: PackageServices) {
    this.#sort = sort
    this.#services = services
    this.#events = services.recorder(revisionComponentOf(sort))
  }

  deleted(name: string): boolean {
    this.#established.delete(name)
    return true
  }

  edited(name: string, object: KubeObject): boolean {
    const before = this.#established.get(name)
    if (before === undefined) {
      // It may be in the middle of establishing, and have written this one already.
      const edits = this.#edits.get(name) ?? new Map<string, Written>()
      this.#edits.set(name, edits.set(described(object), writtenOf(object)))
      return false
    }
    if (!isOverwritten(before.established, described(object), writtenOf(object))) return false
    this.#established.delete(name)
    return true
  }

  async reconcile(name: string, context: Context): Promise<Result> {
    const revision = context.primary.get({ name })
    if (revision === undefined || revision.metadata.deletionTimestamp !== undefined) {
      this.#loads.cancel(name)
      this.#resolutions.cancel(name)
      this.#established.delete(name)
      this.#edits.delete(name)
      this.#told.delete(name)
      return revision !== undefined && isMadeElsewhere(revision) ? this.#letGo(revision, context) : done
    }
    if (isPaused(revision)) {
      await this.#report(revision, [paused()], {}, context.client)
      return done
    }
    if (isMadeElsewhere(revision)) {
      // Whatever runs its code was left as it was for as long as it was wanted.
      if (!isActiveRevision(revision)) await runtimeOf(this.#sort, this.#services).stop(packageNameOf(revision), name)
      return done
    }
    if (!isActiveRevision(revision)) {
      this.#established.delete(name)
      return this.#stepBack(revision, context)
    }
    if (this.#successorOf(revision, context) !== undefined) return done
    try {
      return await this.#putIntoEffect(revision, context)
    } catch (error) {
      return this.#refused(revision, error, context)
    }
  }

  /** Of a revision that was made elsewhere: nobody else takes its finalizer off any more. Its runtime goes with it, by garbage collection. */
  async #letGo(revision: RevisionObject, { client }: Context): Promise<Result> {
    const released = withoutFinalizer(revision, ELSEWHERE_FINALIZER)
    if (released === revision) return done
    await this.#leaveLock(revision, client)
    await client.update(released)
    return done
  }

  /** A later revision of the package that is Active, too. */
  #successorOf(revision: RevisionObject, { primary }: Context): RevisionObject | undefined {
    const packageName = packageNameOf(revision)
    return primary
      .list()
      .find((other) => packageNameOf(other) === packageName && isActiveRevision(other) && other.spec.revision > revision.spec.revision)
  }

  async #stepBack(revision: RevisionObject, { client }: Context): Promise<Result> {
    const name = revision.metadata.name ?? ''
    await runtimeOf(this.#sort, this.#services).stop(packageNameOf(revision), name)
    await this.#leaveLock(revision, client)
    const conditions: Condition[] = [
      { type: 'Healthy', status: 'True', reason: 'InactivePackageRevision' },
      { type: 'RevisionHealthy', status: 'False', reason: 'InactivePackageRevision', message: 'the revision is not active' },
    ]
    await this.#report(revision, conditions, this.#sort.type === 'Function' ? { endpoint: undefined } : {}, client)
    return done
  }

  async #leaveLock({ metadata: { name } }: RevisionObject, client: Context['client']): Promise<void> {
    await changeLock(client, (packages) =>
      packages.some((each) => each.name === name) ? packages.filter((each) => each.name !== name) : packages,
    )
  }

  async #putIntoEffect(found: RevisionObject, context: Context): Promise<Result> {
    const { client } = context
    // All that is written at once hears of the end of this reconcile.
    setMaxListeners(LISTENERS, context.signal)
    const contents = await this.#contents(found, context)
    if (contents === PENDING) return underWay
    const given = await withoutPause(client, await labelled(client, this.#sort, found, contents))
    mustBeCompatible(given, contents)
    const { store, engine } = this.#services
    const packageName = packageNameOf(given)
    const parent = await client.find(this.#sort.kind, { name: packageName })
    if (parent === undefined || parent.metadata.deletionTimestamp !== undefined) return done
    const member: Member = { revision: given, contents, ...store.identify(given.spec.image, given.spec.digest ?? '') }
    const counts = await this.#dependencies(member, context)
    if (counts === PENDING) return underWay
    const name = given.metadata.name ?? ''
    const { refs: objectRefs, written } = await this.#establish({
      client,
      parent,
      revision: given,
      contents,
      bundled: given.spec.image.startsWith(BUNDLED),
      generated: given.spec.image.startsWith(TERRAFORM),
      webhooks: await this.#webhooks(packageName, contents),
    })
    const wasHealthy = conditionOf(given, 'RevisionHealthy')?.status === 'True'
    const standing = establishmentsOf(objectRefs, written, (kind) => context.cached(kind))
    const { settings, applied, problem } = await this.#settings(given, contents, client)
    const health: RuntimeHealth =
      problem ??
      (await runtimeOf(this.#sort, this.#services).ensure({
        packageName,
        revision: given,
        contents,
        pending: standing.pending,
        settings,
        awaitsActivation: await whyAwaiting({ revision: given, contents, cached: (kind) => context.cached(kind), client }),
        onChange: () => engine.get(revisionComponentOf(this.#sort))?.enqueue({ name }),
      }))
    if (!wasHealthy) this.#events.normal(given, 'EstablishRevision', `installed ${objectRefs.length} objects`)
    const wait = this.#mayWait(given, standing)
    if (wait > 0) return requeueAfter(wait)
    await this.#report(
      given,
      healthyConditions(health, {
        hasRuntime: contents.type !== 'Configuration',
        established: standing,
        wasHealthy: isHealthy(given),
        wasActive: isRuntimeActive(given),
      }),
      { objectRefs, ...counts, ...processOf(health), ...applied, ...packageStatus(packageName, contents, health) },
      client,
    )
    return done
  }

  async #webhooks(packageName: string, contents: Package): Promise<WebhookTarget | undefined> {
    if (contents.program === undefined || !carriesWebhooks(contents)) return undefined
    return runtimeOf(this.#sort, this.#services).webhooks?.(packageName)
  }

  /** Only where there is a program: for the others nothing is looked up. With a problem, what runs goes on, and nothing is started. */
  async #settings(revision: RevisionObject, { program }: Package, client: Context['client']): Promise<Settings> {
    if (program === undefined) return { applied: {} }
    const found = await findRuntimeSettings(client, revision)
    if (typeof found === 'string') return { applied: {}, problem: { healthy: false, reason: 'CannotStart', message: found } }
    const others = (revision.status?.appliedImageConfigRefs ?? []).filter(({ reason }) => reason !== 'ConfigureRuntime')
    const refs = [...others, ...found.applied]
    return { settings: found.settings, applied: { appliedImageConfigRefs: refs.length === 0 ? undefined : refs } }
  }

  /** For how long news of kinds that are on their way may wait: each of thousands that is served is one, and a status that lists them all is large. */
  #mayWait(revision: RevisionObject, { failed, pending }: Establishments): number {
    const name = revision.metadata.name ?? ''
    const now = this.#services.clock.now()
    const isOnItsWay = conditionOf(revision, 'Healthy')?.reason === ESTABLISHING
    if (pending.length === 0 || failed.length > 0 || !isOnItsWay) {
      this.#told.set(name, now)
      return 0
    }
    const wait = (this.#told.get(name) ?? 0) + NEWS_MS - now
    if (wait <= 0) this.#told.set(name, now)
    return wait
  }

  /** Once for each revision while nothing of it is deleted or edited: with thousands of kinds it takes seconds. */
  async #establish(establishment: Establishment): Promise<Established> {
    const { name = '', uid, generation } = establishment.revision.metadata
    const before = this.#established.get(name)
    if (before !== undefined && before.uid === uid && before.generation === generation) return before.established
    this.#edits.delete(name)
    const established = await establish(establishment)
    const edits = [...(this.#edits.get(name) ?? [])]
    this.#edits.delete(name)
    if (edits.some(([what, edit]) => isOverwritten(established, what, edit))) this.#wake(name)()
    else this.#established.set(name, { uid, generation, established })
    return established
  }

  /** What the revision holds: from memory or disk, else fetched again, beside the workers. */
  async #contents(revision: RevisionObject, { client }: Context): Promise<Package | typeof PENDING> {
    const { store } = this.#services
    const { image, digest = '', packagePullSecrets = [], packagePullPolicy } = revision.spec
    const name = revision.metadata.name ?? ''
    const outcome = await this.#loads.ask(
      name,
      digest,
      async (signal) => {
        const here = await store.load(digest)
        if (here !== undefined) return here
        const dockerConfigs = await pullSecrets(client, packagePullSecrets)
        const fetched = await store.fetch(image, { signal, dockerConfigs, offline: packagePullPolicy === 'Never' })
        if (fetched.digest === digest) return fetched.contents
        throw new PackageRefusal(
          'UnpackingPackage',
          `the contents of this revision (${digest}) are no longer stored here, and ${image} has changed since (${fetched.digest})`,
        )
      },
      this.#wake(name),
    )
    if (outcome.state === 'failed') throw outcome.error
    return outcome.state === 'done' ? outcome.value : PENDING
  }

  async #dependencies(member: Member, { client }: Context): Promise<DependencyCounts | typeof PENDING> {
    const { revision, contents } = member
    if (revision.spec.skipDependencyResolution === true) {
      await enterLock(client, { ...member, contents: { ...contents, dependencies: [] } })
      return { foundDependencies: 0, installedDependencies: 0, invalidDependencies: 0 }
    }
    const name = revision.metadata.name ?? ''
    const { packagePullSecrets = [], packagePullPolicy } = revision.spec
    const outcome = await this.#resolutions.ask(
      name,
      member.version,
      async (signal) =>
        resolveMember(client, this.#services.store, member, {
          signal,
          dockerConfigs: await pullSecrets(client, packagePullSecrets),
          offline: packagePullPolicy === 'Never',
        }),
      this.#wake(name),
    )
    if (outcome.state === 'pending') return PENDING
    if (outcome.state === 'failed') throw outcome.error
    await requireDependencies(client, member, outcome.value)
    const { counts, missing } = await dependencyState(client, member)
    if (missing.length > 0) {
      await this.#report(revision, [], counts, client)
      throw new PackageRefusal('WaitingForDependencies', `waiting for ${missing.join(', ')} to be installed`)
    }
    return counts
  }

  #wake(name: string): () => void {
    return () => this.#services.engine.get(revisionComponentOf(this.#sort))?.enqueue({ name })
  }

  /** Says why. What may go away by itself is tried again; everything else when something that is watched changes. */
  async #refused(revision: RevisionObject, error: unknown, { client, signal }: Context): Promise<Result> {
    // Losing a race says nothing about the package: it is looked at again.
    if (signal.aborted || hasReason(error, 'Conflict')) throw error
    const refusal = error instanceof PackageRefusal ? error : undefined
    const reason = refusal?.code ?? (error instanceof PackageError ? 'UnpackingPackage' : 'UnhealthyPackageRevision')
    const message = messageOf(error)
    const latest = (await client.find(this.#sort.revisionKind, { name: revision.metadata.name ?? '' })) ?? revision
    if (reason !== 'WaitingForDependencies') this.#events.warning(latest, reason, message)
    const invalid = reason === 'UnresolvableDependencies' ? { invalidDependencies: 1 } : {}
    await this.#report(
      latest,
      [
        { type: 'RevisionHealthy', status: 'False', reason, message },
        { type: 'Healthy', status: 'False', reason: 'UnhealthyPackageRevision', message },
      ],
      invalid,
      client,
    )
    if (refusal !== undefined && !refusal.retry) return done
    throw error
  }

  async #report(revision: RevisionObject, conditions: readonly Condition[], fields: object, client: Context['client']): Promise<void> {
    const next = withStatus(revision, {
      conditions: conditions.map((each) => ({ ...each, ...observed(revision) })),
      fields: { ...fields },
      nowMs: this.#services.clock.now(),
    })
    if (next !== revision) await client.updateStatus(next)
  }
}

interface Settings extends Pick<PackageRun, 'settings'> {
  /** For the status. */
  readonly applied: Readonly<Record<string, unknown>>
  readonly problem?: RuntimeHealth
}

function mustBeCompatible({ spec }: RevisionObject, { crossplaneConstraint, name }: Package): void {
  if (crossplaneConstraint === undefined || spec.ignoreCrossplaneConstraints === true) return
  if (parseRange(crossplaneConstraint).includes(COMPATIBLE_VERSION)) return
  throw new PackageRefusal(
    'IncompatiblePackage',
    `${name} is made for Crossplane ${crossplaneConstraint}, and this control plane is compatible with ${COMPATIBLE_VERSION}: set spec.ignoreCrossplaneConstraints to install it anyway`,
  )
}

interface Circumstances {
  readonly hasRuntime: boolean
  readonly established: Establishments
  /** Then a kind that is being activated is on its way, and no reason to worry anybody. */
  readonly wasHealthy: boolean
  /** Its code has run. */
  readonly wasActive: boolean
}

/** What it installed is there, its code runs, and every kind of it that is wanted is served. */
function healthyConditions(health: RuntimeHealth, { hasRuntime, established, wasHealthy, wasActive }: Circumstances): Condition[] {
  const message = health.message === undefined ? {} : { message: health.message }
  const { failed, pending } = established
  const isAwaitingActivation = health.reason === AWAITING_ACTIVATION
  const isIdle = isAwaitingActivation || (health.reason === AWAITING && !wasActive)
  return [
    { type: 'RevisionHealthy', status: 'True', reason: 'HealthyPackageRevision' },
    ...(hasRuntime
      ? [
          { type: 'RuntimeHealthy', status: health.healthy ? 'True' : 'False', reason: health.reason, ...message } as const,
          isIdle ? ({ type: RUNTIME_ACTIVE, status: 'False', reason: health.reason, ...message } as const) : runtimeActive,
        ]
      : []),
    overall(),
  ]
  function overall(): Condition {
    if (!health.healthy && health.reason !== AWAITING)
      return { type: 'Healthy', status: 'False', reason: 'UnhealthyPackageRevision', ...message }
    if (failed.length > 0) return { type: 'Healthy', status: 'False', reason: 'NotEstablished', message: listed(failed, '; ') }
    if (pending.length > 0 && (!wasHealthy || (isIdle && !isAwaitingActivation)))
      return { type: 'Healthy', status: 'Unknown', reason: ESTABLISHING, message: `waiting for ${listed(pending)} to be established` }
    if (isAwaitingActivation) return { type: 'Healthy', status: 'True', reason: AWAITING_ACTIVATION, ...message }
    return { type: 'Healthy', status: 'True', reason: 'HealthyPackageRevision' }
  }
}

const NAMED = 3

function listed(names: readonly string[], separator = ', '): string {
  const more = names.length > NAMED ? ` and ${names.length - NAMED} more` : ''
  return `${names.slice(0, NAMED).join(separator)}${more}`
}

export function isHealthy(revision: RevisionObject): boolean {
  const found = conditionOf(revision, 'Healthy')
  return found?.status === 'True' && found.observedGeneration === revision.metadata.generation
}

/** What the package says of itself, and where its program is found. */
function packageStatus(
  name: string,
  { type, capabilities, program }: Package,
  { endpoint }: RuntimeHealth,
): Readonly<Record<string, unknown>> {
  // A function that does not say what it can is one that composes.
  const can = type === 'Function' && capabilities.length === 0 ? ['composition'] : capabilities
  return {
    capabilities: can.length === 0 ? undefined : can,
    ...(type === 'Function' && { endpoint }),
    ...(program !== undefined && { tlsServerSecretName: `${name}-tls-server` }),
    ...(program !== undefined && type === 'Provider' && { tlsClientSecretName: `${name}-tls-client` }),
  }
}

const processOf = ({ restarts, isolation, ports }: RuntimeHealth): Readonly<Record<string, unknown>> =>
  restarts === undefined
    ? {}
    : { process: { restarts, ...(isolation !== undefined && { isolation }), ...(ports !== undefined && { ports }) } }

/** What a condition is about: one that was written before the revision was made Active says nothing of its being so. */
const observed = ({ metadata: { generation } }: RevisionObject): Pick<Condition, 'observedGeneration'> =>
  generation === undefined ? {} : { observedGeneration: generation }

import { type Condition, deepEqual, formatGroupVersion, hasReason, isPaused, type KubeObject, messageOf } from '@weft/api'
import type { Client } from '@weft/client'
import { conditionOf, conditionsOf } from '@weft/composition'
import { done, type EventRecorder, type Reconcile, type ReconcileContext, requeueAfter, type Result, underWay } from '@weft/runtime'
import { PackageError } from '@weft/xpkg'
import { withFinalizer } from '../binding/finalizers.ts'
import { deleteLive, writeLiveStatus } from '../binding/live-object.ts'
import { controllerReference } from '../connection/control.ts'
import { AWAITING_ACTIVATION } from './awaiting-activation.ts'
import { type Download, Downloads } from './downloads.ts'
import { forgetPackages } from './forget-packages.ts'
import { addressProblem } from './function-address.ts'
import {
  FUNCTION_ADDRESS,
  FUNCTIONS,
  isActiveRevision,
  isMadeElsewhere,
  PACKAGE_FINALIZER,
  PACKAGE_LABEL,
  type PackageObject,
  type PackageSort,
  type RevisionObject,
} from './kinds.ts'
import { paused, withoutPause } from './pause.ts'
import { PackageRefusal } from './package-refusal.ts'
import type { FetchedPackage } from './package-store.ts'
import { pullSecrets } from './pull-secrets.ts'
import { revisionName } from './revision-names.ts'
import type { PackageServices } from './services.ts'
import { uninstall } from './uninstall.ts'

/** With pull policy Always, how often a tag is looked up again. */
const PULL_EVERY_MS = 60_000
const DEFAULT_HISTORY = 1

/**
 * The reconciler of packages: which revision is wanted, and which is in effect. Outcomes:
 *
 * - the package cannot be fetched or read: Installed=False `UnpackingPackage`; whatever revision is in effect stays so.
 * - a revision was found: it is made, or raised above the others; with Automatic it is made Active. The one before is made Inactive when the
 *   new one has taken over, so that a revision that is refused changes nothing.
 * - its revision was made by Crossplane's package manager, and is the one that the package asks for: both are left as they are.
 * - deleted: see `uninstall`.
 */
export function reconcilePackage(sort: PackageSort, services: PackageServices): Reconcile<PackageObject> {
  const reconciler = new PackageReconciler(sort, services)
  return (request, context) => reconciler.reconcile(request.name, context)
}

export const componentOf = ({ type }: PackageSort): string => `package/${type.toLowerCase()}`

class PackageReconciler {
  readonly #sort: PackageSort
  readonly #services: PackageServices
  readonly #events: EventRecorder
  readonly #downloads = new Downloads<FetchedPackage>()
  /** By package, how far what is fetched is. */
  readonly #progress = new Map<string, string>()

  constructor(sort: PackageSort, services: PackageServices) {
    this.#sort = sort
    this.#services = services
    this.#events = services.recorder(componentOf(sort))
  }

  async reconcile(name: string, context: ReconcileContext<PackageObject>): Promise<Result> {
    const found = context.primary.get({ name })
    if (found === undefined) {
      this.#downloads.cancel(name)
      this.#progress.delete(name)
      return done
    }
    if (isPaused(found)) {
      await this.#report(found, [paused()], context)
      return done
    }
    const revisions = await this.#revisionsOf(name, context.client)
    if (found.metadata.deletionTimestamp !== undefined) {
      this.#downloads.cancel(name)
      return uninstall(found, revisions, { sort: this.#sort, services: this.#services, context, events: this.#events })
    }
    if (isKeptElsewhere(found, revisions)) return done
    if (found.metadata.annotations?.[FUNCTION_ADDRESS] !== undefined && this.#sort === FUNCTIONS)
      return this.#answeredElsewhere(found, revisions, context)
    const marked = withFinalizer(found, PACKAGE_FINALIZER)
    const given = await withoutPause(context.client, marked === found ? found : await context.client.update(marked))
    const known = this.#knownRevision(given, revisions)
    if (known !== undefined) return this.#settle(given, known, revisions, context)
    const outcome = await this.#fetch(given)
    if (outcome.state === 'pending') {
      const before = conditionOf(given, 'Installed')
      const message = this.#progress.get(name) ?? before?.message ?? 'the package is being fetched'
      const isUnderWay = before?.status === 'Unknown' && before.reason === 'UnpackingPackage' && before.message !== message
      if (conditionsOf(given).length === 0 || isUnderWay) await this.#report(given, [{ ...unpacking(message), status: 'Unknown' }], context)
      return underWay
    }
    this.#progress.delete(name)
    if (outcome.state === 'failed') return this.#unpackingFailed(given, outcome.error, context)
    const { contents, digest, resolved, applied } = outcome.value
    if (contents.type !== this.#sort.type) {
      const message = `${given.spec.package} is a ${contents.type} package: install it as a ${contents.type}`
      return this.#unpackingFailed(given, new PackageRefusal('IncompatiblePackage', message), context)
    }
    const current = await this.#ensureRevision(given, digest, revisions, context.client)
    const told = await this.#tellResolved(current, outcome.value, context)
    return this.#settle(given, told, await this.#revisionsOf(name, context.client), context, {
      resolvedPackage: resolved,
      appliedImageConfigRefs: applied,
    })
  }

  /** The revision, which says where it was fetched from: so its program is, in a cluster. */
  async #tellResolved(
    revision: RevisionObject,
    { resolved, applied }: FetchedPackage,
    { client }: ReconcileContext<PackageObject>,
  ): Promise<RevisionObject> {
    // Also what is not so any more: an ImageConfig that is gone has no say.
    const fields = { resolvedImage: resolved, appliedImageConfigRefs: applied }
    const write = (live: RevisionObject): Promise<RevisionObject> =>
      writeLiveStatus(client, live, { conditions: [], fields, nowMs: this.#services.clock.now() })
    try {
      return await write(revision)
    } catch (error) {
      if (!hasReason(error, 'Conflict')) throw error
      // It was made a moment ago, and is being installed: its own reconciler has written its status meanwhile.
      return write(await client.get(this.#sort.revisionKind, { name: revision.metadata.name ?? '' }))
    }
  }

  /** A program under development answers for it: nothing of the package is needed. */
  async #answeredElsewhere(
    given: PackageObject,
    revisions: readonly RevisionObject[],
    context: ReconcileContext<PackageObject>,
  ): Promise<Result> {
    this.#downloads.cancel(given.metadata.name ?? '')
    for (const revision of revisions.filter(isActiveRevision))
      await context.client.update({ ...revision, spec: { ...revision.spec, desiredState: 'Inactive' as const } })
    const problem = addressProblem(given)
    const reasons = [
      ['Installed', problem === undefined ? 'ActivePackageRevision' : 'InactivePackageRevision'],
      ['Healthy', problem === undefined ? 'HealthyPackageRevision' : 'UnhealthyPackageRevision'],
    ] as const
    const conditions = reasons.map(([type, reason]) => ({
      type,
      status: problem === undefined ? ('True' as const) : ('False' as const),
      reason,
      ...(problem !== undefined && { message: problem }),
    }))
    await this.#report(given, conditions, context)
    return done
  }

  /** Read from the server: what the cache does not have yet must not be made twice. */
  async #revisionsOf(name: string, client: Client): Promise<readonly RevisionObject[]> {
    const { items } = await client.list(this.#sort.revisionKind, { labels: { matchLabels: { [PACKAGE_LABEL]: name } } })
    return items
  }

  /** The revision that was found for what the package says now, unless it is to be looked up again. */
  #knownRevision({ spec, status }: PackageObject, revisions: readonly RevisionObject[]): RevisionObject | undefined {
    if (spec.packagePullPolicy === 'Always' || status?.currentIdentifier !== spec.package) return undefined
    const current = revisions.find(({ metadata }) => metadata.name === status.currentRevision)
    const now = this.#services.store.peek?.(spec.package)
    if (now !== undefined && now !== current?.spec.digest) return undefined
    // Another one was raised above it by hand, or it lost its place: find out anew.
    return current !== undefined && current.spec.revision === maximum(revisions) && current.metadata.deletionTimestamp === undefined
      ? current
      : undefined
  }

  async #fetch({ metadata: { name = '' }, spec }: PackageObject): Promise<Download<FetchedPackage>> {
    const { store, engine } = this.#services
    const wake = (): void => engine.get(componentOf(this.#sort))?.enqueue({ name })
    const begin = async (signal: AbortSignal, callBack: () => void) => {
      const dockerConfigs = await pullSecrets(this.#services.client, spec.packagePullSecrets ?? [])
      const onProgress = (message: string): void => {
        if (signal.aborted) return
        this.#progress.set(name, message)
        callBack()
      }
      return store.fetch(spec.package, { signal, dockerConfigs, offline: spec.packagePullPolicy === 'Never', onProgress })
    }
    return this.#downloads.ask(name, spec.package, begin, wake)
  }

  async #unpackingFailed(given: PackageObject, error: unknown, context: ReconcileContext<PackageObject>): Promise<Result> {
    const message = `${messageOf(error)}${given.status?.currentRevision === undefined ? '' : `; ${given.status.currentRevision} stays in effect`}`
    this.#events.warning(given, 'UnpackPackage', message)
    await this.#report(given, [unpacking(message)], context)
    const hopeless =
      (error instanceof PackageRefusal && !error.retry) || (error instanceof PackageError && !error.retryable && !mayAppear(error))
    if (hopeless && given.spec.packagePullPolicy !== 'Always') return done
    // The condition says why; the queue decides when to try again.
    throw error
  }

  async #ensureRevision(
    given: PackageObject,
    digest: string,
    revisions: readonly RevisionObject[],
    client: Client,
  ): Promise<RevisionObject> {
    const name = revisionName(given.metadata.name ?? '', digest)
    const highest = maximum(revisions)
    const existing = revisions.find(({ metadata }) => metadata.name === name)
    const automatic = given.spec.revisionActivationPolicy !== 'Manual'
    if (existing === undefined) {
      const revision = revisionOf(given, { sort: this.#sort, name, digest, number: highest + 1, active: automatic })
      try {
        const created = await client.create(revision)
        this.#events.normal(given, 'InstallPackageRevision', `created revision ${name} of ${given.spec.package}`)
        return created
      } catch (error) {
        if (!hasReason(error, 'AlreadyExists')) throw error
        return client.get(this.#sort.revisionKind, { name })
      }
    }
    const number = existing.spec.revision < highest ? highest + 1 : existing.spec.revision
    const next: RevisionObject = {
      ...existing,
      spec: {
        ...existing.spec,
        ...sharedSpec(given),
        image: given.spec.package,
        revision: number,
        desiredState: automatic ? 'Active' : existing.spec.desiredState,
      },
    }
    return number === existing.spec.revision &&
      next.spec.desiredState === existing.spec.desiredState &&
      next.spec.image === existing.spec.image
      ? existing
      : client.update(next)
  }

  /** The wanted revision is known: the others step back when it has taken over, and the package says how things are. */
  async #settle(
    given: PackageObject,
    current: RevisionObject,
    revisions: readonly RevisionObject[],
    context: ReconcileContext<PackageObject>,
    found: Readonly<Record<string, unknown>> = {},
  ): Promise<Result> {
    const { client } = context
    const name = current.metadata.name ?? ''
    const automatic = given.spec.revisionActivationPolicy !== 'Manual'
    const wanted = await this.#keepInStep(given, current, client)
    const others = revisions.filter(({ metadata }) => metadata.name !== name)
    const inEffect = others.filter(isActiveRevision)
    const tookOver = isActiveRevision(wanted) && currentCondition(wanted, 'RevisionHealthy')?.status === 'True'
    if (automatic && tookOver)
      for (const other of inEffect) await client.update({ ...other, spec: { ...other.spec, desiredState: 'Inactive' as const } })
    await this.#collectHistory(given, others, client)
    await this.#report(given, [installation(wanted, inEffect, given), health(wanted, automatic && !tookOver ? inEffect : [])], context, {
      currentRevision: name,
      currentIdentifier: given.spec.package,
      ...found,
    })
    return given.spec.packagePullPolicy === 'Always' ? requeueAfter(PULL_EVERY_MS) : done
  }

  /** What is changed on the package counts for the revision that it wants. */
  async #keepInStep(given: PackageObject, current: RevisionObject, client: Client): Promise<RevisionObject> {
    const automatic = given.spec.revisionActivationPolicy !== 'Manual'
    // What the package no longer says is taken back.
    const {
      commonLabels: _labels,
      commonAnnotations: _annotations,
      runtimeConfigRef: _config,
      packagePullSecrets: _pull,
      ...own
    } = current.spec
    const spec = { ...own, ...sharedSpec(given), ...(automatic && { desiredState: 'Active' as const }) }
    const same = deepEqual(spec, current.spec)
    return same ? current : client.update({ ...current, spec })
  }

  async #collectHistory({ spec }: PackageObject, others: readonly RevisionObject[], client: Client): Promise<void> {
    const limit = spec.revisionHistoryLimit ?? DEFAULT_HISTORY
    if (limit === 0) return
    const old = others.filter((revision) => revision.spec.desiredState === 'Inactive').toSorted((a, b) => b.spec.revision - a.spec.revision)
    const superfluous = old.slice(limit)
    for (const revision of superfluous) await deleteLive(client, this.#sort.revisionKind, revision)
    if (superfluous.length > 0) await forgetPackages(client, this.#services.store)
  }

  async #report(
    given: PackageObject,
    conditions: readonly Condition[],
    { client }: ReconcileContext<PackageObject>,
    fields: Readonly<Record<string, unknown>> = {},
  ): Promise<void> {
    await writeLiveStatus(client, given, { conditions, fields, nowMs: this.#services.clock.now() })
  }
}

/** What the package asks for now was installed before Weft came, by Crossplane: its code runs where it ran. */
const isKeptElsewhere = ({ spec, status }: PackageObject, revisions: readonly RevisionObject[]): boolean =>
  status?.currentIdentifier === spec.package &&
  revisions.some((revision) => revision.metadata.name === status.currentRevision && isMadeElsewhere(revision))

/** A condition that was written in knowledge of the revision as it is. */
function currentCondition(revision: RevisionObject, type: string): Condition | undefined {
  const found = conditionOf(revision, type)
  return found?.observedGeneration === revision.metadata.generation ? found : undefined
}

const maximum = (revisions: readonly RevisionObject[]): number => Math.max(0, ...revisions.map(({ spec }) => spec.revision))

/** Nobody announces that a file or a tag has come into being. */
const mayAppear = ({ code }: PackageError): boolean => code === 'NotFound' || code === 'Unauthorized' || code === 'SignatureInvalid'

function sharedSpec({ spec }: PackageObject): Partial<RevisionObject['spec']> {
  const { packagePullPolicy, packagePullSecrets, skipDependencyResolution, ignoreCrossplaneConstraints, runtimeConfigRef } = spec
  const { commonLabels, commonAnnotations } = spec
  return {
    ...(packagePullPolicy !== undefined && { packagePullPolicy }),
    ...(packagePullSecrets !== undefined && { packagePullSecrets }),
    ...(skipDependencyResolution !== undefined && { skipDependencyResolution }),
    ...(ignoreCrossplaneConstraints !== undefined && { ignoreCrossplaneConstraints }),
    ...(commonLabels !== undefined && { commonLabels }),
    ...(commonAnnotations !== undefined && { commonAnnotations }),
    ...(runtimeConfigRef !== undefined && { runtimeConfigRef }),
  }
}

function revisionOf(
  given: PackageObject,
  { sort, name, digest, number, active }: { sort: PackageSort; name: string; digest: string; number: number; active: boolean },
): RevisionObject {
  return {
    apiVersion: formatGroupVersion(sort.revisionKind),
    kind: sort.revisionKind.kind,
    metadata: { name, labels: { [PACKAGE_LABEL]: given.metadata.name ?? '' }, ownerReferences: [controllerReference(given)] },
    spec: { ...sharedSpec(given), image: given.spec.package, digest, desiredState: active ? 'Active' : 'Inactive', revision: number },
  }
}

const unpacking = (message: string): Condition => ({
  type: 'Installed',
  status: 'False',
  reason: 'UnpackingPackage',
  message,
})

function installation(current: RevisionObject, inEffect: readonly KubeObject[], { spec }: PackageObject): Condition {
  const name = current.metadata.name ?? ''
  const taken = currentCondition(current, 'RevisionHealthy')
  if (inEffect.length > 0 || (isActiveRevision(current) && taken?.status === 'True'))
    return { type: 'Installed', status: 'True', reason: 'ActivePackageRevision' }
  if (isActiveRevision(current))
    return {
      type: 'Installed',
      status: taken === undefined ? 'Unknown' : 'False',
      reason: taken === undefined ? 'InstallingPackageRevision' : 'RefusedPackageRevision',
      message: taken?.message ?? `revision ${name} is being installed`,
    }
  const how = spec.revisionActivationPolicy === 'Manual' ? `: set spec.desiredState of ${current.kind} ${name} to Active` : ''
  return { type: 'Installed', status: 'False', reason: 'InactivePackageRevision', message: `revision ${name} is not active${how}` }
}

function health(current: RevisionObject, before: readonly KubeObject[]): Condition {
  const found = currentCondition(current, 'Healthy')
  const stays = before.length === 0 ? '' : `; ${before.map(({ metadata }) => metadata.name).join(', ')} stays in effect`
  if (found?.status === 'True' && found.reason === AWAITING_ACTIVATION)
    return { type: 'Healthy', status: 'True', reason: AWAITING_ACTIVATION, ...(found.message !== undefined && { message: found.message }) }
  if (found?.status === 'True') return { type: 'Healthy', status: 'True', reason: 'HealthyPackageRevision' }
  if (found === undefined)
    return {
      type: 'Healthy',
      status: 'Unknown',
      reason: 'UnknownPackageRevisionHealth',
      message: `revision ${current.metadata.name ?? ''} is being installed${stays}`,
    }
  return {
    type: 'Healthy',
    status: found.status,
    reason: 'UnhealthyPackageRevision',
    message: `revision ${current.metadata.name ?? ''}: ${found.message ?? found.reason ?? 'is not healthy'}${stays}`,
  }
}

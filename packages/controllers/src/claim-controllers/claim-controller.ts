import { formatGroupKind, type GroupKind, isPaused, type KubeObject } from '@weft/api'
import { NoMatchError } from '@weft/client'
import { conditionOf } from '@weft/composition'
import { type ControllerSpec, done, type Request, requeueAfter, type Result } from '@weft/runtime'
import { BindingError, type BindingErrorCode } from '../binding/binding-error.ts'
import { binding, deleting, notSynced, synced, waiting } from '../binding/conditions.ts'
import { CLAIM_FINALIZER, hasFinalizer, isDeleted, withoutFinalizer } from '../binding/finalizers.ts'
import { sameKind } from '../bindings-table/well-known.ts'
import { untilServed } from '../definition/until-served.ts'
import { AGGREGATES, COMPOSITES } from '../group/group-kind.ts'
import { bindGroup } from '../group/group-binder.ts'
import { releaseGroup } from '../group/release-group.ts'
import { isDecided } from '../claim/wish.ts'
import { bindDirect } from '../claim/direct-binder.ts'
import { claimWatches } from './claim-watches.ts'
import { explainUndecided } from '../selection/explain.ts'
import { heldBy, holdingsOf, withHoldings } from '../claim/holdings.ts'
import { CLAIM_INDEXES } from '../claim/indexes.ts'
import { explainUnserved } from './explain-unserved.ts'
import { releaseDirect } from '../claim/release-direct.ts'
import { directTemplate } from './name-at-once.ts'
import { routeOf } from './route.ts'
import { kindOf } from '../claim/served-kinds.ts'
import type { ClaimServices, ClaimTask, Progress } from '../claim/services.ts'
import { tellFailure } from '../claim/tell-failure.ts'
import { sayingUnbound, writeStatus } from '../claim/write-claim.ts'

export interface ClaimControllerOptions {
  readonly services: ClaimServices
  readonly kind: GroupKind
  /** How long schedulers get before a claim that nobody decided about is told so. */
  readonly patienceMs: number
}

export const claimControllerName = (kind: GroupKind): string => `claim/${formatGroupKind(kind)}`

const RETRY_MS = 30_000
/** In case a change was missed; what is settled has less to miss. */
const LOOK_AGAIN_MS = 60_000
const SETTLED_MS = 600_000

/**
 * Binds claims of one kind once somebody has decided about them (S14), and tells the others why nobody has. What is in the way of a claim stands in its
 * conditions and in an event, in one sentence.
 */
export function claimController({ services, kind, patienceMs }: ClaimControllerOptions): ControllerSpec {
  return {
    name: claimControllerName(kind),
    kind,
    indexes: CLAIM_INDEXES,
    ...claimWatches(services, kind),
    concurrency: 16,
    async reconcile(request, { client, primary, follow }) {
      const task: ClaimTask = { ...services, client }
      await releaseFormer(task, kind, request)
      const claim = primary.get(request)
      if (claim === undefined || isPaused(claim)) return done
      try {
        const result = await advance(task, claim, patienceMs)
        follow([])
        return result
      } catch (error) {
        // A kind that is not there holds it up until it comes.
        follow(error instanceof NoMatchError ? [untilServed([{ group: error.group, kind: error.kind }])] : [])
        return await report(task, claim, error)
      }
    },
  }
}

async function advance(task: ClaimTask, claim: KubeObject, patienceMs: number): Promise<Result> {
  if (isDeleted(claim)) return release(task, claim)
  const whole = await withHoldings(task, claim)
  return isDecided(whole) ? bind(task, whole) : explain(task, whole, patienceMs)
}

async function bind(task: ClaimTask, claim: KubeObject): Promise<Result> {
  const route = routeOf(claim, task.table())
  switch (route.binder) {
    case 'none':
      await tell(task, claim, 'NothingResponsible', route.why)
      return done
    case 'aggregate':
      return next(await bindGroup(task, claim, AGGREGATES))
    case 'composite':
      return next(await bindGroup(task, claim, COMPOSITES))
    default:
      return next(await bindDirect(task, claim, () => directTemplate(task, claim, route)))
  }
}

const next = (progress: Progress): Result =>
  progress === 'ignored' ? done : requeueAfter(progress === 'settled' ? SETTLED_MS : LOOK_AGAIN_MS)

async function release(task: ClaimTask, claim: KubeObject): Promise<Result> {
  if (!hasFinalizer(claim, CLAIM_FINALIZER)) return done
  await letGo(task, claim, await holdingsOf(task, claim))
  const told = claim.metadata.finalizers?.length === 1 ? claim : await writeStatus(task, claim, { conditions: [deleting()] })
  await task.client.update(withoutFinalizer(told, CLAIM_FINALIZER))
  return done
}

async function letGo(task: ClaimTask, claim: KubeObject, held: readonly KubeObject[]): Promise<void> {
  for (const object of held) {
    const adapter = [AGGREGATES, COMPOSITES].find(({ gvk }) => sameKind(gvk, kindOf(object)))
    await (adapter === undefined ? releaseDirect(task, claim, object) : releaseGroup(task, claim, object, adapter))
  }
}

/** What claims of this name left behind that went without us, or before it was known. A namesake gets its own. */
async function releaseFormer(task: ClaimTask, kind: GroupKind, { namespace, name }: Request): Promise<void> {
  for (const former of task.gone.named(kind, { namespace, name }))
    if (heldBy(task, former.metadata.uid).some((object) => !isDeleted(object))) await letGo(task, former, await holdingsOf(task, former))
}

async function explain(task: ClaimTask, claim: KubeObject, patienceMs: number): Promise<Result> {
  const age = task.clock.now() - Date.parse(claim.metadata.creationTimestamp ?? '')
  if (age < patienceMs) return requeueAfter(Math.max(1, patienceMs - age))
  const why = explainUndecided(task, claim)
  if (why !== undefined) await tell(task, claim, 'NoResourceClass', why)
  return done
}

/** It waits for somebody else; that is not an error of the claim (S9). */
async function tell(task: ClaimTask, claim: KubeObject, reason: string, message: string): Promise<void> {
  const said = conditionOf(claim, 'Ready')?.message === message
  await writeStatus(task, claim, { conditions: [waiting(message)], fields: sayingUnbound(claim) })
  if (!said) task.events.warning(claim, reason, message)
}

const EVENTS: Readonly<Record<BindingErrorCode, string>> = {
  Refused: 'CannotBindManagedResource',
  ClassNotFound: 'CannotGetResourceClass',
  ClassUnusable: 'CannotUseResourceClass',
  ResourceNotFound: 'ManagedResourceNotFound',
  KindNotActive: 'KindNotActive',
  SecretRefused: 'CannotPropagateConnectionDetails',
  Rejected: 'CannotCreateManagedResource',
}

async function report(task: ClaimTask, claim: KubeObject, thrown: unknown): Promise<Result> {
  const error = thrown instanceof NoMatchError ? explainUnserved(task, thrown) : thrown
  if (!(error instanceof BindingError)) {
    await tellFailure(task, claim, error)
    throw thrown
  }
  // The claim may have been written since it was read.
  const { name = '', namespace } = claim.metadata
  const current = await task.client.find({ group: claim.apiVersion.split('/')[0] ?? '', kind: claim.kind }, { name, namespace })
  if (current === undefined) return done
  const isWaiting = error.code === 'ResourceNotFound'
  const conditions = isWaiting ? [binding(error.message), synced()] : [waiting(error.message), notSynced(error.message)]
  const said = conditions.every(({ type, message }) => conditionOf(current, type)?.message === message)
  await writeStatus(task, current, { conditions, fields: sayingUnbound(current) })
  if (!said) task.events.warning(claim, EVENTS[error.code], error.message)
  return requeueAfter(RETRY_MS)
}

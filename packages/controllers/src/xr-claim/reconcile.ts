import {
  deepEqual,
  formatGroupVersion,
  formatTime,
  getOwn,
  hasReason,
  isJsonObject,
  isPaused,
  type KubeObject,
  messageOf,
  parseGroupVersion,
  specOf,
} from '@weft/api'
import type { Clock, Random } from '@weft/client'
import { conditionOf } from '@weft/composition'
import { done, type EventRecorder, type ReconcileContext, type Request, type Result, TerminalError } from '@weft/runtime'
import { available, deleting, notSynced, synced, waiting } from '../binding/conditions.ts'
import { withFinalizer, withoutFinalizer } from '../binding/finalizers.ts'
import { deleteLive, findLive, refOf } from '../binding/live-object.ts'
import { holding, newReference } from '../binding/naming.ts'
import type { MemberApplier } from '../composite/apply-member.ts'
import { readConnection, writeConnection } from '../connection/secret.ts'
import { DEFINITION_FINALIZER, type DefinedKind } from '../definition/definition.ts'
import { about, paused, report, saying, withConditions } from '../xr/conditions.ts'
import { nameOf } from '../xr/machinery.ts'
import { claimShowing, type ClaimTerms, compositeFor, sharedConditions, statusFrom } from './synchronise.ts'
import { CORE_MANAGER } from '../definition/core-manager.ts'

const CLAIM_MANAGER = 'apiextensions.crossplane.io/claim'
const NAME_TRIES = 10

export interface XrClaimReconcilerOptions {
  readonly kind: DefinedKind
  readonly xrKind: DefinedKind
  readonly terms: () => ClaimTerms
  readonly events: EventRecorder
  readonly applier: MemberApplier
  readonly clock: Clock
  readonly random: Random
}

/**
 * Keeps a claim and its composite resource in step (K93–K101). Outcomes:
 *
 * - bound: Synced=True; Ready when the composite is, and the connection secret was copied. A change of either calls again.
 * - the composite is bound to another claim: Synced=False, and not again before something changes.
 * - anything else that fails: Synced=False with the reason, and again after a growing delay.
 * - deleted: the composite goes too; Foreground waits for it.
 */
export class XrClaimReconciler {
  readonly #options: XrClaimReconcilerOptions

  constructor(options: XrClaimReconcilerOptions) {
    this.#options = options
  }

  async reconcile(request: Request, context: ReconcileContext): Promise<Result> {
    const { kind, clock, events } = this.#options
    const claim = await context.client.find(kind, request)
    if (claim === undefined) {
      this.#options.applier.forget(request)
      return done
    }
    if (isPaused(claim)) {
      events.normal(claim, 'ReconciliationPaused', 'Reconciliation is paused via the pause annotation')
      await report(context.client, claim, saying(claim, clock.now(), paused()))
      return done
    }
    try {
      return claim.metadata.deletionTimestamp === undefined ? await this.#bind(claim, context) : await this.#release(claim, context)
    } catch (error) {
      if (context.signal.aborted || hasReason(error, 'Conflict')) throw error
      const message = messageOf(error)
      events.warning(claim, 'BindCompositeResource', message)
      const now = await context.client.find(kind, request)
      if (now !== undefined) await report(context.client, now, saying(now, clock.now(), notSynced(message)))
      throw error
    }
  }

  async #bind(given: KubeObject, context: ReconcileContext): Promise<Result> {
    const { xrKind, applier, events, clock } = this.#options
    const { client } = context
    const terms = this.#options.terms()
    // K94: the name is written before what it names is made.
    const claim = await this.#named(given, context)
    const name = resourceName(claim) ?? ''
    const existing = await client.find(xrKind, { name })
    if (existing !== undefined) mustBeFree(existing, claim)
    const xrType = { apiVersion: formatGroupVersion(xrKind), kind: xrKind.kind }
    const desired = compositeFor(claim, name, existing, terms, xrType)
    const place = { client, kind: xrKind, cache: undefined }
    const { object: xr } = await applier.apply(place, desired, claim, existing, { fieldManager: CLAIM_MANAGER, takesOver: true })
    if (existing === undefined) events.normal(claim, 'BindCompositeResource', 'Successfully bound composite resource')
    const showing = claimShowing(claim, xr, terms)
    const current =
      deepEqual(showing.metadata, claim.metadata) && deepEqual(showing['spec'], claim['spec'])
        ? claim
        : await client.update(showing, { fieldManager: CORE_MANAGER })
    const isReady = conditionOf(xr, 'Ready')?.status === 'True'
    const propagated = isReady && (await this.#propagate(current, xr, context))
    let told: KubeObject = { ...current, status: { ...statusFrom(current, xr), ...(propagated && published(clock.now())) } }
    const ready = isReady ? available() : waiting('Claim is waiting for composite resource to become Ready')
    told = withConditions(told, [...about(told, synced(), ready), ...sharedConditions(xr)], clock.now())
    await report(context.client, current, told)
    return done
  }

  async #named(claim: KubeObject, { client }: ReconcileContext): Promise<KubeObject> {
    const { xrKind, random } = this.#options
    const finalizer = DEFINITION_FINALIZER
    const marked = withFinalizer(claim, finalizer)
    if (resourceName(claim) !== undefined) return marked === claim ? claim : client.update(marked, { fieldManager: CORE_MANAGER })
    const type = { apiVersion: formatGroupVersion(xrKind), kind: xrKind.kind }
    for (let tries = 0; tries < NAME_TRIES; tries++) {
      const resourceRef = newReference(type, { prefix: `${claim.metadata.name ?? ''}-`, random })
      // Its composite is applied, not created: a name that somebody has must be seen before.
      if ((await client.find(xrKind, resourceRef)) === undefined)
        return client.update(holding(claim, { place: 'spec', finalizer, resourceRef }), { fieldManager: CORE_MANAGER })
    }
    throw new Error('cannot find a name for the composite resource: all that were tried are taken')
  }

  /** K99: a copy of what the composite published, controlled by the claim. Answers whether it was written. */
  async #propagate(claim: KubeObject, xr: KubeObject, { client }: ReconcileContext): Promise<boolean> {
    const name = nameOf(getOwn(specOf(claim), 'writeConnectionSecretToRef'))
    const ref = getOwn(specOf(xr), 'writeConnectionSecretToRef')
    if (name === undefined || !isJsonObject(ref)) return false
    const secret = await readConnection(client, xr)
    if (secret === undefined) return false
    const address = { name, namespace: claim.metadata.namespace ?? '' }
    const wrote = await writeConnection(client, { owner: claim, address, data: secret.data ?? {}, exact: true, fieldManager: CORE_MANAGER })
    if (wrote) {
      const message = 'Successfully propagated connection details from composite resource'
      this.#options.events.normal(claim, 'PropagateConnectionSecret', message)
    }
    return wrote
  }

  /** K100. */
  async #release(claim: KubeObject, context: ReconcileContext): Promise<Result> {
    const { xrKind, events, clock } = this.#options
    const { client } = context
    const name = resourceName(claim)
    // A kind that went with its definition took its objects along: nothing is left to wait for.
    const found = name === undefined ? undefined : await findLive(client, xrKind, { name })
    // One that was never bound to this claim is not deleted with it.
    const xr = found !== undefined && isBound(found) ? found : undefined
    const isForeground = getOwn(specOf(claim), 'compositeDeletePolicy') === 'Foreground'
    if (xr !== undefined) {
      mustBeFree(xr, claim)
      if (xr.metadata.deletionTimestamp === undefined)
        await deleteLive(client, xrKind, xr, { propagationPolicy: isForeground ? 'Foreground' : 'Background' })
      events.normal(claim, 'DeleteCompositeResource', 'Successfully requested deletion of composite resource')
      if (isForeground) {
        await report(context.client, claim, saying(claim, clock.now(), deleting(), synced()))
        return done
      }
    }
    this.#options.applier.forget(refOf(claim))
    const released = withoutFinalizer(claim, DEFINITION_FINALIZER)
    if (released !== claim) await client.update(released, { fieldManager: CORE_MANAGER })
    return done
  }
}

const published = (nowMs: number): object => ({
  connectionDetails: { lastPublishedTime: formatTime(nowMs) },
})

function resourceName(claim: KubeObject): string | undefined {
  const spec = specOf(claim)
  return nameOf(getOwn(spec, 'resourceRef'))
}

const isBound = (xr: KubeObject): boolean => isJsonObject(getOwn(specOf(xr), 'claimRef'))

const groupOf = (apiVersion: unknown): string => parseGroupVersion(String(apiVersion)).group

/** K95: a composite has one claim. Whose it is, is nobody else's business. */
function mustBeFree(xr: KubeObject, { metadata: { name, namespace }, apiVersion, kind }: KubeObject): void {
  const spec = specOf(xr)
  const ref = getOwn(spec, 'claimRef')
  if (!isJsonObject(ref)) return
  if (ref['name'] === name && ref['namespace'] === namespace && ref['kind'] === kind && groupOf(ref['apiVersion']) === groupOf(apiVersion))
    return
  throw new TerminalError(
    `refusing to operate on composite resource "${xr.metadata.name ?? ''}" that is not bound to this claim: it is bound to another one`,
  )
}

import { formatGroupKind, type GroupKind, hasReason, type KubeObject } from '@weft/api'
import { cacheKey, type Client } from '@weft/client'
import { type ControllerSpec, done, requestFor, requeueAfter, type Result } from '@weft/runtime'
import { referenceTo } from '../binding/claimant.ts'
import { isDeleted } from '../binding/finalizers.ts'
import { withSpec } from '../binding/spec-reference.ts'
import type { ClassTuple } from '../bindings-table/table.ts'
import { heldBy } from '../claim/holdings.ts'
import { AGGREGATE_CLASS, sameKind } from '../bindings-table/well-known.ts'
import { BY_WISH, CLAIM_INDEXES } from '../claim/indexes.ts'
import type { ClaimServices, ClaimTask } from '../claim/services.ts'
import { tellFailure } from '../claim/tell-failure.ts'
import { candidatesOf } from './candidates.ts'
import { pick } from './pick.ts'
import { wishOf } from '../claim/wish.ts'

/** A scheduler serves claims with a selector, a defaulter claims that say nothing. */
export type ChooserMode = 'selector' | 'default'

export interface ChooserOptions {
  readonly services: ClaimServices
  readonly tuple: ClassTuple
  readonly mode: ChooserMode
  readonly jitterMs: number
  /** The claim, with its class, named as well, where nothing is in the way of that. */
  readonly name: (task: ClaimTask, claim: KubeObject) => Promise<KubeObject | undefined>
}

/** S11: nothing fits now; classes that come wake the claim, this is only in case one was missed. */
const LOOK_AGAIN_MS = 30_000
const NOT_IN_MEMORY_MS = 100

interface Choice {
  readonly chosen: KubeObject
  /** What the choice was made for: another version of the claim is chosen for anew. */
  readonly resourceVersion: string | undefined
  readonly dueAt: number
}

export const chooserName = ({ claim, class: classKind }: ClassTuple, mode: ChooserMode): string =>
  `${mode === 'selector' ? 'claimscheduling' : 'claimdefaulting'}/${formatGroupKind(claim)}/${formatGroupKind(classKind)}`

/**
 * S10, S11, S15: gives claims of one kind a class of one kind, and races with all others that do the same for other kinds. In order: list own kind, pick one at
 * random, hold the choice back for a random time (in the queue: no worker waits), write it against the version that was read. Losing is fine, and says
 * nothing. Decides once: a claim that has a reference is never touched (S13, S16).
 *
 * Where nobody races, what will be made from the class is named by the same write. Others would lose their chance while that is made out.
 */
export function classChooser({ services, tuple, mode, jitterMs, name }: ChooserOptions): ControllerSpec {
  const { clock, random, events } = services
  const choices = new Map<string, Choice>()
  const reason = mode === 'selector' ? 'SelectedResourceClass' : 'DefaultResourceClass'
  const how = mode === 'selector' ? 'selected by its labels' : 'the default class'

  /** What an aggregate class stands for is a matter of other classes. */
  const decidesAmong = (kind: GroupKind): boolean =>
    sameKind(kind, tuple.class) || (sameKind(tuple.class, AGGREGATE_CLASS) && services.table().isClass(kind))

  const isAlone = (claim: KubeObject): boolean =>
    services
      .table()
      .tuples.filter(
        (other) => sameKind(other.claim, tuple.claim) && !sameKind(other.class, tuple.class) && services.served.has(other.class),
      )
      .every((other) => candidatesOf(services, other, wishOf(claim))?.length === 0)

  const write = async (client: Client, claim: KubeObject, chosen: KubeObject): Promise<Result> => {
    const decided = withSpec(claim, { classRef: referenceTo(chosen) })
    const named = isAlone(claim) ? await name({ ...services, client }, decided) : undefined
    const message = `Chose ${chosen.kind} ${chosen.metadata.name ?? ''}`
    // Before it is written: whoever acts on it may see it before we do.
    if (named !== undefined) services.justChosen.add(claim, { reason, message, how })
    try {
      await client.update(named ?? decided)
    } catch (error) {
      services.justChosen.take(claim)
      // Somebody else decided, or changed the claim; in that case the change brings it back here.
      if (hasReason(error, 'Conflict') || hasReason(error, 'NotFound')) return done
      await tellFailure({ ...services, client }, claim, error, 'CannotChooseResourceClass')
      throw error
    }
    if (named === undefined) events.normal(claim, reason, message)
    return done
  }
  const choose = (key: string, claim: KubeObject, held: Choice | undefined): Choice | Result => {
    const candidates = candidatesOf(services, tuple, wishOf(claim))
    if (candidates === undefined) return requeueAfter(NOT_IN_MEMORY_MS)
    const picked = pick(candidates, { random, jitterMs })
    if (picked === undefined) {
      choices.delete(key)
      return requeueAfter(LOOK_AGAIN_MS)
    }
    // A claim that is edited while it waits does not lose its place.
    const dueAt = held?.dueAt ?? clock.now() + picked.delayMs
    return { chosen: picked.chosen, resourceVersion: claim.metadata.resourceVersion, dueAt }
  }
  return {
    name: chooserName(tuple, mode),
    kind: tuple.claim,
    indexes: CLAIM_INDEXES,
    predicate: ({ type, object }) => choices.has(keyOf(object)) || (type !== 'deleted' && wishOf(object).type === mode),
    shares: [
      {
        from: services.watches,
        map: (_change, claims, kind) => (decidesAmong(kind) ? claims.byIndex(BY_WISH, mode).map(requestFor) : []),
      },
    ],
    async reconcile(request, { client, primary }) {
      const key = cacheKey(request.namespace, request.name)
      const claim = primary.get(request)
      // One that has something already lost its reference, and gets that back.
      if (claim === undefined || isDeleted(claim) || wishOf(claim).type !== mode || heldBy(services, claim.metadata.uid).length > 0) {
        choices.delete(key)
        return done
      }
      const held = choices.get(key)
      const fresh = held !== undefined && held.resourceVersion === claim.metadata.resourceVersion
      const choice = fresh ? held : choose(key, claim, held)
      if ('type' in choice) return choice
      const wait = choice.dueAt - clock.now()
      if (wait > 0) {
        choices.set(key, choice)
        return requeueAfter(wait)
      }
      choices.delete(key)
      return write(client, claim, choice.chosen)
    },
  }
}

const keyOf = ({ metadata }: KubeObject): string => cacheKey(metadata.namespace, metadata.name ?? '')

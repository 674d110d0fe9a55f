import { deepEqual, type GroupKind, hasReason, isOfWeft, type KubeObject } from '@weft/api'
import {
  type Change,
  type Client,
  type Clock,
  type CustomResourceDefinition,
  customResourceDefinitionKind,
  type InformerState,
  type SharedInformers,
  systemClock,
} from '@weft/client'
import { type ControllerSpec, done, type Request, requeueAfter, watch, type WatchSpec } from '@weft/runtime'
import { isProblem, readRow } from '../bindings-table/row.ts'
import { flexibleClaimOf } from '../bindings-table/table.ts'
import { BINDING_DEFINITION, COMPOSITE_CLASS, kindOnly, RESOURCE_CLASS } from '../bindings-table/well-known.ts'
import { recordedClaimKinds } from '../claim/claim-kind-record.ts'
import { bringsRights, rolesForKinds } from './kind-rules.ts'
import { AUDIENCES, type ClusterRole, clusterRoleKind, kindsRoleName } from './roles.ts'

const AT_MOST_EVERY_MS = 1_000
const NUDGES = 10

const isDenied = (state: InformerState): boolean => state.phase === 'waiting' && state.problem === 'denied'

/** All changes lead to one request: the roles are made from everything at once. */
const EVERYTHING: readonly Request[] = [{ name: 'kinds' }]

/**
 * Keeps the rights for kinds in step with the kinds: when one appears, Weft may reconcile it and each audience may do
 * what it does with kinds like that; when it goes, so do the rights. Puts right what somebody else changed.
 */
export function rbacController(
  informers: Pick<SharedInformers, 'running'>,
  clock: Pick<Clock, 'now'> = systemClock,
): ControllerSpec<CustomResourceDefinition> {
  /** How often watches that were denied are still told to try again: servers take a moment to heed new roles. */
  let nudges = 0
  let writtenAt = Number.NEGATIVE_INFINITY
  const toEverything = { map: () => EVERYTHING }
  const watches: readonly WatchSpec<KubeObject, CustomResourceDefinition>[] = [
    ...[BINDING_DEFINITION, RESOURCE_CLASS, COMPOSITE_CLASS].map((kind) => ({ kind: kindOnly(kind), ...toEverything })),
    watch({ kind: clusterRoleKind, predicate: isOurs, ...toEverything }),
    watch({ kind: customResourceDefinitionKind, predicate: matters, ...toEverything }),
  ]
  return {
    name: 'rbac',
    kind: customResourceDefinitionKind,
    // Its own requests come from the watches: one for all definitions, not one for each.
    predicate: () => false,
    watches,
    concurrency: 1,
    backoff: { baseMs: 50, maxMs: 30_000 },
    async reconcile(_request, { client, primary, cached }) {
      // Packages bring kinds by the hundred: their rights are written together.
      const early = writtenAt + AT_MOST_EVERY_MS - clock.now()
      if (early > 0) return requeueAfter(early)
      const rows = cached(kindOnly(BINDING_DEFINITION)).list().map(readRow)
      const classes = [RESOURCE_CLASS, COMPOSITE_CLASS].flatMap((kind) => cached(kindOnly(kind)).list())
      const claims: GroupKind[] = [
        ...rows.flatMap((row) => (isProblem(row) ? [] : [row.claim])),
        ...classes.flatMap((object) => flexibleClaimOf(object) ?? []),
        // Those whose last class has gone may still be held by us, and their authors may still want them gone.
        ...(await recordedClaimKinds(client)),
      ]
      if (await applyRoles(client, rolesForKinds(primary.list().filter(bringsRights), claims))) {
        writtenAt = clock.now()
        nudges = NUDGES
        return requeueAfter(AT_MOST_EVERY_MS)
      }
      const denied = informers.running().filter(({ informer }) => isDenied(informer.state))
      if (denied.length === 0 || nudges-- <= 0) return done
      for (const { informer } of denied) informer.retryNow()
      return requeueAfter(AT_MOST_EVERY_MS)
    },
  }
}

/** Writes those that are not there or say something else; answers whether there were any. Safe to run by several at once. */
export async function applyRoles(client: Client, roles: readonly ClusterRole[]): Promise<boolean> {
  let wrote = false
  for (const role of roles) {
    const { name = '' } = role.metadata
    const current = await client.find(clusterRoleKind, { name })
    if (current !== undefined && covers(current, role)) continue
    if (current !== undefined && !isOfWeft(current))
      throw new Error(`ClusterRole ${name} is not Weft's and is left unchanged: delete or rename it so that Weft can create its own`)
    wrote = true
    try {
      await client.apply(role, { fieldManager: 'weft-rbac', force: true })
    } catch (error) {
      // Somebody else wrote it in the same moment; their change comes as one more event.
      if (!hasReason(error, 'Conflict')) throw error
    }
  }
  return wrote
}

function covers(current: ClusterRole, wanted: ClusterRole): boolean {
  const labels = Object.entries(wanted.metadata.labels ?? {}).every(([key, value]) => current.metadata.labels?.[key] === value)
  if (!labels || !deepEqual(current['aggregationRule'] ?? {}, wanted['aggregationRule'] ?? {})) return false
  // What is aggregated is written by the server.
  return wanted['aggregationRule'] !== undefined || deepEqual(current.rules ?? [], wanted.rules ?? [])
}

const OURS: ReadonlySet<string> = new Set(AUDIENCES.map(kindsRoleName))

/** Of a definition's status it counts alone whether it is served. */
const matters = (change: Change<CustomResourceDefinition>): boolean =>
  change.type !== 'updated' ||
  bringsRights(change.object) !== bringsRights(change.previous) ||
  change.object.metadata.generation !== change.previous.metadata.generation ||
  change.object.metadata.deletionTimestamp !== change.previous.metadata.deletionTimestamp

const isOurs = ({ object }: Change): boolean => OURS.has(object.metadata.name ?? '')

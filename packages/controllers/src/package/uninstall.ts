import { formatGroupKind, hasReason, messageOf } from '@weft/api'
import { type Client, type CustomResourceDefinition, customResourceDefinitionKind, NoMatchError } from '@weft/client'
import { done, type EventRecorder, type ReconcileContext, requeueAfter, type Result } from '@weft/runtime'
import { parseGroupVersion } from '@weft/api'
import { withStatus } from '../binding/conditions.ts'
import { hasFinalizer, withoutFinalizer } from '../binding/finalizers.ts'
import { deleteLive } from '../binding/live-object.ts'
import { CONFIRM_ALL, CONFIRM_DELETION, confirmedCount } from '../definition/confirm-deletion.ts'
import { definedKind } from '../definition/custom-resource-definition.ts'
import { kindsDefinedBy } from './doomed-by-package.ts'
import {
  ALLOW_UNINSTALL,
  type ObjectReference,
  PACKAGE_FINALIZER,
  type PackageObject,
  type PackageSort,
  type RevisionObject,
} from './kinds.ts'
import { changeLock, dependentsOf, findLock } from './lock.ts'
import { forgetPackages } from './forget-packages.ts'
import { type PackageServices, runtimeOf } from './services.ts'

/** How often it is looked whether what is in the way has gone: any of hundreds of kinds may be. */
const CHECK_MS = 2_000
/** While what was deleted is on its way out. */
const DRAIN_CHECK_MS = 250
const NAMED = 3
const AT_ONCE = 8

interface Uninstalling {
  readonly sort: PackageSort
  readonly services: PackageServices
  readonly context: ReconcileContext<PackageObject>
  readonly events: EventRecorder
}

/**
 * Takes a package away: what it installed, then its code, then its revisions. It is held back, and everything goes on as before, while another
 * package needs it or while there are resources of its kinds: deleting those would delete what they stand for. Admission refuses to delete a
 * package in use; what it did not see waits here, and says so. `weft.dev/confirm-deletion: "<how many>"`, or for however many
 * `pkg.weft.dev/allow-uninstall: "true"`, says that they may go; then its code runs until the last of them is gone.
 */
export async function uninstall(given: PackageObject, revisions: readonly RevisionObject[], uninstalling: Uninstalling): Promise<Result> {
  if (!hasFinalizer(given, PACKAGE_FINALIZER)) return done
  const { context, services, sort } = uninstalling
  const { client } = context
  const refs = revisions.flatMap(({ status }) => status?.objectRefs ?? [])
  const names = new Set(revisions.map(({ metadata }) => metadata.name ?? ''))
  const obstacle = await obstacleTo(given, { refs, names, client })
  if (obstacle !== undefined) {
    await report(given, { reason: 'InUse', message: obstacle }, uninstalling)
    return requeueAfter(CHECK_MS)
  }
  let left: readonly string[]
  try {
    left = await removeObjects(refs, given, client)
  } catch (error) {
    // A guard of what it installed, such as a composition that composes something: said as what it is.
    if (!hasReason(error, 'Forbidden')) throw error
    await report(given, { reason: 'InUse', message: messageOf(error) }, uninstalling)
    return requeueAfter(CHECK_MS)
  }
  if (left.length > 0) {
    await report(
      given,
      { reason: 'Uninstalling', message: `${listed(left)} ${left.length === 1 ? 'is' : 'are'} being deleted` },
      uninstalling,
    )
    return requeueAfter(DRAIN_CHECK_MS)
  }
  await runtimeOf(sort, services).stop(given.metadata.name ?? '')
  await changeLock(client, (packages) => packages.filter(({ name }) => !names.has(name)))
  for (const name of names) await client.delete(sort.revisionKind, { name })
  const latest = await client.find(sort.kind, { name: given.metadata.name ?? '' })
  if (latest !== undefined && latest.metadata.uid === given.metadata.uid) await client.update(withoutFinalizer(latest, PACKAGE_FINALIZER))
  await forgetPackages(client, services.store)
  return done
}

const isAllowed = ({ metadata }: PackageObject): boolean => metadata.annotations?.[ALLOW_UNINSTALL] === 'true'

/** Why it must stay. Objects are not named: whoever sees packages need not see them. */
async function obstacleTo(
  given: PackageObject,
  { refs, names, client }: { refs: readonly ObjectReference[]; names: ReadonlySet<string>; client: Client },
): Promise<string | undefined> {
  const dependents = dependentsOf((await findLock(client))?.packages ?? [], names)
  if (dependents.length > 0) return `it is needed by ${listed(dependents)}: uninstall ${dependents.length === 1 ? 'that' : 'those'} first`
  if (isAllowed(given)) return undefined
  const used = await kindsInUse(refs, client)
  const total = used.reduce((sum, { count }) => sum + count, 0)
  if (total <= confirmedCount(given)) return undefined
  const what = listed(used.map(({ kind, count }) => `${count} of ${kind}`))
  const [them, all] = total === 1 ? ['it', 'it'] : ['them', `all ${total}`]
  return `its deletion waits while it is in use, and then continues by itself: there ${total === 1 ? 'is' : 'are'} still ${what}. Delete ${them}, or annotate the package with ${CONFIRM_DELETION}=${total} to have ${all} deleted with it`
}

interface Use {
  /** `Nop.nop.example.org` */
  readonly kind: string
  readonly count: number
}

/** Kinds that the package defined, directly or through a definition, and of which there are objects. */
async function kindsInUse(refs: readonly ObjectReference[], client: Client): Promise<readonly Use[]> {
  const own = new Set(refs.map(({ uid }) => uid).filter((uid) => uid !== undefined))
  const { items } = await client.list(customResourceDefinitionKind)
  const defined = kindsDefinedBy(own, items)
  const used: Use[] = []
  for (let i = 0; i < defined.length; i += AT_ONCE)
    used.push(...(await Promise.all(defined.slice(i, i + AT_ONCE).map((crd) => usage(crd, client)))).filter((each) => each !== undefined))
  return used
}

async function usage(crd: CustomResourceDefinition, client: Client): Promise<Use | undefined> {
  const kind = definedKind(crd)
  try {
    const { items, metadata } = await client.list(kind, { limit: 1 })
    if (items.length === 0) return undefined
    const isAll = metadata.continue === undefined || metadata.continue === ''
    // A server need not say how many follow.
    const others = metadata.remainingItemCount ?? (isAll ? 0 : (await client.list(kind)).items.length - 1)
    return { kind: formatGroupKind(kind), count: 1 + others }
  } catch (error) {
    // Not served: so there are none.
    if (error instanceof NoMatchError || hasReason(error, 'NotFound')) return undefined
    throw error
  }
}

/** Deletes what the package installed, and answers what is still there. What somebody else has taken over meanwhile is not touched. */
async function removeObjects(refs: readonly ObjectReference[], given: PackageObject, client: Client): Promise<readonly string[]> {
  const unique = [...new Map(refs.map((ref) => [`${ref.apiVersion}/${ref.kind}/${ref.name}`, ref])).values()]
  const left: string[] = []
  for (let i = 0; i < unique.length; i += AT_ONCE)
    left.push(
      ...(await Promise.all(unique.slice(i, i + AT_ONCE).map((ref) => remove(ref, given, client)))).filter((each) => each !== undefined),
    )
  return left
}

async function remove(ref: ObjectReference, given: PackageObject, client: Client): Promise<string | undefined> {
  const kind = { ...parseGroupVersion(ref.apiVersion), kind: ref.kind }
  try {
    const live = await client.find(kind, { name: ref.name })
    if (live === undefined || !(live.metadata.ownerReferences ?? []).some(({ uid }) => uid === given.metadata.uid)) return undefined
    if (live.metadata.deletionTimestamp === undefined) {
      // Whoever confirmed that the package goes with what is in use has confirmed this, too, and no more than that.
      const confirmed = isAllowed(given) ? CONFIRM_ALL : String(confirmedCount(given))
      if (confirmed !== '0')
        await client.patch(
          kind,
          { name: ref.name },
          { type: 'merge', body: { metadata: { annotations: { [CONFIRM_DELETION]: confirmed } } } },
        )
      await deleteLive(client, kind, live)
    }
    return (await client.find(kind, { name: ref.name })) === undefined ? undefined : `${ref.kind} ${ref.name}`
  } catch (error) {
    if (error instanceof NoMatchError || hasReason(error, 'NotFound')) return undefined
    throw error
  }
}

async function report(
  given: PackageObject,
  { reason, message }: { reason: string; message: string },
  { services, context, events }: Uninstalling,
): Promise<void> {
  const next = withStatus(given, { conditions: [{ type: 'Healthy', status: 'False', reason, message }], nowMs: services.clock.now() })
  if (next === given) return
  if (reason === 'InUse') events.warning(given, 'UninstallRefused', message)
  await context.client.updateStatus(next)
}

function listed(names: readonly string[]): string {
  const more = names.length > NAMED ? ` and ${names.length - NAMED} more` : ''
  return `${names.slice(0, NAMED).join(', ')}${more}`
}

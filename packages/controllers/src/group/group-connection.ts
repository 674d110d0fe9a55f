import { annotationOf, type KubeObject } from '@weft/api'
import { CONNECTION_SECRET_PREFIX, type ConnectionDetail, selectDetails, type MemberDetails, uniteDetails } from '@weft/composition'
import { describeObject } from '../binding/claimant.ts'
import { isBindable } from '../binding/phase.ts'
import { specRef } from '../binding/spec-reference.ts'
import { flexibleTemplates } from '../claim/class-source.ts'
import { type ClaimTask, findObject, secretsOf } from '../claim/services.ts'
import { dropFormerCopies } from '../connection/former-copies.ts'
import { publishAndPropagate } from '../connection/propagate.ts'
import { readConnection } from '../connection/secret.ts'
import type { GroupKindAdapter } from './group-kind.ts'
import { ledgerOf } from './ledger.ts'

interface Connected {
  readonly claim: KubeObject
  readonly group: KubeObject
  readonly adapter: GroupKindAdapter
  readonly members: readonly KubeObject[]
}

/**
 * A20: the secret of the group is the union of its members' secrets, in the order of the ledger, and the claim gets a copy. Members' own secrets stay as
 * they are (A29). Where members disagree about a key the last one's value stands, and the claim is told (B3).
 */
export async function connectGroup(task: ClaimTask, { claim, group, adapter, members }: Connected): Promise<void> {
  const { client, events } = task
  const find = secretsOf(task)
  const details: MemberDetails<string>[] = []
  const exposed = await exposedDetails(task, { claim, group, adapter })
  for (const member of members) {
    // What is not available has published nothing yet; its secret wakes the claim.
    if (!isBindable(member)) continue
    const secret = await readConnection(client, member, find)
    const wanted = exposed(member)
    const data = wanted === undefined ? (secret?.data ?? {}) : selectDetails(wanted, { secret: secret?.data, object: member }).data
    if (Object.keys(data).length > 0) details.push({ member: describeObject(member), data, prefix: prefixOf(member) })
  }
  await dropFormerCopies(client, task.secretsControlledBy(claim.metadata.uid ?? ''), group, claim)
  if (details.length === 0) return
  const { data, conflicts } = uniteDetails(details)
  for (const { key, kept, dropped } of conflicts)
    events.warning(
      claim,
      'ConnectionDetailConflict',
      `${dropped.join(', ')} and ${kept} publish ${key} with different values: that of ${kept} is used`,
    )
  // What a member no longer publishes goes; while one cannot be read, what it published before stays.
  const isComplete = members.length === ledgerOf(group, adapter).length && members.every(isBindable)
  if ((await publishAndPropagate(client, { from: group, to: claim, data, exact: isComplete, find })) === 'written')
    events.normal(claim, 'PropagatedConnectionSecret', `Copied the connection secret of ${describeObject(group)}`)
}

/** A21: prepended in the group's secret only. */
const prefixOf = (member: KubeObject): string | undefined => annotationOf(member, CONNECTION_SECRET_PREFIX)

/**
 * 001: a template may select and rename details (002's schema); one that says nothing exposes all. As the class says now, as long as it is there: what is
 * exposed is not part of what was provisioned.
 */
async function exposedDetails(
  task: ClaimTask,
  { claim, group, adapter }: Omit<Connected, 'members'>,
): Promise<(member: KubeObject) => readonly ConnectionDetail[] | undefined> {
  const ref = specRef(claim, 'classRef')
  if (adapter.membersHaveClass || ref?.name === undefined) return () => undefined
  const classObject = await findObject(task, { group: ref.apiVersion?.split('/')[0] ?? '', kind: ref.kind ?? '' }, { name: ref.name })
  const templates = classObject === undefined ? [] : quietly(() => flexibleTemplates(claim, classObject))
  const entries = ledgerOf(group, adapter)
  return ({ kind, metadata }) => {
    const entry = entries.find((each) => each.kind === kind && each.name === metadata.name)
    const details = templates.find(({ template }) => template.identity === entry?.template)?.template.connectionDetails
    return details === undefined || details.length === 0 ? undefined : details
  }
}

function quietly<T>(read: () => readonly T[]): readonly T[] {
  try {
    return read()
  } catch {
    return []
  }
}

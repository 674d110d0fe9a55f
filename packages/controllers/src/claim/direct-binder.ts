import { type GroupKind, gvkOf, type JsonObject, type KubeObject, withMeta } from '@weft/api'
import { claimLabels, EXTERNAL_NAME, type ObjectRef, readinessOf, requestedExternalName } from '@weft/composition'
import { BindingError } from '../binding/binding-error.ts'
import { describeObject, isClaimedBy, referenceTo } from '../binding/claimant.ts'
import { available, binding, synced } from '../binding/conditions.ts'
import { isBindable, phaseOf } from '../binding/phase.ts'
import { claimedBy, namespaceFor } from './claimed-composite.ts'
import { kindOfRef, specRef, withSpec } from '../binding/spec-reference.ts'
import { dropFormerCopies } from '../connection/former-copies.ts'
import { copyConnection } from '../connection/propagate.ts'
import { checkBase } from './check-templates.ts'
import { type ChosenNews, tellMade } from './chosen-news.ts'
import { keepsNoClaimant } from './keeps-claimant.ts'
import type { MemberTemplate } from './class-source.ts'
import { provision, type Provisioned } from './provision.ts'
import { type ClaimTask, type Progress, secretsOf } from './services.ts'
import { confirmWanted, findTarget, isNameOfOurs, missing, mustBeClaimable, mustBeFreeFor, mustBeMeant } from './target.ts'
import { together } from './together.ts'
import { holdClaim, namingResource, writePhase, writeStatus } from './write-claim.ts'
import { makeResource } from './make-resource.ts'

/** Finds out what the claim's class makes; asked only when something has to be made. */
export type DirectTemplate = () => Promise<MemberTemplate>

/**
 * Binds a claim to one managed resource: the one it names, or one that is made for it (F9, 003). Whatever it was interrupted at, doing it again from the
 * start leads on: the name is in the claim before the resource exists, and each step is skipped when its outcome is there already.
 */
export async function bindDirect(task: ClaimTask, given: KubeObject, templateOf: DirectTemplate): Promise<Progress> {
  const isNamed = specRef(given, 'resourceRef')?.name !== undefined
  const claim = isNamed ? given : await task.client.update(await nameDirect(task, given, templateOf))
  const ref = specRef(claim, 'resourceRef') as ObjectRef
  const news = task.justChosen.take(claim)
  // What was just named cannot be there yet, but for a chance that `make` copes with.
  const found = isNamed && news === undefined ? await findTarget(task, claim, ref) : undefined
  const managed = found ?? (await make(task, claim, { ref, templateOf, news }))
  if (managed === undefined) return 'ignored'
  mustBeMeant(managed, ref)
  mustBeFreeFor(managed, referenceTo(claim))
  mustBeClaimable(task, claim, managed)
  if (!isBindable(managed)) {
    const { reason } = readinessOf(managed)
    await writeStatus(task, claim, {
      conditions: [binding(`waiting for ${describeObject(managed)}: ${reason}`), synced()],
      fields: { bindingPhase: 'Unbound' },
    })
    return 'waiting'
  }
  return bind(task, claim, ref, managed)
}

/**
 * The claim with the name of its resource, not written yet. Checks the class before anything is named after it; what the claim fills in is checked by making
 * the resource, since there is only one.
 */
export async function nameDirect(task: ClaimTask, claim: KubeObject, templateOf: DirectTemplate): Promise<KubeObject> {
  const member = await templateOf()
  if (member.fieldMappings.length === 0) await checkBase(task, member, { field: 'claimRef', claim })
  const { apiVersion, kind } = member.template.base
  return namingResource(task, claim, { apiVersion, kind, namespace: namespaceFor(task, gvkOf(member.template.base), claim) })
}

interface Making {
  readonly ref: ObjectRef
  readonly templateOf: DirectTemplate
  readonly news: ChosenNews | undefined
}

/** Makes the named resource; undefined when the claim turned out to be gone. */
async function make(task: ClaimTask, claim: KubeObject, { news, ...making }: Making): Promise<KubeObject | undefined> {
  let made: string | undefined
  try {
    const { object, created, from } = await makeNamed(task, claim, making)
    if (created && !(await confirmWanted(task, claim, [object]))) return undefined
    if (created) made = `${describeObject(object)} from ${from.kind} ${from.metadata.name ?? ''}`
    return object
  } finally {
    tellMade(task.events, claim, { made, news })
  }
}

async function makeNamed(
  task: ClaimTask,
  claim: KubeObject,
  { ref, templateOf }: Omit<Making, 'news'>,
): Promise<{ readonly object: KubeObject; readonly created: boolean; readonly from: KubeObject }> {
  if (!isNameOfOurs(claim, ref)) throw missing(ref)
  const kind = kindOfRef(ref) as GroupKind
  const member = await templateOf()
  const provisioned = resourceFor(claim, member, ref.name ?? '')
  if (provisioned.object.kind !== kind.kind)
    throw new BindingError(
      'ClassUnusable',
      `spec.resourceRef names a ${kind.kind}, but ${member.classObject.kind} ${member.classObject.metadata.name ?? ''} creates a ${provisioned.object.kind}`,
    )
  const made = await makeResource(task, { claim, member, provisioned, claimant: 'claimRef' })
  return { ...made, from: member.classObject }
}

/** The one resource of a claim; its secret is named after the claim's uid (B32). */
export const resourceFor = (claim: KubeObject, member: MemberTemplate, name: string): Provisioned =>
  provision(member, {
    claim,
    name,
    labels: claimLabels(claim),
    spec: { claimRef: referenceTo(claim), classRef: referenceTo(member.classObject) } as unknown as JsonObject,
    secret: { defaultName: claim.metadata.uid },
  })

async function bind(task: ClaimTask, found: KubeObject, ref: ObjectRef, target: KubeObject): Promise<Progress> {
  const { client, events } = task
  // Nothing is claimed for a claim that could go without letting go of it.
  const given = await holdClaim(task, found)
  const wasBound = phaseOf(given) === 'Bound'
  const self = referenceTo(given)
  const claimed = isClaimedBy(target, 'claimRef', self) ? target : await client.update(claimedBy(task, target, given))
  if (!isClaimedBy(claimed, 'claimRef', self)) throw keepsNoClaimant(claimed, 'claimRef')
  const [managed, claim, propagation] = await together(
    writePhase(task, claimed, 'Bound'),
    noteTarget(task, given, ref, claimed),
    copyConnection(client, claimed, given, secretsOf(task)),
  )
  await dropFormerCopies(client, task.secretsControlledBy(self.uid ?? ''), managed, claim)
  const { ready, reason } = readinessOf(managed)
  // The claim has everything: that later changes may follow is nothing that it waits for.
  await together(
    propagation.allow(),
    writeStatus(task, claim, {
      conditions: [ready ? available() : binding(`waiting for ${describeObject(managed)}: ${reason}`), synced()],
      fields: { bindingPhase: 'Bound' },
    }),
  )
  const isCopied = propagation.outcome === 'written'
  if (!wasBound)
    events.normal(
      claim,
      'BoundManagedResource',
      `Bound to ${describeObject(managed)}${isCopied ? ', and copied its connection secret' : ''}`,
    )
  else if (isCopied) events.normal(claim, 'PropagatedConnectionSecret', `Copied the connection secret of ${describeObject(managed)}`)
  return ready ? 'settled' : 'waiting'
}

/** The claim learns the uid of what it is bound to, and its external name unless it asked for one itself. */
async function noteTarget({ client }: ClaimTask, claim: KubeObject, ref: ObjectRef, managed: KubeObject): Promise<KubeObject> {
  const { uid } = managed.metadata
  const external = requestedExternalName(managed)
  const learns = external !== undefined && requestedExternalName(claim) === undefined
  if (ref.uid === uid && !learns) return claim
  const noted = withSpec(claim, { resourceRef: { ...ref, ...(uid !== undefined && { uid }) } })
  return client.update(learns ? withMeta(noted, { annotations: { ...noted.metadata.annotations, [EXTERNAL_NAME]: external } }) : noted)
}

import { generateName, gvkOf, type KubeObject, messageOf, withMeta } from '@weft/api'
import { BindingError } from '../binding/binding-error.ts'
import { type ClaimantField, referenceTo } from '../binding/claimant.ts'
import { withSpec } from '../binding/spec-reference.ts'
import type { MemberTemplate } from './class-source.ts'
import { claimedComposite, isCompositeResource } from './claimed-composite.ts'
import { keepsClaimant, keepsNoClaimant } from './keeps-claimant.ts'
import { mustBeManaged } from './must-be-managed.ts'
import { isRejection } from './provision.ts'
import type { ClaimTask } from './services.ts'
import { together } from './together.ts'

const REMEMBERED = 10_000

/**
 * Would the server take everything that is to be made? Asked by creates that are not carried out, before anything is named or made: a group is made whole or
 * not at all. Rejects with a BindingError.
 *
 * F6: the base of a template must be valid by itself, required fields included, even those that a patch would fill; that is asked once for each revision of a
 * class. A typed class may leave to the claim what the binding row maps, so only the outcome counts. `render` answers the object as it would be made.
 */
export async function checkMembers(
  task: ClaimTask,
  members: readonly MemberTemplate[],
  { field, render }: { readonly field: ClaimantField; readonly render: (member: MemberTemplate) => KubeObject },
): Promise<void> {
  const check = async (member: MemberTemplate): Promise<void> => {
    const { template, fieldMappings } = member
    if (fieldMappings.length === 0) await checkBase(task, member, { field })
    if (fieldMappings.length > 0 || template.patches.length > 0)
      await tryCreate(task, render(member), { maker: `${whose(member)}, filled in from the claim,`, claimant: field })
  }
  await together(...members.map(check))
}

/** F6, once for each revision of a class. `field` says whose what is made from it will be; `claim`, who is the first to ask. */
export async function checkBase(
  task: ClaimTask,
  member: MemberTemplate,
  { field, claim }: { readonly field: ClaimantField; readonly claim?: KubeObject },
): Promise<void> {
  const { template, classObject } = member
  const by = { maker: whose(member), claimant: field }
  mustBeManaged(task, gvkOf(template.base), by)
  const { uid = '', resourceVersion = '' } = classObject.metadata
  const key = `${uid}/${resourceVersion}/${template.identity}/${field}`
  if (task.acceptedBases.has(key)) {
    // Its kind may have gone since.
    await task.client.mapping(gvkOf(template.base))
    return
  }
  const named = withMeta<KubeObject>(template.base, { name: generateName('check-', task.random) })
  const trial =
    claim !== undefined && isCompositeResource(task, gvkOf(named))
      ? claimedComposite(task, named, claim)
      : withSpec(named, { [field]: referenceTo(classObject) })
  const made = await tryCreate(task, trial, by)
  if (!keepsClaimant(made, field)) throw keepsNoClaimant(made, field)
  if (task.acceptedBases.size >= REMEMBERED) task.acceptedBases.clear()
  if (uid !== '') task.acceptedBases.add(key)
}

const whose = ({ template, classObject }: MemberTemplate): string =>
  `${classObject.kind} ${classObject.metadata.name ?? ''}: ${template.origin}`

/** Would the server take this object? Rejects with ClassUnusable when it would not, naming `owner`. */
async function tryCreate(
  task: Pick<ClaimTask, 'client' | 'served'>,
  object: KubeObject,
  by: { readonly maker: string; readonly claimant: ClaimantField },
): Promise<KubeObject> {
  const { client } = task
  const owner = by.maker
  mustBeManaged(task, gvkOf(object), by)
  const { namespaced } = await client.mapping(gvkOf(object))
  if (namespaced && !isCompositeResource(task, gvkOf(object)))
    throw new BindingError(
      'ClassUnusable',
      `${owner} creates a ${object.kind}, which is namespaced: claims are satisfied by cluster-scoped resources`,
    )
  try {
    return await client.create(object, { dryRun: true })
  } catch (error) {
    if (isRejection(error))
      throw new BindingError('ClassUnusable', `${owner} is not a valid ${object.kind}: ${messageOf(error)}`, { cause: error })
    throw error
  }
}

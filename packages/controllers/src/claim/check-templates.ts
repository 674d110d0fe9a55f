import { generateName, gvkOf, type KubeObject, withMeta } from '@weft/api'
import { BindingError } from '../binding/binding-error.ts'
import type { MemberTemplate } from './class-source.ts'
import { isRejection } from './provision.ts'
import type { ClaimTask } from './services.ts'

const REMEMBERED = 10_000

/**
 * F6: are the bases of a class valid objects of kinds that are served, required fields included, even those that a patch would fill? Asked of the
 * server, by a create that is not carried out, before anything is named or made: a group is made whole or not at all. Rejects with a BindingError.
 */
export async function checkBases(task: ClaimTask, templates: readonly MemberTemplate[]): Promise<void> {
  const accepted = task.acceptedBases
  for (const { template, classObject } of templates) {
    const { uid = '', resourceVersion = '' } = classObject.metadata
    const key = `${uid}/${resourceVersion}/${template.identity}`
    if (accepted.has(key)) {
      // Its kind may have gone since.
      await task.client.mapping(gvkOf(template.base))
      continue
    }
    const name = generateName('check-', task.random)
    await tryCreate(task, withMeta(template.base as KubeObject, { name }), `${classObject.kind} ${classObject.metadata.name ?? ''}: ${template.origin}`)
    if (accepted.size >= REMEMBERED) accepted.clear()
    if (uid !== '') accepted.add(key)
  }
}

/** Would the server take this object? Rejects with ClassUnusable when it would not, naming `whose`. */
export async function tryCreate({ client }: Pick<ClaimTask, 'client'>, object: KubeObject, whose: string): Promise<void> {
  const { namespaced } = await client.mapping(gvkOf(object))
  if (namespaced) throw new BindingError('ClassUnusable', `${whose} makes a ${object.kind}, which lives in namespaces: claims are satisfied by cluster-scoped resources`)
  try {
    await client.create(object, { dryRun: true })
  } catch (error) {
    if (isRejection(error)) throw new BindingError('ClassUnusable', `${whose} is not a valid ${object.kind}: ${(error as Error).message}`, { cause: error })
    throw error
  }
}

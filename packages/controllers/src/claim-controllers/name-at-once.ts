import { isPaused, type KubeObject } from '@weft/api'
import { BindingError } from '../binding/binding-error.ts'
import { wasWritten } from '../binding/naming.ts'
import { specRef } from '../binding/spec-reference.ts'
import { findClass, flexibleTemplates, type MemberTemplate, typedTemplate } from '../claim/class-source.ts'
import { nameDirect } from '../claim/direct-binder.ts'
import type { ClaimTask } from '../claim/services.ts'
import { nameGroup } from '../group/group-binder.ts'
import { AGGREGATES, COMPOSITES } from '../group/group-kind.ts'
import { type Route, routeOf } from './route.ts'

/**
 * X2: the claim, for which a class was just chosen, with the name of what will be made for it, not written yet: both can be one write. Undefined where
 * something is in the way: then the class alone is written, and whoever binds the claim says what it is. A claim that was ever edited may have lost a
 * name, which has to be looked for first.
 */
export async function nameAtOnce(task: ClaimTask, claim: KubeObject): Promise<KubeObject | undefined> {
  if (wasWritten(claim, 1) || isPaused(claim)) return undefined
  const route = routeOf(claim, task.table())
  try {
    switch (route.binder) {
      case 'none':
        return undefined
      case 'aggregate':
        return await nameGroup(task, { claim, adapter: AGGREGATES })
      case 'composite':
        return await nameGroup(task, { claim, adapter: COMPOSITES })
      case 'direct':
        return await nameDirect(task, claim, () => directTemplate(task, claim, route))
    }
  } catch {
    return undefined
  }
}

/** What the class of a claim makes for it, where that is one resource. */
export async function directTemplate(
  task: ClaimTask,
  claim: KubeObject,
  { source }: Extract<Route, { binder: 'direct' }>,
): Promise<MemberTemplate> {
  const classObject = await findClass(task, specRef(claim, 'classRef') ?? {})
  if (source.type === 'row') return typedTemplate(claim, classObject, source.row)
  const [only] = flexibleTemplates(claim, classObject)
  if (only === undefined) throw new BindingError('ClassUnusable', `${classObject.kind} ${classObject.metadata.name ?? ''} makes nothing`)
  return only
}

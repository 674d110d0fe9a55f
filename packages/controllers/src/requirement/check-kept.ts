import { nameAt } from '../binding/spec-reference.ts'
import { field, type FieldError, type KubeObject } from '@weft/api'
import { boundResource } from './bound.ts'
import { composedRefsOf } from '../composite/members.ts'
import { MOVE_TO, moveTarget } from '../composite/move.ts'
import type { CompositeType } from '../composite/composite-type.ts'
import { composedBy, inNamespace } from '../composite/record.ts'

/** What an object of a defined kind is. */
export type DefinedRole = CompositeType | 'requirement'

/**
 * A choice that was made stays made: what an update would take away from a requirement or a composite that has something. The controllers put
 * back what was not seen here; refusing it tells whoever wrote it, and costs nothing below. An object that was wrong already may be written.
 */
export function checkKept(before: KubeObject, after: KubeObject, role: DefinedRole): readonly FieldError[] {
  return role === 'requirement' ? checkResource(before, after) : checkComposed(before, after, role)
}

function checkResource(before: KubeObject, after: KubeObject): readonly FieldError[] {
  const bound = boundResource(before)
  const name = (object: KubeObject): string | undefined => nameAt(object, 'spec.infrastructure', 'resourceRef')
  if (bound === undefined || name(before) !== bound || name(after) === bound) return []
  return [
    field.forbidden(
      'spec.infrastructure.resourceRef',
      `this is bound to ${bound} and stays bound to it: leave the reference unchanged (kubectl apply does), or delete this and create another`,
    ),
  ]
}

function checkComposed(before: KubeObject, after: KubeObject, type: CompositeType): readonly FieldError[] {
  const by = composedBy(before)
  if (by === undefined || moveTarget(before) !== undefined) return []
  const errors: FieldError[] = []
  const name = (object: KubeObject): string | undefined => nameAt(object, type.place, 'compositionRef')
  if (name(before) === by && name(after) !== by) {
    const other = name(after) ?? 'NAME'
    errors.push(
      field.forbidden(
        `${type.place}.compositionRef`,
        `this is composed with ${by} and stays so: leave the reference unchanged (kubectl apply does), or move it: kubectl annotate ${after.kind.toLowerCase()} ${after.metadata.name ?? ''}${inNamespace(after)} ${MOVE_TO}=${other}`,
      ),
    )
  }
  if (composedRefsOf(after, type).length < composedRefsOf(before, type).length)
    errors.push(
      field.forbidden(`${type.place}.composedRefs`, 'the names of what this is composed of cannot be changed: leave them as they are'),
    )
  return errors
}

import { annotationOf, type KubeObject, matchesLabels } from '@weft/api'
import { IS_DEFAULT_CLASS } from '@weft/composition'
import type { Wish } from '../claim/wish.ts'

/** S8: an annotation, not a label, and exactly "true". */
export const isDefaultClass = (object: KubeObject): boolean => annotationOf(object, IS_DEFAULT_CLASS) === 'true'

/** Does this class answer the wish? A class that is being deleted is no basis for anything new. */
export function answers(classObject: KubeObject, wish: Wish): boolean {
  if (classObject.metadata.deletionTimestamp !== undefined) return false
  switch (wish.type) {
    case 'selector':
      return matchesLabels(wish.requirements, classObject.metadata.labels)
    case 'default':
      return isDefaultClass(classObject)
    default:
      return false
  }
}

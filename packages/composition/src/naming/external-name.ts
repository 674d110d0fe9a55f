import { annotationOf, type KubeObject } from '@weft/api'
import { EXTERNAL_NAME, EXTERNAL_NAME_PREFIX, EXTERNAL_NAME_SUFFIX } from './annotations.ts'

type Annotated = { readonly metadata: KubeObject['metadata'] }

/** The name its author asked for in the external system, if any. */
export const requestedExternalName = (object: Annotated): string | undefined => annotationOf(object, EXTERNAL_NAME)

/**
 * A18, F15: the name of the external resource: `{prefix}{annotation, or else the object's name}{suffix}`, from the annotations of the
 * managed resource itself. Never write the answer back to the annotation: the prefix would be added again (B31).
 */
export function externalName(object: Annotated): string {
  return (
    (annotationOf(object, EXTERNAL_NAME_PREFIX) ?? '') +
    (requestedExternalName(object) ?? object.metadata?.name ?? '') +
    (annotationOf(object, EXTERNAL_NAME_SUFFIX) ?? '')
  )
}

/**
 * A19: the external name that a claim gives to what a class (000) provisions: the class's prefix and suffix are baked in, and only
 * when the claim asked for a name. Undefined: the new resource gets no annotation, and so is named after itself.
 */
export function provisionedExternalName(claim: Annotated, classObject: Annotated): string | undefined {
  const name = requestedExternalName(claim)
  if (name === undefined) return undefined
  return (annotationOf(classObject, EXTERNAL_NAME_PREFIX) ?? '') + name + (annotationOf(classObject, EXTERNAL_NAME_SUFFIX) ?? '')
}

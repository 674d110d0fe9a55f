import { field, type FieldError, type KubeObject } from '@weft/api'
import { EXTERNAL_NAME, externalName } from '@weft/composition'
import { OWNERSHIP } from '../resource/annotations.ts'
import { creationRecordOf, wasCreated } from '../resource/creation-record.ts'
import { isMadeForSomebody } from '../resource/policies.ts'
import { ownershipOf } from './ownership-record.ts'

/**
 * Admission of an update: a resource that manages an external resource keeps its name. Said at once, where the mistake is made; what
 * passes here unseen, the managed reconciler refuses to act upon. A record may only be lost where it can be made again from the object's name.
 * `byProvider`: its provider writes it, who alone may say that what it made in place of another has a new name.
 */
export function checkExternalName(
  object: KubeObject,
  before: KubeObject | undefined,
  { byProvider = false }: { readonly byProvider?: boolean } = {},
): readonly FieldError[] {
  const record = before === undefined ? undefined : ownershipOf(before)
  if (before === undefined || record === undefined || record.state === 'reserved' || object.metadata.deletionTimestamp !== undefined)
    return []
  const was = externalName(before)
  const is = externalName(object)
  if (was !== is && byProvider && isMadeAnew(object, before)) return []
  if (was !== is)
    return [
      field.invalid(
        `metadata.annotations[${EXTERNAL_NAME}]`,
        is,
        `this ${object.kind} manages the external resource "${was}", and cannot switch to another: set the annotation back, or create another ${object.kind}`,
      ),
    ]
  const after = ownershipOf(object)
  if (after?.name === record.name && after.config === record.config && after.state !== 'reserved') return []
  // What somebody made by hand takes over again what bears its name; what was made for others would take it for another's.
  if (after === undefined && was === object.metadata.name && !isMadeForSomebody(before)) return []
  return [
    field.forbidden(
      `metadata.annotations[${OWNERSHIP}]`,
      `it records which external resource this ${object.kind} owns, and is kept by its provider: leave it as it is (kubectl apply and kubectl edit do, kubectl replace does not)`,
    ),
  ]
}

/** Does it say that the creation which was under way has succeeded, and which name its system gave to what was made? */
function isMadeAnew(object: KubeObject, before: KubeObject): boolean {
  const [was, is] = [ownershipOf(before), ownershipOf(object)]
  const creation = creationRecordOf(object)
  return (
    creationRecordOf(before).incomplete &&
    !creation.incomplete &&
    wasCreated(creation) &&
    is?.state === 'held' &&
    is.config === was?.config &&
    is.name === externalName(object)
  )
}

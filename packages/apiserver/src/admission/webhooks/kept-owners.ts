import { type KubeObject, messageOf, withMeta } from '@weft/api'
import { validateManagedFields } from '../../apply/index.ts'
import type { AdmissionRequest } from '../admission.ts'
import { warn } from '../warn.ts'

/** Webhooks written before managedFields existed may garble them; then those from before stay, and the client is told. */
export function withKeptOwners(request: AdmissionRequest, object: KubeObject): KubeObject {
  const before = request.object?.metadata.managedFields
  const after = object.metadata.managedFields
  if (after === before) return object
  try {
    validateManagedFields(after ?? [])
    return object
  } catch (error) {
    warn(
      request,
      `.metadata.managedFields was in an invalid state after admission; this could be caused by an outdated mutating admission controller; please fix your requests: ${messageOf(error)}`,
    )
    return withMeta(object, { managedFields: before })
  }
}

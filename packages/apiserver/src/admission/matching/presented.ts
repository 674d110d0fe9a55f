import { scaleMapping, scaleOf } from '../../registry/index.ts'
import type { AdmissionRequest } from '../admission.ts'

/**
 * A write to `scale` is about an `autoscaling/v1 Scale`: that is what webhooks and policies are shown, and what they
 * may patch. The registry writes the whole object, so here the two meet.
 */
export function presented(request: AdmissionRequest): AdmissionRequest {
  const mapping = scaleMapping(request.type, request.subresource)
  if (mapping === undefined) return request
  const { object, oldObject } = request
  return { ...request, ...(object && { object: scaleOf(object, mapping) }), ...(oldObject && { oldObject: scaleOf(oldObject, mapping) }) }
}

import { invalid, isJsonObject, type KubeObject, type Status } from '@weft/api'
import type { ServedKinds } from '@weft/apiserver'
import { judge } from '../weft-admission.ts'

/** `admission.k8s.io/v1`: what an API server asks a webhook, as far as we read it. */
interface ReviewRequest {
  readonly uid: string
  readonly operation: string
  readonly kind: { readonly group: string; readonly version: string; readonly kind: string }
  readonly subResource?: string
  readonly object?: KubeObject | null
  readonly oldObject?: KubeObject | null
}

export interface ReviewAnswer {
  readonly apiVersion: 'admission.k8s.io/v1'
  readonly kind: 'AdmissionReview'
  readonly response: { readonly uid: string; readonly allowed: boolean; readonly status?: Status; readonly warnings?: readonly string[] }
}

/** Undefined: what was sent is no review. */
export function answerReview(review: unknown, kinds: ServedKinds): ReviewAnswer | undefined {
  const request = isJsonObject(review) ? readRequest(review['request']) : undefined
  if (request === undefined) return undefined
  const { uid, operation, kind, subResource = '', object, oldObject } = request
  const { errors, warnings } = judge(
    { operation, object: object ?? undefined, oldObject: oldObject ?? undefined, ...kind, subresource: subResource },
    kinds,
  )
  const refusal = errors.length === 0 ? undefined : invalid({ ...kind, name: object?.metadata.name ?? '' }, errors).status
  return {
    apiVersion: 'admission.k8s.io/v1',
    kind: 'AdmissionReview',
    response: {
      uid,
      allowed: refusal === undefined,
      ...(refusal !== undefined && { status: refusal }),
      ...(warnings.length > 0 && { warnings }),
    },
  }
}

function readRequest(value: unknown): ReviewRequest | undefined {
  if (!isJsonObject(value) || typeof value['uid'] !== 'string' || !isJsonObject(value['kind'])) return undefined
  const { object } = value
  if (object !== undefined && object !== null && !isJsonObject(object)) return undefined
  if (isJsonObject(object) && !isJsonObject(object['metadata'])) return undefined
  return value as unknown as ReviewRequest
}

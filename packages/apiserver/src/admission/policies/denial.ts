import { failure, forbidden, type StatusError, type StatusReason } from '@weft/api'
import type { AdmissionRequest } from '../admission.ts'

export interface Denial {
  readonly policy: string
  /** Absent: the policy itself is not usable. */
  readonly binding: string | undefined
  readonly message: string
  /** Reason of the Status; empty = Invalid. */
  readonly reason: string
}

const CODES: Readonly<Record<string, number>> = { Unauthorized: 401, Forbidden: 403, RequestEntityTooLarge: 413, Invalid: 422 }

/** Worded as a 403, answered with the code of its reason: that is what kube-apiserver does. */
export function denied({ type, name, object }: AdmissionRequest, { policy, binding, message, reason }: Denial): StatusError {
  const by =
    binding === undefined ? `ValidatingAdmissionPolicy '${policy}'` : `ValidatingAdmissionPolicy '${policy}' with binding '${binding}'`
  const text = `${by} denied request: ${message}`
  const subject = { group: type.group, resource: type.plural, name: name || object?.metadata.generateName || 'Unknown' }
  const { status } = forbidden(subject, text)
  return failure({
    code: CODES[reason] ?? 422,
    reason: (reason || 'Invalid') as StatusReason,
    message: status.message ?? text,
    details: { ...status.details, causes: [{ message: text }] },
  })
}

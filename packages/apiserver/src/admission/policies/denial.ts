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
export function denied(request: AdmissionRequest, { policy, binding, message, reason }: Denial): StatusError {
  const by =
    binding === undefined ? `ValidatingAdmissionPolicy '${policy}'` : `ValidatingAdmissionPolicy '${policy}' with binding '${binding}'`
  const text = `${by} denied request: ${message}`
  const { status } = forbidden(subjectOf(request), text)
  return failure({
    code: CODES[reason] ?? 422,
    reason: (reason || 'Invalid') as StatusReason,
    message: status.message ?? text,
    details: { ...status.details, causes: [{ message: text }] },
  })
}

const subjectOf = ({ type, name, object }: AdmissionRequest): Parameters<typeof forbidden>[0] => ({
  group: type.group,
  resource: type.plural,
  name: name || object?.metadata.generateName || 'Unknown',
})

/** Why a mutating policy could not do what it is there for. */
export interface MutationProblem {
  readonly policy: string
  /** Absent: the policy itself is not usable. */
  readonly binding: string | undefined
  readonly message: string
  readonly reason: 'Invalid' | 'Forbidden'
}

/** All problems are told; the first gives the reason. A 403 whatever the reason, as in kube-apiserver. */
export function mutationDenied(request: AdmissionRequest, problems: readonly MutationProblem[]): StatusError {
  const texts = problems.map(({ policy, binding, message }) =>
    binding === undefined
      ? `policy ${JSON.stringify(policy)} denied request: ${message}`
      : `policy '${policy}' with binding '${binding}' denied request: ${message}`,
  )
  const [message = ''] = texts
  const { status } = forbidden(subjectOf(request), message)
  return failure({
    code: 403,
    reason: problems[0]?.reason ?? 'Forbidden',
    message,
    details: { ...status.details, causes: texts.map((text) => ({ message: text })) },
  })
}

import { formatGroupResource } from './gvk.ts'
import { type FieldError, formatFieldError, formatFieldErrors, tellable } from './field-error.ts'
import { messageOf } from './message-of.ts'

/** `metav1.Status`: how an API server reports failure, and success without an object. */
export interface Status {
  readonly kind: 'Status'
  readonly apiVersion: 'v1'
  readonly metadata: { readonly continue?: string }
  readonly status: 'Success' | 'Failure'
  readonly message?: string
  readonly reason?: StatusReason
  readonly details?: StatusDetails
  /** Absent in the success of a DELETE. */
  readonly code?: number
}

export type StatusReason =
  | 'BadRequest'
  | 'Unauthorized'
  | 'Forbidden'
  | 'NotFound'
  | 'MethodNotAllowed'
  | 'NotAcceptable'
  | 'AlreadyExists'
  | 'Conflict'
  | 'Gone'
  | 'Expired'
  | 'RequestEntityTooLarge'
  | 'UnsupportedMediaType'
  | 'Invalid'
  | 'TooManyRequests'
  | 'InternalError'
  | 'ServiceUnavailable'
  | 'ServerTimeout'
  | 'Timeout'
  | ''

export interface StatusDetails {
  readonly name?: string
  readonly group?: string
  readonly kind?: string
  readonly uid?: string
  readonly causes?: readonly StatusCause[]
  readonly retryAfterSeconds?: number
}

export interface StatusCause {
  readonly reason?: string
  readonly message?: string
  readonly field?: string
}

/** The one error type that crosses the API. Anything else that is thrown becomes InternalError at the rim. */
export class StatusError extends Error {
  readonly status: Status

  constructor(status: Status, options?: ErrorOptions) {
    super(status.message ?? status.reason ?? 'unknown failure', options)
    this.name = 'StatusError'
    this.status = status
  }

  get code(): number {
    return this.status.code ?? 500
  }

  get reason(): StatusReason {
    return this.status.reason ?? ''
  }

  is(reason: StatusReason): boolean {
    return this.status.reason === reason
  }
}

/** Does `error` carry this reason? Safe on any thrown value. */
export function hasReason(error: unknown, reason: StatusReason): boolean {
  return error instanceof StatusError && error.is(reason)
}

interface FailureOptions {
  readonly code: number
  readonly reason: StatusReason
  readonly message: string
  readonly details?: StatusDetails | undefined
  readonly cause?: unknown
  /** With Expired lists: where an inconsistent list may go on. */
  readonly continueToken?: string
}

export function failure({ code, reason, message, details, cause, continueToken }: FailureOptions): StatusError {
  const metadata = continueToken === undefined ? {} : { continue: continueToken }
  const status: Status = {
    kind: 'Status',
    apiVersion: 'v1',
    metadata,
    status: 'Failure',
    message,
    ...(reason !== '' && { reason }),
    ...(details && { details }),
    code,
  }
  return new StatusError(status, cause === undefined ? undefined : { cause })
}

/** What an error is about: the resource name (`configmaps`) or, for Invalid, the Kind. */
export interface Subject {
  readonly group: string
  readonly resource: string
  readonly name?: string
}

const detailsOf = ({ group, resource, name }: Subject, more: StatusDetails = {}): StatusDetails => ({
  ...(name !== undefined && name !== '' && { name }),
  ...(group !== '' && { group }),
  ...(resource !== '' && { kind: resource }),
  ...more,
})

const quoted = (subject: Subject): string => `${formatGroupResource(subject.group, subject.resource)} "${subject.name ?? ''}"`

export const notFound = (subject: Subject): StatusError =>
  failure({ code: 404, reason: 'NotFound', message: `${quoted(subject)} not found`, details: detailsOf(subject) })

export const alreadyExists = (subject: Subject): StatusError =>
  failure({ code: 409, reason: 'AlreadyExists', message: `${quoted(subject)} already exists`, details: detailsOf(subject) })

export const conflict = (subject: Subject, why: string, causes?: readonly StatusCause[]): StatusError =>
  failure({
    code: 409,
    reason: 'Conflict',
    message: `Operation cannot be fulfilled on ${quoted(subject)}: ${why}`,
    details: detailsOf(subject, causes && { causes }),
  })

export const staleWrite = (subject: Subject): StatusError =>
  conflict(subject, 'the object has been modified; please apply your changes to the latest version and try again')

export const forbidden = (subject: Subject, why: string): StatusError =>
  failure({
    code: 403,
    reason: 'Forbidden',
    message:
      subject.resource === ''
        ? `forbidden: ${why}`
        : subject.name
          ? `${quoted(subject)} is forbidden: ${why}`
          : `${formatGroupResource(subject.group, subject.resource)} is forbidden: ${why}`,
    details: detailsOf(subject),
  })

export const badRequest = (message: string): StatusError => failure({ code: 400, reason: 'BadRequest', message })

export const unauthorized = (message = 'Unauthorized'): StatusError => failure({ code: 401, reason: 'Unauthorized', message })

export const methodNotSupported = (subject: Subject, method: string): StatusError =>
  failure({
    code: 405,
    reason: 'MethodNotAllowed',
    message: `${method} is not supported on resources of kind "${formatGroupResource(subject.group, subject.resource)}"`,
    details: detailsOf({ group: subject.group, resource: subject.resource }),
  })

export const internalError = (cause: unknown): StatusError => {
  const message = messageOf(cause)
  return failure({
    code: 500,
    reason: 'InternalError',
    message: `Internal error occurred: ${message}`,
    details: { causes: [{ message }] },
    cause,
  })
}

export const expired = (message: string): StatusError => failure({ code: 410, reason: 'Expired', message })

export const tooManyRequests = (message: string, retryAfterSeconds: number): StatusError =>
  failure({ code: 429, reason: 'TooManyRequests', message, details: { retryAfterSeconds } })

export const requestEntityTooLarge = (message: string): StatusError =>
  failure({ code: 413, reason: 'RequestEntityTooLarge', message: `Request entity too large: ${message}` })

export const unsupportedMediaType = (supported: readonly string[]): StatusError =>
  failure({
    code: 415,
    reason: 'UnsupportedMediaType',
    message: `the body of the request was in an unknown format - accepted media types include: ${supported.join(', ')}`,
  })

export const notAcceptable = (supported: readonly string[]): StatusError =>
  failure({
    code: 406,
    reason: 'NotAcceptable',
    message: `only the following media types are accepted: ${supported.join(', ')}`,
  })

/** 422. `kind` is the Kind here, not the resource: that is what kube-apiserver reports. */
export function invalid(subject: { group: string; kind: string; name: string }, errors: readonly FieldError[]): StatusError {
  const told = tellable(errors)
  return failure({
    code: 422,
    reason: 'Invalid',
    message: `${formatGroupResource(subject.group, subject.kind)} "${subject.name}" is invalid${told.length > 0 ? `: ${formatFieldErrors(told)}` : ''}`,
    details: detailsOf(
      { group: subject.group, resource: subject.kind, name: subject.name },
      {
        causes: told.map((error) => ({
          reason: error.type,
          message: formatFieldError(error),
          field: error.path === '' ? '<nil>' : error.path,
        })),
      },
    ),
  })
}

/** Turns whatever was thrown into the Status that a client gets. */
export function toStatusError(error: unknown): StatusError {
  return error instanceof StatusError ? error : internalError(error)
}

import type { ErrorCode, FieldProblem } from '../wire/error.ts'

/**
 * What can go wrong with a call. Which class it is says what to do: ask again later (Throttled, Unavailable, Conflict), mend the
 * credentials (Unauthorized) or mend the request (Invalid, QuotaExceeded).
 */
export class SimCloudError extends Error {
  readonly code: ErrorCode | 'NoAnswer'
  readonly status: number | undefined

  constructor(message: string, { code, status, cause }: { code: ErrorCode | 'NoAnswer'; status?: number | undefined; cause?: unknown }) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = new.target.name
    this.code = code
    this.status = status
  }
}

export class NotFoundError extends SimCloudError {}

/** Something stands in the way: the name is taken, children need it, an operation is running. `code` tells which. */
export class ConflictError extends SimCloudError {}

/** The token is unknown (401) or gives no right to this (403). */
export class UnauthorizedError extends SimCloudError {}

export class QuotaExceededError extends SimCloudError {}

/** Trying again without a change is useless. */
export class InvalidError extends SimCloudError {
  readonly fields: readonly FieldProblem[]
  constructor(message: string, options: { code: ErrorCode; status: number; fields: readonly FieldProblem[] }) {
    super(message, options)
    this.fields = options.fields
  }
}

export class ThrottledError extends SimCloudError {
  readonly retryAfterSeconds: number
  constructor(message: string, options: { code: ErrorCode; status: number; retryAfterSeconds: number }) {
    super(message, options)
    this.retryAfterSeconds = options.retryAfterSeconds
  }
}

/** No usable answer: the service is down, failed, or took too long. */
export class UnavailableError extends SimCloudError {
  /** The request may have been carried out although nobody said so. Look before doing it again. */
  readonly mayHaveTakenEffect: boolean
  constructor(message: string, options: { code: ErrorCode | 'NoAnswer'; status?: number; mayHaveTakenEffect: boolean; cause?: unknown }) {
    super(message, options)
    this.mayHaveTakenEffect = options.mayHaveTakenEffect
  }
}

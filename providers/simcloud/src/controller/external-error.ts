import { ExternalError } from '@weft/provider-sdk'
import {
  ConflictError,
  InvalidError,
  NotFoundError,
  QuotaExceededError,
  ThrottledError,
  UnauthorizedError,
  UnavailableError,
} from '../client/errors.ts'

/** What went wrong, in the provider SDK's terms. */
export function externalErrorOf(error: unknown): unknown {
  if (error instanceof ConflictError) return ofConflict(error)
  if (error instanceof ThrottledError)
    return new ExternalError('Throttled', error.message, { retryAfterMs: error.retryAfterSeconds * 1000, cause: error })
  if (error instanceof UnavailableError)
    return new ExternalError('Unavailable', error.message, { mayHaveTakenEffect: error.mayHaveTakenEffect, cause: error })
  // A quota is raised by somebody, like a right is given.
  if (error instanceof UnauthorizedError || error instanceof QuotaExceededError)
    return new ExternalError('Denied', error.message, { cause: error })
  if (error instanceof InvalidError) {
    const fields = error.fields.map(({ field, message }) => `${field}: ${message}`).join('; ')
    // Parents may be on their way: objects are applied in any order.
    return new ExternalError(
      error.code === 'ParentNotFound' ? 'DependencyViolation' : 'Invalid',
      fields === '' ? error.message : `${error.message}: ${fields}`,
      { cause: error },
    )
  }
  if (error instanceof NotFoundError) return new ExternalError('DependencyViolation', error.message, { cause: error })
  return error
}

function ofConflict(error: ConflictError): ExternalError {
  switch (error.code) {
    // The token was ours: an earlier create of this very object made it, with parameters that have changed since.
    case 'TokenMismatch':
    case 'AlreadyExists':
      return new ExternalError('AlreadyExists', error.message, { cause: error })
    case 'PreconditionFailed':
      return new ExternalError('Unavailable', error.message, { mayHaveTakenEffect: false, cause: error })
    default:
      return new ExternalError('DependencyViolation', error.message, { cause: error })
  }
}

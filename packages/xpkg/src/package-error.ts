import { messageOf } from '@weft/api'

/**
 * Why a package could not be read, fetched, built or pushed.
 *
 * - `Malformed`: what it holds is not a package; its author must mend it.
 * - `NotAllowed`: it holds a kind that a package of its type may not carry, or it is where packages may not be read from.
 * - `Unsupported`: a valid package of a sort that Weft does not run.
 * - `NotFound`: there is nothing at that place.
 * - `Unauthorized`: the registry wants other credentials.
 * - `DigestMismatch`: the bytes are not those that were asked for; they were damaged or tampered with.
 * - `SignatureInvalid`: nobody trusted has signed it.
 * - `TooLarge`: it exceeds a limit.
 * - `Unavailable`: the registry is down, slow or broken; worth another try later.
 */
export type PackageErrorCode =
  | 'Malformed'
  | 'NotAllowed'
  | 'Unsupported'
  | 'NotFound'
  | 'Unauthorized'
  | 'DigestMismatch'
  | 'SignatureInvalid'
  | 'TooLarge'
  | 'Unavailable'

/** The message names the package or file, says what is wrong and what to do. It never holds a credential. */
export class PackageError extends Error {
  readonly code: PackageErrorCode

  constructor(code: PackageErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'PackageError'
    this.code = code
  }

  /** May the same call succeed later without anybody changing anything? */
  get retryable(): boolean {
    return this.code === 'Unavailable'
  }
}

/** The same error, with what was being done when it occurred in front of it. */
export function whileDoing(what: string, error: unknown): PackageError {
  if (error instanceof PackageError) return new PackageError(error.code, `${what}: ${error.message}`, { cause: error })
  return new PackageError('Malformed', `${what}: ${messageOf(error)}`, { cause: error })
}

export type ExternalErrorCode =
  /** The external system cannot be reached or is failing. */
  | 'Unavailable'
  /** It asks to slow down; see `retryAfterMs`. */
  | 'Throttled'
  /** The credentials are wrong or not allowed to do this. */
  | 'Denied'
  /** What the resource asks for is not acceptable; it will not become so by itself. */
  | 'Invalid'
  /** Something with this name is there already. */
  | 'AlreadyExists'
  /** Something it needs is not there yet, or something that needs it is still there. */
  | 'DependencyViolation'

export interface ExternalErrorOptions {
  readonly retryAfterMs?: number | undefined
  /**
   * Can the call have changed something although it failed? `Unavailable` may unless told otherwise (an answer can get lost), the
   * other codes mean that the system refused.
   */
  readonly mayHaveTakenEffect?: boolean | undefined
  readonly cause?: unknown
}

/** A failure of the external system whose meaning is known. The message is shown to users and must hold no secret. */
export class ExternalError extends Error {
  readonly code: ExternalErrorCode
  readonly retryAfterMs: number | undefined
  readonly mayHaveTakenEffect: boolean

  constructor(code: ExternalErrorCode, message: string, options: ExternalErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'ExternalError'
    this.code = code
    this.retryAfterMs = options.retryAfterMs
    this.mayHaveTakenEffect = options.mayHaveTakenEffect ?? code === 'Unavailable'
  }
}

export const hasExternalCode = (error: unknown, code: ExternalErrorCode): boolean => error instanceof ExternalError && error.code === code

/** Is it certain that the call changed nothing? Unknown errors are not. */
export const tookNoEffect = (error: unknown): boolean => error instanceof ExternalError && !error.mayHaveTakenEffect

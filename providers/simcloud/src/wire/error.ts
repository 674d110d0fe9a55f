/** Every failure is answered as `{"error": {...}}` with this status. The code tells apart what shares a status. */
export const ERROR_STATUS = {
  Invalid: 400,
  Immutable: 400,
  ParentNotFound: 400,
  Unauthenticated: 401,
  Forbidden: 403,
  QuotaExceeded: 403,
  NotFound: 404,
  MethodNotAllowed: 405,
  AlreadyExists: 409,
  InUse: 409,
  NotReady: 409,
  TokenMismatch: 409,
  PreconditionFailed: 412,
  TooLarge: 413,
  UnsupportedMediaType: 415,
  Throttled: 429,
  Internal: 500,
  Unavailable: 503,
} as const

export type ErrorCode = keyof typeof ERROR_STATUS

export interface FieldProblem {
  readonly field: string
  readonly message: string
}

export interface ErrorBody {
  readonly error: {
    readonly code: ErrorCode
    readonly message: string
    /** With Invalid, Immutable and ParentNotFound: each parameter that is wrong. */
    readonly fields?: readonly FieldProblem[]
  }
}

import type { ServiceError } from '@grpc/grpc-js'

/** The codes of gRPC that callers tell apart; there are others. */
export const GrpcCode = {
  Cancelled: 1,
  Unknown: 2,
  InvalidArgument: 3,
  DeadlineExceeded: 4,
  ResourceExhausted: 8,
  Unimplemented: 12,
  Internal: 13,
  Unavailable: 14,
} as const

/**
 * A call that failed in transport, or that the server refused. `message` names the method and says what the server or the transport said:
 * it may quote what was sent.
 */
export class GrpcError extends Error {
  readonly code: number
  /** As the server gave it. */
  readonly details: string

  constructor(method: string, { code, details }: Pick<ServiceError, 'code' | 'details'>, options?: ErrorOptions) {
    super(`${method} failed with code ${code}: ${details}`, options)
    this.name = 'GrpcError'
    this.code = code
    this.details = details
  }
}

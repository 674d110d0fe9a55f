import { ERROR_STATUS, type ErrorCode, type FieldProblem } from '../../wire/error.ts'

/** A request that the simulated cloud refuses. Everything else that is thrown is a fault of the simulator itself. */
export class CloudError extends Error {
  readonly code: ErrorCode
  readonly fields: readonly FieldProblem[]
  readonly retryAfterSeconds: number | undefined

  constructor(code: ErrorCode, message: string, more: { fields?: readonly FieldProblem[]; retryAfterSeconds?: number } = {}) {
    super(message)
    this.name = 'CloudError'
    this.code = code
    this.fields = more.fields ?? []
    this.retryAfterSeconds = more.retryAfterSeconds
  }

  get status(): number {
    return ERROR_STATUS[this.code]
  }
}

export const invalidFields = (
  code: 'Invalid' | 'Immutable' | 'ParentNotFound',
  what: string,
  fields: readonly FieldProblem[],
): CloudError =>
  new CloudError(code, `${what} is refused: ${fields.map(({ field, message }) => `${field} ${message}`).join('; ')}`, { fields })

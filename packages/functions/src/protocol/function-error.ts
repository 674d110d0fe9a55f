/** Why there is no answer. A function that answers with a fatal result has answered: that is no FunctionError. */
export type FunctionErrorCode =
  /** No function of that name is installed, or it is nowhere to be reached. */
  | 'NotFound'
  /** It cannot be reached, or went away during the call. */
  | 'Unavailable'
  /** It did not answer in time. */
  | 'DeadlineExceeded'
  /** The caller gave up. */
  | 'Cancelled'
  /** What it answered is no RunFunctionResponse, or larger than allowed. */
  | 'BadAnswer'
  /** It answered with another error of its own. */
  | 'Failed'

/** The message names the function and says what to do; it goes into a condition as it stands. */
export class FunctionError extends Error {
  readonly code: FunctionErrorCode
  constructor(code: FunctionErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'FunctionError'
    this.code = code
  }
}

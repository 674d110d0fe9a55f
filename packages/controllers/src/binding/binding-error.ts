/**
 * Why a claim cannot go on. What the user has to do about it is in the message, which ends up in the claim's condition and in an event;
 * the controller tries again, since most of these are cured by somebody changing something else.
 */
export type BindingErrorCode =
  /** The target belongs to somebody else, is released, or is being deleted. */
  | 'Refused'
  | 'ClassNotFound'
  /** The class cannot be used: it is for another kind, or it cannot be rendered. */
  | 'ClassUnusable'
  | 'ResourceNotFound'
  /** The server does not serve a kind that is needed. */
  | 'KindNotActive'
  /** A secret is not ours to read or to write. */
  | 'SecretRefused'
  /** The server refused what was rendered. */
  | 'Rejected'

export class BindingError extends Error {
  readonly code: BindingErrorCode

  constructor(code: BindingErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'BindingError'
    this.code = code
  }
}

/**
 * Every function of this package is total: it answers a value or says what is wrong, and throws only on a bug.
 * Callers switch on `ok`, and on `error.code` where the cause matters; messages are for people.
 */
export type Result<T, E = CompositionError> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: E }

export type CompositionErrorCode =
  /** The text is not a field path; `position` says where. */
  | 'FieldPathSyntax'
  /** An array index or a depth beyond what is allowed. */
  | 'FieldPathLimit'
  /** The path leads nowhere in this object. Often not an error at all: an optional patch is skipped. */
  | 'FieldNotFound'
  /** The path goes through something that is no object or no list. */
  | 'FieldTypeMismatch'
  /** A transform cannot take this input. */
  | 'TransformFailed'
  /** A patch could not be applied; `cause` says why. */
  | 'PatchFailed'
  /** A patch whose policy is Required found nothing to read. */
  | 'RequiredFieldMissing'
  /** The rendered object is not one we may apply (for example a patch changed its kind). */
  | 'RenderFailed'
  /** A connection detail cannot be read. */
  | 'ConnectionDetailInvalid'
  /** A field that must hold one thing holds several, or something else. */
  | 'FieldInvalid'

export interface CompositionError {
  readonly code: CompositionErrorCode
  readonly message: string
  /** The field path concerned, where there is one. */
  readonly path?: string
  /** Zero-based offset into the text that was parsed. */
  readonly position?: number
  readonly cause?: CompositionError
}

export const success = <T>(value: T): { readonly ok: true; readonly value: T } => ({ ok: true, value })

export const failure = (
  code: CompositionErrorCode,
  message: string,
  more?: Pick<CompositionError, 'path' | 'position' | 'cause'>,
): { readonly ok: false; readonly error: CompositionError } => ({ ok: false, error: { code, message, ...more } })

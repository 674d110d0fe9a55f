/** Why the PKI cannot be used. The message names the file and says what to do. */
export type PkiErrorCode = 'damaged' | 'expired' | 'not-yet-valid' | 'missing' | 'io' | 'invalid-host'

export class PkiError extends Error {
  readonly code: PkiErrorCode
  readonly file: string | undefined

  constructor(code: PkiErrorCode, message: string, options: { file?: string; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'PkiError'
    this.code = code
    this.file = options.file
  }
}

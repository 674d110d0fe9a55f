/** What proves who we are, for one request. Certificates take effect per connection, the rest per request. */
export interface Credential {
  /** Value of the Authorization header. Never logged. */
  readonly authorization?: string
  /** PEM. */
  readonly certificate?: string
  readonly key?: string
}

/**
 * Where credentials come from. `current` is called before each request and must be cheap when nothing changed;
 * concurrent calls share one fetch. `reject` is called when the server answered 401 to that credential: the next
 * `current` should fetch anew. The same credential object means the same connection may be used.
 */
export interface CredentialSource {
  current(signal?: AbortSignal): Promise<Credential>
  reject(credential: Credential): void
}

export type CredentialErrorCode = 'FileUnreadable' | 'PluginMissing' | 'PluginFailed' | 'PluginAnswerInvalid' | 'Unsupported'

/** No credentials could be had. Says which file or program, never what was in it. */
export class CredentialError extends Error {
  readonly code: CredentialErrorCode

  constructor(code: CredentialErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'CredentialError'
    this.code = code
  }
}

export function staticCredentials(credential: Credential): CredentialSource {
  return { current: () => Promise.resolve(credential), reject: () => undefined }
}

export const bearer = (token: string): string => `Bearer ${token}`

export const basic = (username: string, password: string): string => `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`

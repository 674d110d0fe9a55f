import { getOwn, isJsonObject } from '@weft/api'

/** What the Secret behind a Provider holds under its key, as JSON: where the simulated cloud is and who we are there. */
export interface SimCloudCredentials {
  readonly endpoint: string
  readonly token: string
  /** Absent when the Provider itself names the project, subscription or account. */
  readonly account?: string
}

export class CredentialsError extends Error {
  readonly code = 'BadCredentials'
  constructor(why: string) {
    super(`the credentials are not usable: ${why}`)
    this.name = 'CredentialsError'
  }
}

/** Never quotes the text in an error: it is a secret. */
export function parseCredentials(text: string): SimCloudCredentials {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new CredentialsError('they must be JSON with endpoint and token')
  }
  if (!isJsonObject(value)) throw new CredentialsError('they must be a JSON object with endpoint and token')
  const [endpoint, token, account] = ['endpoint', 'token', 'account'].map((key) => getOwn(value, key))
  if (typeof endpoint !== 'string' || !isHttpUrl(endpoint)) throw new CredentialsError('endpoint must be an http or https URL')
  if (typeof token !== 'string' || !/^[\x21-\x7e]+$/.test(token)) throw new CredentialsError('token must be text without spaces')
  if (account !== undefined && (typeof account !== 'string' || account === '')) throw new CredentialsError('account must be text')
  return { endpoint, token, ...(account !== undefined && { account }) }
}

function isHttpUrl(text: string): boolean {
  try {
    return ['http:', 'https:'].includes(new URL(text).protocol)
  } catch {
    return false
  }
}

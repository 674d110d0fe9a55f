import { PackageError } from '../package-error.ts'
import { type Challenge, parseChallenges } from './challenge.ts'
import type { CredentialSource, RegistryCredentials } from './credentials.ts'
import { type HttpResponse, isLoopback, send } from './http.ts'

const TOKEN_BYTES = 1024 * 1024

export interface AuthenticatorOptions {
  readonly registry: string
  /** What is to be done: `repository:team/app:pull`. */
  readonly scope: string
  /** Hosts that may be sent credentials without TLS; those on this machine always may. */
  readonly plainHttp: readonly string[]
  readonly credentials: CredentialSource | undefined
  readonly signal: AbortSignal
}

/** Answers challenges of one registry for one scope, and remembers the answer. */
export interface Authenticator {
  /** For the next request; undefined before the first challenge. */
  header(): string | undefined
  /** After 401: asks for a token, or prepares the password. Rejects with `Unauthorized` when there is no way in. */
  answer(challenge: HttpResponse): Promise<void>
  /** What to do where it is refused all the same. */
  advice(): string
}

export function createAuthenticator(options: AuthenticatorOptions): Authenticator {
  let header: string | undefined
  let credentials: Promise<RegistryCredentials | undefined> | undefined
  let known: RegistryCredentials | undefined
  return {
    header: () => header,
    advice: () => adviceFor(options, known),
    async answer(response) {
      known = await (credentials ??= options.credentials?.(options.registry) ?? Promise.resolve(undefined))
      const challenges = parseChallenges(response.headers['www-authenticate'] ?? '')
      const bearer = challenges.find(({ scheme }) => scheme === 'bearer')
      const next = bearer === undefined ? basic(known, challenges, options) : `Bearer ${await fetchToken(bearer, known, options)}`
      // The same answer again would be refused again.
      if (next === header && !next.startsWith('Bearer')) throw refused(options, known)
      header = next
    },
  }
}

function basic(known: RegistryCredentials | undefined, challenges: readonly Challenge[], options: AuthenticatorOptions): string {
  if (!challenges.some(({ scheme }) => scheme === 'basic') || known === undefined || !('username' in known)) throw refused(options, known)
  return basicHeader(known)
}

const basicHeader = ({ username, password }: { username: string; password: string }): string =>
  `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`

function refused(options: AuthenticatorOptions, known: RegistryCredentials | undefined): PackageError {
  const { registry, scope } = options
  const [, repository = '', actions = ''] = scope.split(':')
  return new PackageError(
    'Unauthorized',
    `${registry} refuses to let ${repository} be ${actions.includes('push') ? 'written' : 'read'}: ${adviceFor(options, known)}`,
  )
}

const adviceFor = ({ registry }: AuthenticatorOptions, known: RegistryCredentials | undefined): string =>
  known === undefined
    ? `sign in with docker login ${registry}, or name a pull secret`
    : 'the credentials it was given are wrong or lack the right'

/** The token service that a registry names: anonymously, by password, or by the token that `docker login` kept. */
async function fetchToken(
  { parameters }: Challenge,
  known: RegistryCredentials | undefined,
  options: AuthenticatorOptions,
): Promise<string> {
  const { registry, scope, plainHttp, signal } = options
  const realm = realmOf(parameters['realm'], registry)
  if (realm.protocol !== 'https:' && !isLoopback(realm.hostname) && !plainHttp.includes(realm.host))
    throw new PackageError('Unauthorized', `${registry} wants tokens from ${realm.host} without TLS; that is refused`)
  const service = parameters['service']
  const response =
    known !== undefined && 'identityToken' in known
      ? await send({
          method: 'POST',
          url: realm,
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
          body: new URLSearchParams({
            grant_type: 'refresh_token',
            refresh_token: known.identityToken,
            client_id: 'weft',
            service: service ?? '',
            scope,
          }).toString(),
          maxBytes: TOKEN_BYTES,
          signal,
        })
      : await send({
          method: 'GET',
          url: withQuery(realm, { ...(service !== undefined && { service }), scope }),
          headers: known === undefined ? {} : { authorization: basicHeader(known) },
          maxBytes: TOKEN_BYTES,
          signal,
        })
  if (response.status === 401 || response.status === 403) throw refused(options, known)
  if (response.status !== 200)
    throw new PackageError('Unavailable', `${realm.host} gave no token for ${registry}: status ${response.status}`)
  return tokenIn(response.body, realm)
}

function realmOf(text: string | undefined, registry: string): URL {
  try {
    const realm = new URL(text ?? '')
    if (realm.protocol === 'https:' || realm.protocol === 'http:') return realm
  } catch {
    // Said below.
  }
  throw new PackageError('Unavailable', `${registry} wants a token, but names no service that gives one`)
}

function withQuery(url: URL, query: Readonly<Record<string, string>>): URL {
  const result = new URL(url)
  for (const [name, value] of Object.entries(query)) result.searchParams.set(name, value)
  return result
}

function tokenIn(body: Uint8Array, { host }: URL): string {
  try {
    const { token, access_token: accessToken } = JSON.parse(Buffer.from(body).toString()) as { token?: unknown; access_token?: unknown }
    const found = token ?? accessToken
    // What ends up in a header must not be able to end it.
    if (typeof found === 'string' && /^[\x21-\x7e]+$/.test(found)) return found
  } catch {
    // Said below, without quoting what may be a token.
  }
  throw new PackageError('Unavailable', `${host} answered without a token`)
}

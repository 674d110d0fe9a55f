import type { IncomingMessage, ServerResponse } from 'node:http'
import type { HttpTransportOptions } from '@weft/client'
import type { Session } from '../../contract.ts'
import { Refusal, sendJson } from '../answer.ts'
import { readJsonObject } from '../body.ts'
import type { SessionCookie } from '../guard/cookie.ts'
import { type Identity, identify, withToken } from '../session/identity.ts'
import type { ConsoleSession, Sessions } from '../session/sessions.ts'
import type { SignInCodes } from '../session/sign-in-codes.ts'

export interface SignInServices {
  /** How to reach the API, and as whom the one-time link signs in. */
  readonly server: HttpTransportOptions
  /** Where that user works, if anybody said. */
  readonly namespace?: string | undefined
  readonly sessions: Sessions
  readonly codes: SignInCodes
  readonly cookie: SessionCookie
}

const MAX_SIGN_IN_BYTES = 64 * 1024

/** A token or the code of a link, for a session. Whoever was signed in before in this browser is signed out. */
export async function signIn(request: IncomingMessage, response: ServerResponse, services: SignInServices): Promise<void> {
  const { server, sessions, cookie } = services
  const identity = await identityOf(await readJsonObject(request, MAX_SIGN_IN_BYTES), services)
  const old = sessions.find(cookie.read(request) ?? '')
  if (old !== undefined) sessions.end(old)
  // The id is made now: one that was planted before the sign-in is worth nothing.
  const { id, session } = sessions.begin(identity)
  cookie.set(response, id)
  sendJson(response, 200, describe(session, server))
}

export function describe({ identity, expires, csrfToken }: ConsoleSession, { server }: HttpTransportOptions): Session {
  return {
    user: identity.user,
    groups: identity.groups,
    expires: new Date(expires).toISOString(),
    csrfToken,
    ...(identity.namespace !== undefined && { namespace: identity.namespace }),
    server: { address: server, version: identity.serverVersion },
  }
}

async function identityOf(given: Readonly<Record<string, unknown>>, { server, codes, namespace }: SignInServices): Promise<Identity> {
  const { token, code, namespace: chosen } = given
  if (typeof token === 'string' && code === undefined)
    return { ...(await identify(withToken(server, token))), ...(typeof chosen === 'string' && chosen !== '' && { namespace: chosen }) }
  if (typeof code !== 'string' || token !== undefined)
    throw new Refusal(400, 'BadRequest', 'sign in with a token or with the code of a link')
  if (!codes.redeem(code))
    throw new Refusal(
      401,
      'Unauthorized',
      'this link was used before or has expired: get a new one with `weft open` or `weft console`, or paste a token',
    )
  return { ...(await identify(server)), ...(namespace !== undefined && { namespace }) }
}

import { isJsonObject, messageOf } from '@weft/api'
import { type Client, createClient, createForwarder, type Forwarder, httpTransport, type HttpTransportOptions } from '@weft/client'
import { Refusal } from '../answer.ts'
import { ask, memberOf } from '../proxy/ask.ts'

/** A user of the Kubernetes API, and the means to act as them. The browser sees the name and the groups, nothing else. */
export interface Identity {
  readonly user: string
  readonly groups: readonly string[]
  /** Where they work, if told. */
  readonly namespace?: string
  /** As `/version` says it; empty when it says nothing. */
  readonly serverVersion: string
  readonly forwarder: Forwarder
  /** For what the console computes on the server; made when it is first asked for. */
  client(): Client
  close(): Promise<void>
}

const SELF_REVIEW = '/apis/authentication.k8s.io/v1/selfsubjectreviews'
/** Longer than any token that is in use; headers have limits of their own. */
const MAX_TOKEN_LENGTH = 16_384

/** Asks the server who these credentials are. Refuses with 401 when it does not accept them. */
export async function identify(options: HttpTransportOptions): Promise<Identity> {
  const forwarder = createForwarder({ ...options, userAgent: 'weft-console' })
  try {
    const user = await whoIs(forwarder, options.server)
    const gitVersion = memberOf(await ask(forwarder, 'GET', '/version'), 'gitVersion')
    let client: Client | undefined
    return {
      ...user,
      serverVersion: typeof gitVersion === 'string' ? gitVersion : '',
      forwarder,
      client: () =>
        (client ??= createClient({ transport: httpTransport({ ...options, userAgent: 'weft-console' }), fieldManager: 'weft-console' })),
      async close() {
        await forwarder.close()
        await client?.transport.close()
      },
    }
  } catch (error) {
    await forwarder.close()
    throw error
  }
}

/** The same server, as whoever holds this token. Nothing of the credentials in `options` is used. */
export function withToken(options: HttpTransportOptions, token: string): HttpTransportOptions {
  const { server, ca, tlsServerName, insecureSkipTlsVerify, proxyUrl, clock, random } = options
  return { server, ca, tlsServerName, insecureSkipTlsVerify, proxyUrl, clock, random, token: checkedToken(token) }
}

function checkedToken(token: string): string {
  const trimmed = token.trim()
  if (trimmed === '') throw new Refusal(401, 'Unauthorized', 'paste a token of the server')
  if (trimmed.length > MAX_TOKEN_LENGTH || !/^[\x21-\x7e]+$/.test(trimmed))
    throw new Refusal(401, 'Unauthorized', 'this is not a token: paste it without spaces, line breaks or quotes')
  return trimmed
}

async function whoIs(forwarder: Forwarder, server: string): Promise<Pick<Identity, 'user' | 'groups'>> {
  const review = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' }
  const answer = await ask(forwarder, 'POST', SELF_REVIEW, review).catch((cause: unknown) => {
    throw new Refusal(503, 'ServiceUnavailable', `cannot reach the server ${server}: ${messageOf(cause)}`, { cause })
  })
  const { status } = answer
  if (status === 401) throw new Refusal(401, 'Unauthorized', `the server ${server} does not accept this token; it may have expired`)
  // Servers before 1.28 cannot tell, and some do not let users ask. Who is refused gets 401.
  if (status === 403 || status === 404) return { user: '', groups: [] }
  const info = memberOf(answer, 'status', 'userInfo')
  if (status >= 300 || !isJsonObject(info))
    throw new Refusal(502, 'InternalError', `the server ${server} did not say who this is (status ${status})`)
  const { username, groups } = info
  return {
    user: typeof username === 'string' ? username : '',
    groups: Array.isArray(groups) ? groups.filter((group) => typeof group === 'string') : [],
  }
}

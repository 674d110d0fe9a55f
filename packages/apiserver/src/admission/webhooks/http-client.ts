import { type JsonValue, JsonSyntaxError, parseJson } from '@weft/api'
import type { Agent, errors } from 'undici'
import type { Endpoint, Trust } from './endpoint.ts'
import { describeFailure, HttpFailure, statusFailure } from './http-failure.ts'

const MAX_RESPONSE_BYTES = 3 * 1024 * 1024
/** Bundles differ per webhook at most; more than this many at once means that they are being rotated. */
const MAX_AGENTS = 64
const MAX_CONNECTIONS = 128

/**
 * Sends reviews to webhooks: POST of JSON over TLS, answered with JSON. Connections are kept and shared per set of
 * trusted authorities and server name. Redirects are never followed: a webhook must not be able to send an object, which
 * may be a Secret, elsewhere.
 */
export interface WebhookClient {
  /** The answer, parsed. Rejects with HttpFailure, also when `timeoutSeconds` are over, whatever was received by then. */
  post(endpoint: Endpoint, body: string, timeoutSeconds: number): Promise<JsonValue>
  /** Drops all connections; calls under way fail, and so do later ones. */
  close(): Promise<void>
}

export function createWebhookClient(): WebhookClient {
  const agents = new Map<string, Promise<Agent>>()
  let closed = false

  /** Least recently used goes first. */
  function agentFor(trust: Trust, serverName: string | undefined): Promise<Agent> {
    const key = `${trust.id} ${serverName ?? ''}`
    const known = agents.get(key)
    const agent = known ?? createAgent(trust, serverName)
    agents.delete(key)
    agents.set(key, agent)
    for (const [oldest, stale] of agents) {
      if (agents.size <= MAX_AGENTS) break
      agents.delete(oldest)
      void stale.then((agent) => agent.close())
    }
    return agent
  }

  return {
    async post(endpoint, body, timeoutSeconds) {
      if (closed) throw new HttpFailure('the server is shutting down')
      const url = `${endpoint.url}?timeout=${timeoutSeconds}s`
      const deadline = new AbortController()
      const timer = setTimeout(() => deadline.abort(), timeoutSeconds * 1000)
      const send = async (): Promise<JsonValue> =>
        exchange(await agentFor(endpoint.trust, endpoint.serverName), endpoint, { body, timeoutSeconds, signal: deadline.signal })
      try {
        return await send().catch((error: unknown) => {
          if (!wasIdleConnection(error)) throw error
          return send()
        })
      } catch (error) {
        if (error instanceof HttpFailure) throw error
        const why = deadline.signal.aborted ? 'context deadline exceeded' : describeFailure(error, endpoint)
        throw new HttpFailure(`Post "${url}": ${why}`, { cause: error })
      } finally {
        clearTimeout(timer)
      }
    },
    async close() {
      closed = true
      const all = await Promise.all(agents.values())
      agents.clear()
      await Promise.all(all.map((agent) => agent.destroy()))
    },
  }
}

async function createAgent({ ca }: Trust, serverName: string | undefined): Promise<Agent> {
  // Loaded with the first webhook: most servers have none.
  const { Agent: HttpAgent } = await import('./undici.ts')
  return new HttpAgent({
    connections: MAX_CONNECTIONS,
    pipelining: 1,
    // The deadline of the call is the one that counts.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: {
      timeout: 0,
      // A bundle may hold the serving certificate itself or an intermediate one; each is trusted as it stands.
      ...(ca !== undefined && { ca, allowPartialTrustChain: true }),
      ...(serverName !== undefined && { servername: serverName }),
    },
  })
}

interface Sending {
  readonly body: string
  readonly timeoutSeconds: number
  readonly signal: AbortSignal
}

async function exchange(agent: Agent, { origin, path, host }: Endpoint, { body, timeoutSeconds, signal }: Sending): Promise<JsonValue> {
  const response = await agent.request({
    origin,
    path: `${path}?timeout=${timeoutSeconds}s`,
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, */*',
      'user-agent': 'weft-apiserver-admission',
      ...(host !== undefined && { host }),
    },
    body,
    signal,
  })
  const text = await readText(response.body).catch((error: unknown) => {
    if (error instanceof HttpFailure) throw error
    const why = signal.aborted ? 'context deadline exceeded' : 'unexpected EOF'
    throw new HttpFailure(`unexpected error when reading response body. Please retry. Original error: ${why}`, { cause: error })
  })
  const { statusCode } = response
  if (statusCode < 200 || statusCode > 206) throw statusFailure(statusCode, text, String(response.headers['content-type'] ?? ''))
  if (text === '')
    throw new HttpFailure(
      `0-length response with status code: ${statusCode} and content type: ${String(response.headers['content-type'] ?? '')}`,
    )
  try {
    return parseJson(text).value
  } catch (error) {
    if (error instanceof JsonSyntaxError)
      throw new HttpFailure(`couldn't get version/kind; json parse error: ${error.message}`, { cause: error })
    throw error
  }
}

async function readText(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    // Leaving the loop destroys the stream, and with it the connection.
    if (size > MAX_RESPONSE_BYTES) throw new HttpFailure(`the response is larger than ${MAX_RESPONSE_BYTES} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** The server closed a kept connection, one that has answered before, just when it was used again: not the webhook's answer. */
function wasIdleConnection(error: unknown): boolean {
  const { code, socket } = error as Partial<errors.SocketError>
  return code === 'UND_ERR_SOCKET' && (socket?.bytesRead ?? 0) > 0
}

import { Agent, request as httpsRequest } from 'node:https'
import type { IncomingMessage } from 'node:http'
import { parse as parseYaml } from 'yaml'

/** One request as a client would send it. The same value goes to both servers, except for what they generate themselves. */
export interface Call {
  readonly method: string
  /** With the query. */
  readonly path: string
  /** A string or Buffer is sent as it is, anything else as JSON. */
  readonly body?: unknown
  readonly contentType?: string
  readonly accept?: string
  readonly headers?: Readonly<Record<string, string | readonly string[]>>
  /** Impersonated; the administrator unless given. `null`: no credentials at all. */
  readonly user?: string | null
  readonly groups?: readonly string[]
}

export interface Answer {
  readonly status: number
  readonly contentType: string
  readonly warnings: readonly string[]
  readonly headers: Readonly<Record<string, string>>
  /** Parsed where it is JSON, else text. */
  readonly body: unknown
}

/** A server under comparison. */
export interface Endpoint {
  readonly name: string
  send(call: Call): Promise<Answer>
  /** Opens a stream and collects its lines until `until` is satisfied, the server ends it, or the time is over. */
  watch(call: Call, until: (events: readonly unknown[], ended: boolean) => boolean, limitMs: number): Promise<Watched>
  close(): void
}

export interface Watched {
  readonly answer: Omit<Answer, 'body'>
  readonly events: readonly unknown[]
  readonly ended: boolean
}

export const USER_AGENT = 'differential/1'
const ANSWER_MS = 15_000
const COMPARED_HEADERS = ['retry-after', 'cache-control', 'location', 'vary', 'allow']

export function endpoint(name: string, server: string, ca: string, token: string): Endpoint {
  const agent = new Agent({ keepAlive: true, maxSockets: 32, ca })
  const open = (call: Call): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      const body = bytesOf(call.body)
      const outgoing = httpsRequest(server + call.path, { method: call.method, agent, headers: headersOf(call, token, body) }, resolve)
      let answered = false
      outgoing.on('response', () => (answered = true))
      outgoing.on('error', (error) => {
        // A kept connection that the server closes just then, for a request that it has not read.
        if (outgoing.reusedSocket && !answered) open(call).then(resolve, reject)
        else reject(new Error(`${name}: ${call.method} ${call.path}: ${error.message}`, { cause: error }))
      })
      outgoing.setTimeout(ANSWER_MS, () => outgoing.destroy(new Error(`no answer within ${ANSWER_MS} ms`)))
      outgoing.end(body)
    })
  return {
    name,
    async send(call) {
      const message = await open(call)
      const text = await textOf(message)
      return { ...headOf(message), body: parsed(message, text) }
    },
    async watch(call, until, limitMs) {
      const message = await open(call)
      const events: unknown[] = []
      let ended = false
      if (message.statusCode !== 200) {
        const text = await textOf(message)
        return { answer: headOf(message), events: [parsed(message, text)], ended: true }
      }
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, limitMs)
        const done = (): void => {
          clearTimeout(timer)
          resolve()
        }
        let rest = ''
        message.setEncoding('utf8')
        message.on('data', (chunk: string) => {
          const lines = (rest + chunk).split('\n')
          rest = lines.pop() ?? ''
          for (const line of lines) if (line !== '') events.push(JSON.parse(line))
          if (until(events, false)) done()
        })
        const finish = (): void => {
          if (rest !== '') events.push(JSON.parse(rest))
          rest = ''
          ended = true
          done()
        }
        message.on('end', finish)
        message.on('error', finish)
        if (until(events, false)) done()
      })
      message.destroy()
      return { answer: headOf(message), events, ended }
    },
    close: () => agent.destroy(),
  }
}

function bytesOf(body: unknown): Buffer | undefined {
  if (body === undefined) return undefined
  if (Buffer.isBuffer(body)) return body
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
}

function headersOf(
  { contentType, accept, headers, user, groups, body: given }: Call,
  token: string,
  body: Buffer | undefined,
): Record<string, string | string[]> {
  const result: Record<string, string | string[]> = { 'user-agent': USER_AGENT, accept: accept ?? 'application/json' }
  if (user !== null) result['authorization'] = `Bearer ${token}`
  if (user !== undefined && user !== null) result['impersonate-user'] = user
  if (groups !== undefined) result['impersonate-group'] = [...groups]
  if (given !== undefined) result['content-type'] = contentType ?? 'application/json'
  if (body !== undefined) result['content-length'] = String(body.length)
  for (const [name, value] of Object.entries(headers ?? {})) result[name] = typeof value === 'string' ? value : [...value]
  if (result['accept'] === '') delete result['accept']
  return result
}

async function textOf(message: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of message) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

function parsed(message: IncomingMessage, text: string): unknown {
  if ((message.headers['content-type'] ?? '') === 'application/yaml') return parseYaml(text)
  if (!(message.headers['content-type'] ?? '').includes('json')) return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function headOf(message: IncomingMessage): Omit<Answer, 'body'> {
  const warnings: string[] = []
  const { rawHeaders } = message
  for (let i = 0; i < rawHeaders.length; i += 2) if (rawHeaders[i]?.toLowerCase() === 'warning') warnings.push(rawHeaders[i + 1] ?? '')
  const headers = Object.fromEntries(
    COMPARED_HEADERS.flatMap((name) => (message.headers[name] === undefined ? [] : [[name, String(message.headers[name])]])),
  )
  return { status: message.statusCode ?? 0, contentType: message.headers['content-type'] ?? '', warnings, headers }
}

import { Agent, request as httpsRequest } from 'node:https'
import type { IncomingMessage } from 'node:http'
import { decodeProtobuf, decodeProtobufEvent } from '@weft/apiserver'
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
  /** Parsed where it is JSON, YAML or protobuf, else text. */
  readonly body: unknown
}

/** A server under comparison. */
export interface Endpoint {
  readonly name: string
  send(call: Call): Promise<Answer>
  /**
   * Opens a stream and collects its events until `until` is satisfied, the server ends it, or the time is over. `onOpen`: the server has answered: it watches, or
   * refused to.
   */
  watch(call: Call, until: (events: readonly unknown[]) => boolean, limitMs: number, onOpen?: () => void): Promise<Watched>
  close(): void
}

export interface Watched {
  readonly answer: Omit<Answer, 'body'>
  readonly events: readonly unknown[]
  readonly ended: boolean
}

export const USER_AGENT = 'differential/1'
const ANSWER_MS = 60_000
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
      return { ...headOf(message), body: parsed(message, await bytesFrom(message)) }
    },
    async watch(call, until, limitMs, onOpen) {
      const message = await open(call)
      onOpen?.()
      const events: unknown[] = []
      let ended = false
      if (message.statusCode !== 200) {
        return { answer: headOf(message), events: [parsed(message, await bytesFrom(message))], ended: true }
      }
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, limitMs)
        const done = (): void => {
          clearTimeout(timer)
          resolve()
        }
        const take = isProtobuf(message) ? takeFrames : takeLines
        let rest: Buffer = Buffer.alloc(0)
        message.on('data', (chunk: Buffer) => {
          rest = take(Buffer.concat([rest, chunk]), events)
          if (until(events)) done()
        })
        const finish = (): void => {
          // What is no watch after all ends without a newline.
          if (rest.length > 0 && !isProtobuf(message)) events.push(JSON.parse(rest.toString()))
          rest = Buffer.alloc(0)
          ended = true
          done()
        }
        message.on('end', finish)
        message.on('error', finish)
        if (until(events)) done()
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

async function bytesFrom(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of message) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

const isProtobuf = (message: IncomingMessage): boolean =>
  (message.headers['content-type'] ?? '').startsWith('application/vnd.kubernetes.protobuf')

function parsed(message: IncomingMessage, bytes: Buffer): unknown {
  const type = message.headers['content-type'] ?? ''
  if (bytes.length > 0 && isProtobuf(message)) return decodeProtobuf(bytes)
  const text = bytes.toString()
  if (type.startsWith('application/yaml')) return parseYaml(text)
  if (!type.includes('json')) return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** The events that are complete; answers what is left. */
function takeLines(bytes: Buffer, events: unknown[]): Buffer {
  const end = bytes.lastIndexOf(10) + 1
  for (const line of bytes.subarray(0, end).toString().split('\n')) if (line !== '') events.push(JSON.parse(line))
  return bytes.subarray(end)
}

/** Each event follows its length in four bytes. */
function takeFrames(bytes: Buffer, events: unknown[]): Buffer {
  let at = 0
  while (bytes.length >= at + 4) {
    const end = at + 4 + bytes.readUInt32BE(at)
    if (bytes.length < end) break
    events.push(decodeProtobufEvent(bytes.subarray(at + 4, end)))
    at = end
  }
  return bytes.subarray(at)
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

import { Agent, request } from 'node:https'
import type { IncomingMessage } from 'node:http'
import type { Credentials } from '../credentials.ts'

/** No complete answer came. Unless the connection was refused, the request may or may not have been carried out. */
export class Disconnected extends Error {
  readonly outcome: 'unknown' | 'not sent'
  constructor(cause: Error & { code?: string }) {
    super(`disconnected: ${cause.message}`, { cause })
    this.outcome = cause.code === 'ECONNREFUSED' ? 'not sent' : 'unknown'
  }
}

export interface Answer {
  readonly status: number
  readonly body: Json
}

/** As much of an object, list or Status as these tests look at. */
export interface Json {
  readonly metadata: { readonly name: string; readonly resourceVersion: string; readonly labels?: Readonly<Record<string, string>> }
  readonly items?: readonly Json[]
  readonly data?: Readonly<Record<string, string>>
  readonly spec?: { readonly value: string }
  readonly message?: string
  readonly code?: number
}

/** One client with a connection of its own, kept open as long as the server lives. */
export class Connection {
  readonly #server: string
  readonly #agent: Agent

  constructor({ server, ca, cert, key }: Credentials) {
    this.#server = server
    this.#agent = new Agent({ keepAlive: true, maxSockets: 1, ca, cert, key })
  }

  async call(method: string, path: string, body?: object, contentType = 'application/json'): Promise<Answer> {
    const text = body === undefined ? undefined : JSON.stringify(body)
    const answer = await this.#send(method, path, text, contentType)
    return { status: answer.statusCode ?? 0, body: JSON.parse(await textOf(answer)) as Json }
  }

  /** Calls `onLine` for every complete line; resolves when the server ends the watch, rejects when it is cut. */
  async watch(path: string, onLine: (line: string) => void): Promise<void> {
    const answer = await this.#send('GET', path)
    if (answer.statusCode !== 200) throw new Error(`watch ${path}: ${answer.statusCode} ${await textOf(answer)}`)
    let rest = ''
    answer.setEncoding('utf8')
    await new Promise<void>((resolve, reject) => {
      answer.on('data', (text: string) => {
        const lines = (rest + text).split('\n')
        rest = lines.pop() ?? ''
        for (const line of lines) onLine(line)
      })
      answer.on('end', resolve)
      answer.on('error', (cause) => reject(new Disconnected(cause)))
    })
  }

  close(): void {
    this.#agent.destroy()
  }

  #send(method: string, path: string, text?: string, contentType?: string): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const headers = text === undefined ? {} : { 'content-type': contentType, 'content-length': Buffer.byteLength(text) }
      const call = request(new URL(path, this.#server), { method, headers, agent: this.#agent }, resolve)
      call.on('error', (cause) => reject(new Disconnected(cause)))
      call.end(text)
    })
  }
}

function textOf(answer: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    answer.setEncoding('utf8')
    answer.on('data', (piece: string) => (text += piece))
    answer.on('end', () => resolve(text))
    answer.on('error', (cause) => reject(new Disconnected(cause)))
  })
}

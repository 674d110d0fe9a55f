import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:https'
import type { Target } from '../load/load.ts'

export type SystemName = 'weft' | 'kubernetes'

/** A server under test, with the user that the load is sent as: not an administrator, so that every request is authorized by RBAC. */
export interface System {
  readonly name: SystemName
  readonly target: Target
  /** From the start of the process(es) until /readyz says so. */
  readonly startMs: number
  readonly admin: Admin
  /** Resident bytes of all its processes. */
  residentBytes(): number
  /** Of those, what is theirs alone: without code, and without what is mapped of files, which the operating system takes back when it needs it. */
  ownBytes(): number
  stop(): Promise<void>
}

export interface Credentials {
  readonly server: string
  readonly ca: string
  readonly cert?: string
  readonly key?: string
  readonly token?: string
}

interface Answer {
  readonly status: number
  readonly body: string
}

/** The administrator's requests: preparation, never measured. */
export class Admin {
  readonly #credentials: Credentials
  readonly #agent: Agent

  constructor(credentials: Credentials) {
    this.#credentials = credentials
    const { ca, cert, key } = credentials
    this.#agent = new Agent({ keepAlive: true, ca, ...(cert !== undefined && { cert, key }) })
  }

  /** Fails on any answer but success; `exists` lets 409 pass. */
  async post(path: string, object: object): Promise<Record<string, unknown>> {
    const { status, body } = await this.send('POST', path, { object })
    if (status >= 300 && status !== 409) throw new Error(`POST ${path}: ${status} ${body}`)
    return JSON.parse(body) as Record<string, unknown>
  }

  async get(path: string): Promise<Record<string, unknown> & { metadata?: { resourceVersion?: string } }> {
    const { status, body } = await this.send('GET', path)
    if (status !== 200) throw new Error(`GET ${path}: ${status} ${body}`)
    return JSON.parse(body) as Record<string, unknown>
  }

  /** How many bytes come: what a client makes of them is its own affair, and takes longer than sending them. */
  async read(path: string, accept: string): Promise<number> {
    const { status, body } = await this.send('GET', path, { accept })
    if (status !== 200) throw new Error(`GET ${path}: ${status} ${body}`)
    return body.length
  }

  send(method: string, path: string, { object, accept }: { object?: object; accept?: string } = {}): Promise<Answer> {
    const { server, token } = this.#credentials
    return new Promise((resolve, reject) => {
      const headers = {
        ...(object && { 'content-type': 'application/json' }),
        ...(accept !== undefined && { accept }),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      }
      const call = request(new URL(path, server), { method, headers, agent: this.#agent }, (answer) => {
        let body = ''
        answer.setEncoding('utf8')
        answer.on('data', (text: string) => (body += text))
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, body }))
      })
      call.on('error', reject)
      call.end(object && JSON.stringify(object))
    })
  }

  close(): void {
    this.#agent.destroy()
  }
}

export const residentBytes = (pids: readonly number[]): number => bytesOf(pids, /VmRSS:\s+(\d+) kB/)
export const ownBytes = (pids: readonly number[]): number => bytesOf(pids, /RssAnon:\s+(\d+) kB/)

function bytesOf(pids: readonly number[], line: RegExp): number {
  const kilobytes = (pid: number): number => Number(line.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? Number.NaN)
  return pids.reduce((sum, pid) => sum + kilobytes(pid) * 1024, 0)
}

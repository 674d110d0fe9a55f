import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Job {
  name: string
  capacity: string
  token: string
  phase: 'working' | 'ready' | 'leaving'
  /** How often somebody has to look before it is done. */
  looks: number
}

/** A service that accepts every change at once and is done with it later. Ids are its own: whoever asks twice has two. */
export interface SlowService {
  readonly url: string
  readonly jobs: Map<string, Job>
  /** Requests that changed something, in order. */
  readonly changes: string[]
  close(): Promise<void>
}

const LOOKS = 3

export async function startSlowService(): Promise<SlowService> {
  const jobs = new Map<string, Job>()
  const changes: string[] = []
  const server = createServer((request, response) => {
    void (async () => {
      const say = (status: number, body: object): void => {
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
      }
      const body = await bodyOf(request)
      const id = /^\/jobs\/(.*)$/.exec(request.url ?? '')?.[1] ?? ''
      const job = jobs.get(id)
      const shown = (of: string, { name, capacity, token, phase }: Job): object => ({ id: of, name, capacity, token, phase })
      if (request.method !== 'GET') changes.push(`${request.method ?? ''} ${job?.name ?? body['name'] ?? ''}`)
      if (request.method === 'POST') {
        const made = `job-${randomBytes(4).toString('hex')}`
        const next: Job = {
          name: body['name'] ?? '',
          capacity: body['capacity'] ?? '',
          token: `token-${made}`,
          phase: 'working',
          looks: LOOKS,
        }
        jobs.set(made, next)
        return say(202, shown(made, next))
      }
      if (job === undefined) return say(404, {})
      if (request.method === 'PUT') Object.assign(job, { capacity: body['capacity'] ?? '', phase: 'working', looks: LOOKS })
      if (request.method === 'DELETE') Object.assign(job, { phase: 'leaving', looks: LOOKS })
      if (request.method === 'GET' && job.phase !== 'ready' && --job.looks === 0) {
        if (job.phase === 'leaving') jobs.delete(id)
        else job.phase = 'ready'
      }
      return say(200, shown(id, job))
    })()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    jobs,
    changes,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function bodyOf(request: IncomingMessage): Promise<Record<string, string>> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  const text = Buffer.concat(parts).toString()
  return text === '' ? {} : ((JSON.parse(text) ?? {}) as Record<string, string>)
}

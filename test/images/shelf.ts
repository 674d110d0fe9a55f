import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

interface Kept {
  readonly size: number
  readonly owner: string
}

/** Where the test's provider keeps its parts: something outside, that outlives it. */
export interface Shelf {
  readonly address: string
  readonly parts: ReadonlyMap<string, Kept>
  /** How often a part was put there, by whom it is for: twice is once too often. */
  readonly made: ReadonlyMap<string, number>
  close(): Promise<void>
}

export async function startShelf(): Promise<Shelf> {
  const parts = new Map<string, Kept>()
  const made = new Map<string, number>()
  const server = createServer((request, response) => {
    const name = (request.url ?? '').slice(1)
    let text = ''
    request.on('data', (chunk: Buffer) => (text += chunk.toString()))
    request.once('end', () => {
      const answer = (status: number, body: object = {}): void => void response.writeHead(status).end(JSON.stringify(body))
      const found = parts.get(name)
      switch (request.method) {
        case 'GET':
          return found === undefined ? answer(404) : answer(200, found)
        case 'POST': {
          if (found !== undefined) return answer(409)
          const part = JSON.parse(text) as Kept
          parts.set(name, part)
          made.set(part.owner, (made.get(part.owner) ?? 0) + 1)
          return answer(201)
        }
        case 'PUT':
          parts.set(name, JSON.parse(text) as Kept)
          return answer(200)
        default:
          parts.delete(name)
          return answer(200)
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    parts,
    made,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

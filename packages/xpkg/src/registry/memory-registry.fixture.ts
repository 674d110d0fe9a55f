import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

/** As much of an OCI registry as pushing, pulling and signing take, in memory, on a free port of this machine. */
export interface MemoryRegistry {
  /** `127.0.0.1:port` */
  readonly host: string
  /** By `repository@digest` or `repository:tag`: what a test may look at, move or damage. */
  readonly manifests: Map<string, { bytes: Buffer; mediaType: string }>
  readonly blobs: Map<string, Buffer>
  /** Puts a manifest at `repository:tag`, and under its digest. */
  put(place: string, bytes: Buffer, mediaType: string): void
  /** What it was asked, as `GET /v2/…`. */
  readonly requests: string[]
  close(): Promise<void>
}

const digestOf = (bytes: Buffer): string => `sha256:${createHash('sha256').update(bytes).digest('hex')}`
const separated = (repository: string, reference: string): string =>
  `${repository}${reference.startsWith('sha256:') ? '@' : ':'}${reference}`

export async function startMemoryRegistry(): Promise<MemoryRegistry> {
  const manifests: MemoryRegistry['manifests'] = new Map()
  const blobs: MemoryRegistry['blobs'] = new Map()
  const requests: string[] = []
  const put: MemoryRegistry['put'] = (place, bytes, mediaType) => {
    const [repository = ''] = place.split(/[:@]/)
    for (const key of [place, separated(repository, digestOf(bytes))]) manifests.set(key, { bytes, mediaType })
  }
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://registry')
    const { method = 'GET' } = request
    requests.push(`${method} ${url.pathname}`)
    const answer = (status: number, headers: Record<string, string> = {}, body: Buffer = Buffer.alloc(0)): void => {
      response.writeHead(status, { ...headers, 'content-length': String(body.length) })
      response.end(method === 'HEAD' ? undefined : body)
    }
    const [, repository = '', sort = '', reference = ''] = /^\/v2\/(.+)\/(manifests|blobs|tags)\/(.*)$/.exec(url.pathname) ?? []
    void bodyOf(request).then((body) => {
      if (sort === 'manifests' && method === 'PUT') {
        put(separated(repository, reference), body, request.headers['content-type'] ?? '')
        return answer(201)
      }
      if (sort === 'manifests') {
        const found = manifests.get(separated(repository, reference))
        if (found === undefined) return answer(404)
        return answer(200, { 'content-type': found.mediaType, 'docker-content-digest': digestOf(found.bytes) }, found.bytes)
      }
      if (sort === 'tags') {
        const tags = [...manifests.keys()].flatMap((key) => (key.startsWith(`${repository}:`) ? [key.slice(repository.length + 1)] : []))
        return answer(200, { 'content-type': 'application/json' }, Buffer.from(JSON.stringify({ name: repository, tags })))
      }
      if (sort === 'blobs' && method === 'POST') return answer(202, { location: `/v2/${repository}/blobs/uploads/1` })
      if (sort === 'blobs' && method === 'PUT') {
        blobs.set(url.searchParams.get('digest') ?? '', body)
        return answer(201)
      }
      const blob = blobs.get(reference)
      return blob === undefined ? answer(404) : answer(200, { 'content-type': 'application/octet-stream' }, blob)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    manifests,
    blobs,
    put,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
  return Buffer.concat(chunks)
}

import { createServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { createMemoryPki } from '@weft/apiserver'

/** A conversion webhook that both servers can ask. */
export interface Converter {
  readonly url: string
  readonly caBundle: string
}

type Json = any

/** v1 has `spec.hostPort` where v2 has `spec.host` and `spec.port`. */
function convert(object: Json, desired: string): Json {
  const { hostPort, host, port, ...rest } = object.spec ?? {}
  const [first, second] = String(hostPort).split(':')
  const spec = desired.endsWith('/v2') ? { ...rest, host: first, port: second } : { ...rest, hostPort: `${host}:${port}` }
  return { ...object, apiVersion: desired, spec }
}

/** One for the whole process; it does not keep it alive. */
export const converter: Converter = await startConverter()

async function startConverter(): Promise<Converter> {
  const pki = createMemoryPki({ hosts: ['127.0.0.1'] })
  const server = createServer({ key: pki.serving.key, cert: pki.serving.certificate }, (request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { request: asked, ...review } = JSON.parse(Buffer.concat(chunks).toString()) as Json
      const convertedObjects = asked.objects.map((object: Json) => convert(object, asked.desiredAPIVersion))
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ ...review, response: { uid: asked.uid, result: { status: 'Success' }, convertedObjects } }))
    })
  })
  server.unref()
  server.on('connection', (socket: Socket) => socket.unref())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}/convert`,
    caBundle: Buffer.from(pki.ca.certificatePem).toString('base64'),
  }
}

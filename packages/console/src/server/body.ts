import type { IncomingMessage } from 'node:http'
import { Refusal } from './answer.ts'

/** What API servers accept is smaller. */
const MAX_BODY_BYTES = 4 * 1024 * 1024

/** The whole body; refuses what is too large before it is all here. */
export async function readBody(request: IncomingMessage, limit: number = MAX_BODY_BYTES): Promise<Buffer> {
  const tooLarge = (): Refusal => new Refusal(413, 'RequestEntityTooLarge', `the request is larger than ${limit} bytes`)
  if (Number(request.headers['content-length'] ?? 0) > limit) throw tooLarge()
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > limit) throw tooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** A JSON object that says that it is one: pages of other sites cannot send this type without being asked first. */
export async function readJsonObject(request: IncomingMessage, limit?: number): Promise<Readonly<Record<string, unknown>>> {
  const type = (request.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase()
  if (type !== 'application/json') throw new Refusal(415, 'UnsupportedMediaType', 'send JSON with content-type application/json')
  let value: unknown
  try {
    value = JSON.parse((await readBody(request, limit)).toString('utf8'))
  } catch (error) {
    if (error instanceof Refusal) throw error
    // The parser quotes the text, which may hold a token.
    throw new Refusal(400, 'BadRequest', 'the request body is not JSON')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Refusal(400, 'BadRequest', 'the request body must be a JSON object')
  return value as Readonly<Record<string, unknown>>
}

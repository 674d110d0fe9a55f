import type { IncomingMessage } from 'node:http'
import { isJsonObject, type JsonObject, JsonSyntaxError, parseJson } from '@weft/api'
import { CloudError } from '../resources/cloud-error.ts'

export const MAX_BODY_BYTES: number = 256 * 1024

/** The body as an object. A request without one, with another type, too large or not JSON is refused with what is wrong. */
export async function readObject(request: IncomingMessage): Promise<JsonObject> {
  const type = (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase()
  if (type !== 'application/json') throw new CloudError('UnsupportedMediaType', 'the body must be application/json')
  const text = await readText(request)
  let value
  try {
    value = parseJson(text).value
  } catch (error) {
    if (error instanceof JsonSyntaxError) throw new CloudError('Invalid', `the body is not JSON: ${error.message}`)
    throw error
  }
  if (!isJsonObject(value)) throw new CloudError('Invalid', 'the body must be a JSON object')
  return value
}

async function readText(request: IncomingMessage): Promise<string> {
  const tooLarge = (): CloudError => new CloudError('TooLarge', `the body must not be larger than ${MAX_BODY_BYTES} bytes`)
  if (Number(request.headers['content-length'] ?? 0) > MAX_BODY_BYTES) throw tooLarge()
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > MAX_BODY_BYTES) throw tooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

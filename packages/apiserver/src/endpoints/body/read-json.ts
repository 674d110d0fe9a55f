import { badRequest, parseJson } from '@weft/api'
import type { RequestBody } from '../exchange.ts'

/** A question that is sent to a path beside the resources; undefined where nothing was sent. Throws 413 for what is longer than `mostBytes`, 400 for what is no JSON. */
export async function readJson(body: RequestBody, mostBytes: number): Promise<unknown> {
  switch (body.kind) {
    case 'none':
      return undefined
    case 'object':
      return body.object
    case 'bytes': {
      const bytes = await body.read(mostBytes)
      try {
        return parseJson(bytes.toString()).value
      } catch {
        throw badRequest('the request is not JSON')
      }
    }
  }
}

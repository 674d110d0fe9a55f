import { createHash } from 'node:crypto'
import { isJsonObject } from '@weft/api'
import { requestMessage } from '../protocol/codec.ts'
import type { RunFunctionRequest } from '../protocol/request.ts'

/**
 * The message of a request, with a tag that is the same for the same question and for no other (K59): a function may keep its answers by it. One that
 * the caller gave stays.
 */
export function taggedMessage(request: RunFunctionRequest): ReturnType<typeof requestMessage> {
  if (request.meta?.tag !== undefined) return requestMessage(request)
  const { meta, ...question } = request
  // Of its JSON: to encode the message for this alone would cost as much as to send it.
  const tag = createHash('sha256')
    .update(JSON.stringify(sorted(question)))
    .digest('hex')
  return requestMessage({ ...question, meta: { ...meta, tag } })
}

/** Fields come in the order in which somebody wrote them, which says nothing. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (!isJsonObject(value)) return value
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, sorted(value[key])]),
  )
}

import { createHash } from 'node:crypto'
import { toBinary } from '@bufbuild/protobuf'
import { isJsonObject } from '@weft/api'
import { RunFunctionRequestSchema } from '../generated/apiextensions/fn/v1/function_runner_pb.ts'
import { requestMessage } from '../protocol/codec.ts'
import type { RunFunctionRequest } from '../protocol/request.ts'

/**
 * The message of a request, with a tag that is the same for the same question and for no other (K59): a function may keep its answers by it. One that
 * the caller gave stays.
 */
export function taggedMessage(request: RunFunctionRequest): ReturnType<typeof requestMessage> {
  if (request.meta?.tag !== undefined) return requestMessage(request)
  const { meta, ...question } = request
  const message = requestMessage(sorted(question) as RunFunctionRequest)
  const tag = createHash('sha256').update(toBinary(RunFunctionRequestSchema, message)).digest('hex')
  const { meta: tagged } = requestMessage({ meta: { ...meta, tag } })
  return tagged === undefined ? message : { ...message, meta: tagged }
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

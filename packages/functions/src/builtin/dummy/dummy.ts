import { mergeFromBinary, toBinary } from '@bufbuild/protobuf'
import { messageOf } from '@weft/api'
import { RunFunctionResponseSchema } from '../../generated/apiextensions/fn/v1/function_runner_pb.ts'
import { responseMessage, responseOf } from '../../protocol/codec.ts'
import type { RunFunctionRequest } from '../../protocol/request.ts'
import type { RunFunctionResponse } from '../../protocol/response.ts'

/**
 * Answers what its input says, over what it was given: lists are appended to, maps go by key. For trying out a pipeline, and for tests of
 * what asks functions.
 */
export function dummy(request: RunFunctionRequest): RunFunctionResponse {
  const { meta, desired, context, input } = request
  const tag = meta?.tag
  const standard: RunFunctionResponse = {
    meta: { ...(tag !== undefined && tag !== '' && { tag }), ttl: '60s' },
    ...(desired !== undefined && { desired }),
    ...(context !== undefined && { context }),
  }
  try {
    const answer = responseMessage(standard)
    const overlay = responseMessage((input?.['response'] ?? {}) as RunFunctionResponse)
    // Bytes after bytes are how the protocol itself says what merging means.
    return responseOf(mergeFromBinary(RunFunctionResponseSchema, answer, toBinary(RunFunctionResponseSchema, overlay)))
  } catch (error) {
    const message = `cannot unmarshal RunFunctionResponse from *v1.RunFunctionRequest: ${messageOf(error)}`
    return { ...standard, results: [{ severity: 'SEVERITY_FATAL', message, target: 'TARGET_COMPOSITE' }] }
  }
}

import { type ApiRequest, type ApiResponse, readJson } from '@weft/apiserver'
import { jsonResponse } from './json-response.ts'
import { Refused } from './refused.ts'

const MOST_BYTES = 32 * 1024 * 1024

/** The answer to a question that was sent to a path beside the API, as JSON; undefined: there is no such path. A question that is read has no body. */
export async function answerPath(
  { method, body }: ApiRequest,
  answer: (question: unknown) => Promise<object | undefined>,
): Promise<ApiResponse> {
  const found = await answer(method === 'POST' ? ((await readJson(body, MOST_BYTES)) ?? null) : undefined)
  if (found === undefined) return refusal(new Refused(404, 'there is no such path'))
  return found instanceof Refused ? refusal(found) : jsonResponse(200, found)
}

const refusal = ({ status }: Refused): ApiResponse => jsonResponse(status.code ?? 400, status)

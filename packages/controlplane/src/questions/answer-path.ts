import type { ApiRequest, ApiResponse } from '@weft/apiserver'
import { Refused } from './refused.ts'

const MOST_BYTES = 32 * 1024 * 1024

/** The answer to a question that was sent to a path beside the API, as JSON; undefined: there is no such path. A question that is read has no body. */
export async function answerPath(
  { method, body }: ApiRequest,
  answer: (question: unknown) => Promise<object | undefined>,
): Promise<ApiResponse> {
  let question: unknown
  if (method === 'POST')
    try {
      question = body.kind === 'object' ? body.object : body.kind === 'none' ? null : JSON.parse((await body.read(MOST_BYTES)).toString())
    } catch {
      return refusal(new Refused(400, 'the request is not JSON, or is too long'))
    }
  const found = await answer(question)
  if (found === undefined) return refusal(new Refused(404, 'there is no such path'))
  return found instanceof Refused ? refusal(found) : json(200, found)
}

const json = (status: number, object: object): ApiResponse => ({
  status,
  body: { kind: 'bytes', contentType: 'application/json', bytes: JSON.stringify(object) },
})

const refusal = ({ status }: Refused): ApiResponse => json(status.code ?? 400, status)

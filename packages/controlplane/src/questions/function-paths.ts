import { FUNCTION_PATHS, hasReason, requestEntityTooLarge } from '@weft/api'
import { type ApiRequest, type ApiResponse, type PathHandler, readJson, type UserInfo } from '@weft/apiserver'
import { type Authority, mayWritePipelines } from '@weft/plane'
import type { FunctionQuestions } from './function-questions.ts'
import { jsonResponse } from './json-response.ts'

/** What answers, once it is there. */
export interface FunctionPart {
  readonly functions: FunctionQuestions
  readonly authority: Authority
}

const MIB = 1024 * 1024
/**
 * A question holds one composite, what it is composed of, and what its functions asked to see: tens of kilobytes, and some hundred objects at the very most.
 * Everybody who is signed in may ask, and may have no more in memory by it than by any other request. Whoever may write pipelines may
 * ask what the control plane itself asks.
 */
const MOST_MIB = { everybody: 3, authors: 32 }

/** Serves FUNCTION_PATHS. */
export function functionPaths(part: () => FunctionPart | undefined): PathHandler {
  return (request, _info, user) => {
    const here = request.path === FUNCTION_PATHS.run && request.method === 'POST' ? part() : undefined
    return here && answer(request, here, user)
  }
}

async function answer({ body, signal }: ApiRequest, { functions, authority }: FunctionPart, user: UserInfo): Promise<ApiResponse> {
  let isAuthor: Promise<boolean> | undefined
  const mayWrite = (): Promise<boolean> => (isAuthor ??= mayWritePipelines(authority, user))
  const asker = { username: user.username, mayWritePipelines: mayWrite, signal }
  return jsonResponse(200, await functions.answer(async () => readQuestion(body, await mayWrite()), asker))
}

async function readQuestion(body: ApiRequest['body'], isAuthor: boolean): Promise<unknown> {
  const most = isAuthor ? MOST_MIB.authors : MOST_MIB.everybody
  try {
    return await readJson(body, most * MIB)
  } catch (error) {
    if (!hasReason(error, 'RequestEntityTooLarge')) throw error
    const others = isAuthor
      ? ''
      : ` by those who may not write pipelines. Whoever has the verb escalate on compositions.apiextensions.crossplane.io may send ${MOST_MIB.authors} MiB`
    throw requestEntityTooLarge(`a function may be asked with ${most} MiB${others}`)
  }
}

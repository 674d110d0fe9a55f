import { FUNCTION_PATHS } from '@weft/api'
import type { PathHandler } from '@weft/apiserver'
import type { FunctionAnswers } from '@weft/controllers'
import { type Authority, mayWritePipelines } from '@weft/plane'
import { answerPath } from './answer-path.ts'

/** What answers, once it is there. */
export interface FunctionPart {
  readonly functions: FunctionAnswers
  readonly authority: Authority
}

/** Serves FUNCTION_PATHS. */
export function functionPaths(part: () => FunctionPart | undefined): PathHandler {
  return (request, _info, user) => {
    const here = request.path === FUNCTION_PATHS.run && request.method === 'POST' ? part() : undefined
    if (here === undefined) return undefined
    const asker = { mayWritePipelines: () => mayWritePipelines(here.authority, user), signal: request.signal }
    return answerPath(request, (question) => here.functions.answer(question, asker))
  }
}

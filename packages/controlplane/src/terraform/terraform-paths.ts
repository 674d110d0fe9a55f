import { gvkOf, type KubeObject } from '@weft/api'
import { type Authorizer, type PathHandler, resourceAttributes, type UserInfo } from '@weft/apiserver'
import type { Client } from '@weft/client'
import { answerPath } from '../questions/answer-path.ts'
import { answerQuestion, type Asked } from './answer-question.ts'
import type { TerraformAnswers } from './terraform-answers.ts'

/** What answers, once it is there. */
export interface TerraformPart {
  readonly answers: TerraformAnswers | undefined
  readonly authorizer: Authorizer
  /** With the rights of providers. */
  readonly client: Client
}

const ANSWER_MS = 5 * 60_000

/** Serves TERRAFORM_PATHS. A path whose question cannot be answered here is not there. */
export function terraformPaths(part: () => TerraformPart | undefined): PathHandler {
  return (request, _info, user) => {
    const { path, method } = request
    if (!path.startsWith('/weft/terraform/') || (method !== 'POST' && method !== 'GET')) return undefined
    const here = part()
    if (here?.answers === undefined) return undefined
    const { answers, client, authorizer } = here
    const asked: Asked = {
      answers,
      client,
      signal: AbortSignal.any([request.signal, AbortSignal.timeout(ANSWER_MS)]),
      mayWrite: mayWrite(authorizer, user),
    }
    return answerPath(request, (body) => answerQuestion({ path, body }, asked))
  }
}

/** Planning for an object tells what its provider says: for those who could have written it and read the answer there. */
function mayWrite(authorizer: Authorizer, user: UserInfo): Asked['mayWrite'] {
  return async (resource: KubeObject, plural: string, exists: boolean): Promise<boolean> => {
    const { group, version } = gvkOf(resource)
    const { name = '' } = resource.metadata
    const verbs = exists ? ['get', 'update'] : ['create']
    return verbs.every(
      (verb) =>
        authorizer.authorize(
          resourceAttributes(user, { verb, apiGroup: group, apiVersion: version, resource: plural, ...(exists && { name }) }),
        ).allowed,
    )
  }
}

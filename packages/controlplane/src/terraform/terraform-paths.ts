import { gvkOf, type KubeObject } from '@weft/api'
import { type ApiRequest, type ApiResponse, type Authorizer, type PathHandler, resourceAttributes, type UserInfo } from '@weft/apiserver'
import type { Client } from '@weft/client'
import { answerQuestion, type Asked, Refused } from './answer-question.ts'
import type { TerraformAnswers } from './terraform-answers.ts'

/** What answers, once it is there. */
export interface TerraformPart {
  readonly answers: TerraformAnswers | undefined
  readonly authorizer: Authorizer
  /** With the rights of providers. */
  readonly client: Client
}

const MOST_BYTES = 32 * 1024 * 1024
const ANSWER_MS = 5 * 60_000

/** Serves TERRAFORM_PATHS. A path whose question cannot be answered here is not there. */
export function terraformPaths(part: () => TerraformPart | undefined): PathHandler {
  return (request, _info, user) => {
    const { path, method } = request
    if (!path.startsWith('/weft/terraform/') || (method !== 'POST' && method !== 'GET')) return undefined
    const here = part()
    if (here?.answers === undefined) return undefined
    const { answers, client, authorizer } = here
    return answered(request, {
      answers,
      client,
      signal: AbortSignal.any([request.signal, AbortSignal.timeout(ANSWER_MS)]),
      mayWrite: mayWrite(authorizer, user),
    })
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

async function answered({ path, method, body }: ApiRequest, asked: Asked): Promise<ApiResponse> {
  let question: unknown
  if (method === 'POST')
    try {
      question = body.kind === 'object' ? body.object : body.kind === 'none' ? null : JSON.parse((await body.read(MOST_BYTES)).toString())
    } catch {
      return refusal(new Refused(400, 'the question is no JSON, or too long'))
    }
  const answer = await answerQuestion({ path, body: question }, asked)
  if (answer === undefined) return refusal(new Refused(404, 'there is no such path'))
  return answer instanceof Refused ? refusal(answer) : json(200, answer)
}

const json = (status: number, object: object): ApiResponse => ({
  status,
  body: { kind: 'bytes', contentType: 'application/json', bytes: JSON.stringify(object) },
})

const refusal = ({ status }: Refused): ApiResponse => json(status.code ?? 400, status)

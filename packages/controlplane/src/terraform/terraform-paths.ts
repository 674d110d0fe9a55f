import { gvkOf, isJsonObject, type KubeObject, type PlanQuestion, type StateQuestion, TERRAFORM_PATHS } from '@weft/api'
import { type ApiRequest, type ApiResponse, type Authorizer, type PathHandler, resourceAttributes, type UserInfo } from '@weft/apiserver'
import type { Client } from '@weft/client'
import type { TerraformAnswers } from './terraform-answers.ts'

/** What answers, once it is there. */
export interface TerraformPart {
  readonly answers: TerraformAnswers | undefined
  readonly authorizer: Authorizer
  /** With the rights of providers. */
  readonly client: Client
}

/** A plan calls somebody's cloud: nobody has it call for thousands at a time. */
const MOST = 500
const MOST_BYTES = 32 * 1024 * 1024
const ANSWER_MS = 5 * 60_000

/** Serves TERRAFORM_PATHS. A path whose question cannot be answered here is not there. */
export function terraformPaths(part: () => TerraformPart | undefined): PathHandler {
  return (request, _info, user) => {
    const { plan, states, definitions } = TERRAFORM_PATHS
    const { path, method } = request
    if (!path.startsWith('/weft/terraform/')) return undefined
    const here = part()
    if (here?.answers === undefined) return undefined
    const { answers, client } = here
    const signal = AbortSignal.any([request.signal, AbortSignal.timeout(ANSWER_MS)])
    if (method === 'POST' && path === plan)
      return answered(request, 'resources', (question) =>
        answers.plan(question as unknown as PlanQuestion, { client, signal, mayWrite: mayWrite(here.authorizer, user) }),
      )
    if (method === 'POST' && path === states)
      return answered(request, 'states', (question) => answers.states(question['states'] as readonly StateQuestion[], { client, signal }))
    if (method === 'GET' && path.startsWith(`${definitions}/`))
      return answers
        .definition(path.slice(definitions.length + 1), { client, signal })
        .then((found) => (found === undefined ? refusal(404, 'there is no such definition of a Terraform provider') : json(200, found)))
    return undefined
  }
}

/** Planning for an object tells what its provider says: for those who could have written it and read the answer there. */
function mayWrite(authorizer: Authorizer, user: UserInfo) {
  return (resource: KubeObject, plural: string, exists: boolean): boolean => {
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

async function answered(
  { body }: ApiRequest,
  list: string,
  answer: (question: Record<string, unknown>) => Promise<object>,
): Promise<ApiResponse> {
  let question: unknown
  try {
    question =
      body.kind === 'object' ? body.object : body.kind === 'none' ? undefined : JSON.parse((await body.read(MOST_BYTES)).toString())
  } catch {
    return refusal(400, 'the question is no JSON, or too long')
  }
  const asked = isJsonObject(question) ? question[list] : undefined
  if (!isJsonObject(question) || !Array.isArray(asked) || !asked.every(isJsonObject))
    return refusal(400, `the question must have a list "${list}"`)
  if (asked.length > MOST) return refusal(413, `at most ${MOST} can be asked about at a time`)
  return json(200, await answer(question))
}

const json = (status: number, object: object): ApiResponse => ({
  status,
  body: { kind: 'bytes', contentType: 'application/json', bytes: JSON.stringify(object) },
})

const refusal = (status: number, message: string): ApiResponse =>
  json(status, {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message,
    reason: status === 404 ? 'NotFound' : status === 413 ? 'RequestEntityTooLarge' : 'BadRequest',
    code: status,
  })

import { isJsonObject, type KubeObject, type PlanQuestion, type StateQuestion, TERRAFORM_PATHS, type TerraformQuestion } from '@weft/api'
import type { Client } from '@weft/client'
import { Refused } from '../questions/refused.ts'
import type { TerraformAnswers } from './terraform-answers.ts'

/** Who answers, and for whom. */
export interface Asked {
  readonly answers: TerraformAnswers
  /** With the rights of providers. */
  readonly client: Client
  readonly signal: AbortSignal
  /** May whoever asks write this object, which is there already or not? */
  mayWrite(resource: KubeObject, plural: string, exists: boolean): Promise<boolean>
}

/** A plan calls somebody's cloud: nobody has it call for thousands at a time. */
const MOST = 500

/** What is answered at one of TERRAFORM_PATHS; undefined: there is no such path. */
export async function answerQuestion({ path, body }: TerraformQuestion, asked: Asked): Promise<object | Refused | undefined> {
  const { plan, states, definitions } = TERRAFORM_PATHS
  const { answers } = asked
  if (body === undefined) {
    if (!path.startsWith(`${definitions}/`)) return undefined
    const found = await answers.definition(path.slice(definitions.length + 1), asked)
    return found ?? new Refused(404, 'there is no such definition of a Terraform provider')
  }
  switch (path) {
    case plan:
      return listed(body, 'resources') ?? answers.plan(body as PlanQuestion, asked)
    case states:
      return listed(body, 'states') ?? answers.states((body as { states: readonly StateQuestion[] }).states, asked)
    default:
      return undefined
  }
}

/** Undefined: the question has such a list, and not too long a one. */
function listed(question: unknown, list: string): Refused | undefined {
  const asked = isJsonObject(question) ? question[list] : undefined
  if (!Array.isArray(asked) || !asked.every(isJsonObject)) return new Refused(400, `the request must have a list "${list}"`)
  return asked.length > MOST ? new Refused(413, `at most ${MOST} can be asked about at a time`) : undefined
}

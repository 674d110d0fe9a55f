import {
  type KubeObject,
  type PlanAnswer,
  type PlanQuestion,
  type ProviderPlan,
  type StateAnswer,
  type StateQuestion,
  type StatesAnswer,
  TERRAFORM_PATHS,
} from '@weft/api'
import { ask } from './ask.ts'
import type { CallOptions, Transport } from './transport/transport.ts'

/** What the providers of a control plane would do about resources, in their order; undefined: the server answers no such questions. */
export async function askPlans(
  transport: Transport,
  question: PlanQuestion,
  options: CallOptions = {},
): Promise<readonly ProviderPlan[] | undefined> {
  const answer = (await ask(transport, { path: TERRAFORM_PATHS.plan, body: question }, options)) as PlanAnswer | undefined
  return answer?.plans
}

/** States in the words of kinds, in their order; undefined: the server answers no such questions. */
export async function askStates(
  transport: Transport,
  states: readonly StateQuestion[],
  options: CallOptions = {},
): Promise<readonly StateAnswer[] | undefined> {
  const answer = (await ask(transport, { path: TERRAFORM_PATHS.states, body: { states } }, options)) as StatesAnswer | undefined
  return answer?.states
}

/** The definition of a kind of a Terraform provider with its schema, active or not; undefined: the server has or tells none. */
export async function askDefinition(transport: Transport, name: string, options: CallOptions = {}): Promise<KubeObject | undefined> {
  return (await ask(transport, { path: `${TERRAFORM_PATHS.definitions}/${name}` }, options)) as KubeObject | undefined
}

import { deepEqual, type FunctionAnswer, type FunctionQuestion, isJsonObject, type KubeObject, messageOf } from '@weft/api'
import { FunctionError, type FunctionModules, FunctionRunners, requestMessage, requestOf, type RunFunctionRequest } from '@weft/functions'
import type { DefinitionServices } from '../definition/services.ts'
import { compositionRevisionKind } from '../revision/kinds.ts'
import { stepsOf } from '../xr/pipeline.ts'
import { followFunctions } from './follow-functions.ts'

/** Who asks. */
export interface FunctionAsker {
  /** No user keeps a function from the others. */
  readonly username: string
  /** May they have a pipeline run that is none of a Composition here? */
  mayWritePipelines(): boolean | Promise<boolean>
  readonly signal: AbortSignal
}

/**
 * The functions of a control plane, for those who make plans of what they would compose. Functions change nothing by contract; and yet some run whatever
 * program their input holds. So a function is asked with the input that a step of a stored Composition gives it, which it is given anyway; with
 * another only for those who could have it asked by writing that Composition. Rejects nothing: why there is no answer is an answer.
 */
export interface FunctionAnswers {
  answer(question: unknown, asker: FunctionAsker): Promise<FunctionAnswer>
  stop(): Promise<void>
}

/** A plan is waited for, and composites are not to wait for plans: these calls have workers and connections of their own, and few. */
const LIMITS = { timeoutMs: 10_000, maxWorkers: 2, maxCalls: 8 }

export async function startFunctionAnswers(
  services: Pick<DefinitionServices, 'informers' | 'client'>,
  modules?: FunctionModules,
): Promise<FunctionAnswers> {
  const installed = followFunctions(services, modules)
  const revisions = services.informers.acquire({ kind: compositionRevisionKind })
  const runners = new FunctionRunners(installed.directory, LIMITS)
  await Promise.all([installed.synced, revisions.informer.synced])
  const run = async (given: unknown, { username, mayWritePipelines, signal }: FunctionAsker): Promise<FunctionAnswer> => {
    const { function: name, request } = readQuestion(given)
    if (!isStep(revisions.informer.list(), name, request.input) && !(await mayWritePipelines()))
      return refused(
        `no Composition has a step that gives this input to function ${name}, and some functions run what their input says: apply the Composition first, or have the verb escalate on compositions.apiextensions.crossplane.io, which those who write pipelines need`,
      )
    return { response: await runners.run(name, request, { signal, caller: username }) }
  }
  return {
    async answer(question, asker) {
      try {
        return await run(question, asker)
      } catch (error) {
        if (!(error instanceof FunctionError)) throw error
        return { error: { code: error.code, message: error.message } }
      }
    },
    async stop() {
      runners.close()
      await Promise.all([installed.release(), revisions.release()])
    },
  }
}

const refused = (message: string): FunctionAnswer => ({ error: { code: 'Failed', message } })

function readQuestion(given: unknown): FunctionQuestion & { readonly request: RunFunctionRequest } {
  const { function: name, request } = isJsonObject(given) ? given : {}
  if (typeof name !== 'string' || !isJsonObject(request))
    throw new FunctionError('Failed', 'the question must be {"function": NAME, "request": a RunFunctionRequest as JSON}')
  try {
    return { function: name, request: requestOf(requestMessage(request as RunFunctionRequest)) }
  } catch (error) {
    throw new FunctionError('Failed', `the request for function ${name} is not a RunFunctionRequest: ${messageOf(error)}`, { cause: error })
  }
}

/** Is the function asked so by a stored Composition? Each has a revision. */
const isStep = (revisions: readonly KubeObject[], name: string, input: RunFunctionRequest['input']): boolean =>
  revisions.some((revision) => stepsOf(revision).some((step) => step.functionRef.name === name && deepEqual(step.input, input)))

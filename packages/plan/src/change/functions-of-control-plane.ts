import { FUNCTION_PATHS, hasReason, messageOf } from '@weft/api'
import { askFunction, type Client, eitherSignal } from '@weft/client'
import { FunctionError, type FunctionErrorCode, type FunctionRunner, type RunFunctionResponse } from '@weft/functions'

/** The control plane says itself that a function took too long; it is given the time to say so. */
const GRACE_MS = 5_000
const LONGEST_MS = 60_000

const abilities = `the right to post to ${FUNCTION_PATHS.run}`

/** The functions that are installed in a control plane, asked there: with the rights of `client`, and within the limits of the control plane. */
export function functionsOfControlPlane({ transport }: Pick<Client, 'transport'>): FunctionRunner {
  return {
    async run(name, request, { signal, deadline = Number.POSITIVE_INFINITY } = {}) {
      const failed = (code: FunctionErrorCode, why: string, cause?: unknown): FunctionError => new FunctionError(code, why, { cause })
      let answer
      try {
        const late = AbortSignal.timeout(Math.min(Math.max(deadline - Date.now(), 0), LONGEST_MS) + GRACE_MS)
        answer = await askFunction(transport, { function: name, request }, { signal: eitherSignal(signal, late) })
      } catch (error) {
        if (signal?.aborted === true) throw failed('Cancelled', `the caller of function ${name} gave up`, error)
        if (hasReason(error, 'Forbidden'))
          throw failed('Failed', `you may not have function ${name} called by the control plane, which requires ${abilities}`, error)
        // Another composite's question may be shorter: the function is not silent.
        const code = hasReason(error, 'RequestEntityTooLarge') ? 'Failed' : 'Unavailable'
        throw failed(code, `the control plane did not call function ${name}: ${messageOf(error)}`, error)
      }
      if (answer === undefined)
        throw failed('Unavailable', `function ${name} is run by the control plane, and this server does not call functions for plans`)
      if ('error' in answer) throw failed(answer.error.code as FunctionErrorCode, answer.error.message)
      return answer.response as RunFunctionResponse
    },
  }
}

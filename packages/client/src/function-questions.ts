import { FUNCTION_PATHS, type FunctionAnswer, type FunctionQuestion } from '@weft/api'
import { ask } from './ask.ts'
import type { CallOptions, Transport } from './transport/transport.ts'

/** What a function of the control plane answers; undefined: the server answers no such questions. */
export async function askFunction(
  transport: Transport,
  question: FunctionQuestion,
  options: CallOptions = {},
): Promise<FunctionAnswer | undefined> {
  return (await ask(transport, { path: FUNCTION_PATHS.run, body: question }, options)) as FunctionAnswer | undefined
}

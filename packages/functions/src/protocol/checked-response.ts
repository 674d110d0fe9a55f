import { messageOf } from '@weft/api'
import { FunctionError } from './function-error.ts'
import type { RunFunctionResponse } from './response.ts'

/** What a function answered, read by `read`; rejects with BadAnswer when that is no response. */
export function checkedResponse(name: string, read: () => RunFunctionResponse): RunFunctionResponse {
  try {
    return read()
  } catch (error) {
    throw new FunctionError('BadAnswer', `function ${name} did not return a RunFunctionResponse: ${messageOf(error)}`, { cause: error })
  }
}

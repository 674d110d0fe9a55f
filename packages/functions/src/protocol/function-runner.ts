import type { RunFunctionRequest } from './request.ts'
import type { RunFunctionResponse } from './response.ts'

export interface RunFunctionOptions {
  /** Aborted: the call ends at once, with FunctionError Cancelled. */
  readonly signal?: AbortSignal
  /** When the caller needs the answer at the latest, in milliseconds since the epoch. Absent: the runner's own limit alone. */
  readonly deadline?: number
  /** For whom, where one must not keep a function from others: each has half of a function's turns at most. */
  readonly caller?: string
}

/**
 * The port behind which functions are: built in, a program over gRPC, a module in a worker. The caller is the pipeline of a
 * composite (or of a render, or a plan), which knows a function by the name of its Function object and by nothing else.
 *
 * - One call, one answer. The runner does not loop over requirements, does not merge state and keeps nothing between calls but
 *   connections: what to do with an answer is the pipeline's business.
 * - The answer has the protocol's JSON shape whoever gave it, checked: `desired`, `context` and the rest are what their types say.
 *   It may share structure with the request. Neither is ever changed.
 * - An answer with fatal results is an answer. A rejection is always a FunctionError: nobody answered, or nothing usable.
 *   A runner tries again by itself only where the function cannot have seen the first try.
 * - Functions are pure by contract, so a caller may ask again at any time, after a crash too.
 * - Calls are independent: a function that hangs, dies or answers rubbish costs its own callers their deadline and nobody else
 *   anything. Any number may be under way at a time; a runner bounds how many it lets through to one function.
 */
export interface FunctionRunner {
  run(functionName: string, request: RunFunctionRequest, options?: RunFunctionOptions): Promise<RunFunctionResponse>
}

/**
 * What a control plane answers about the functions that are installed in it, beside its API: it alone runs their programs and modules. Nothing of it writes
 * anything. RBAC knows this as a non-resource URL; what else it takes is said by whoever answers.
 */
export const FUNCTION_PATHS = {
  /** POST FunctionQuestion, answered by FunctionAnswer: what a function would say. */
  run: '/weft/functions/run',
} as const

export interface FunctionQuestion {
  /** The name of the Function object. */
  readonly function: string
  /** A RunFunctionRequest in the protocol's JSON form. */
  readonly request: unknown
}

/** The RunFunctionResponse, or why there is none: the code and the message of a FunctionError. */
export type FunctionAnswer = { readonly response: unknown } | { readonly error: { readonly code: string; readonly message: string } }

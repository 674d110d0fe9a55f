/**
 * Functions: who is asked what a composite should be made of.
 *
 *   protocol/  the question, the answer, and the port behind which whoever answers is
 */
export { FunctionError, type FunctionErrorCode } from './protocol/function-error.ts'
export type { FunctionRunner, RunFunctionOptions } from './protocol/function-runner.ts'
export {
  CAPABILITIES,
  type Capability,
  type Credentials,
  type RequestMeta,
  type Resources,
  type RunFunctionRequest,
  type Schema,
} from './protocol/request.ts'
export type {
  FunctionCondition,
  FunctionResult,
  Requirements,
  ResourceSelector,
  ResponseMeta,
  RunFunctionResponse,
  SchemaSelector,
  Severity,
  Target,
} from './protocol/response.ts'
export type { Ready, Resource, State } from './protocol/state.ts'
export type { Struct, StructValue } from './protocol/struct.ts'

/**
 * Functions: who is asked what a composite should be made of.
 *
 *   protocol/  the question, the answer, and the port behind which whoever answers is
 *   runner/    finds a function by its name and asks it, wherever it is
 *   builtin/   functions that are part of this program; they answer as the Go programs of their names do
 *   grpc/      functions that are programs of their own
 *   worker/    functions that are modules, each in a worker
 *   go/        what those Go programs owe to their language and libraries: fmt, strconv, encoding/json, mergo, field paths
 */
export { builtInCapabilities, type BuiltInFunction, builtInFunction } from './builtin/built-in-functions.ts'
export { parseFunctionAddress } from './grpc/function-address.ts'
export { FunctionRunnerService } from './generated/apiextensions/fn/v1/function_runner_pb.ts'
export { requestMessage, requestOf, responseMessage, responseOf } from './protocol/codec.ts'
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
export type { FunctionDirectory, FunctionPlace } from './runner/function-directory.ts'
export { type CompileFunction, FunctionObjects } from './runner/function-objects.ts'
export { FunctionRunners } from './runner/function-runners.ts'
export { FUNCTION_MODULE, type FunctionModule, type FunctionModules, MODULE_GLOBAL } from './worker/function-module.ts'

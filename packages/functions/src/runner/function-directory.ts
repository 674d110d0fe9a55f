import type { GrpcTarget } from '@weft/grpc'
import type { FunctionModule } from '../worker/function-module.ts'

/** Where a function is to be found. */
export type FunctionPlace =
  /** The package of a Function that is built in. */
  | { readonly type: 'builtIn'; readonly package: string }
  /** A program that listens. Without `tls` it is asked in the clear: for development only. */
  | { readonly type: 'address'; readonly target: GrpcTarget }
  /** A module, run in a worker. */
  | { readonly type: 'module'; readonly module: FunctionModule }

/** Who knows which functions there are: the control plane's installed ones, the files of a render. */
export interface FunctionDirectory {
  /** By the name of the Function object. Rejects with FunctionError where there is none, or none that can be reached; the message says what to do. */
  find(functionName: string): Promise<FunctionPlace>
}

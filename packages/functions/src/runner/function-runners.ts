import { builtInFunction } from '../builtin/built-in-functions.ts'
import { GrpcFunctions, type GrpcFunctionsOptions } from '../grpc/grpc-functions.ts'
import { FunctionError } from '../protocol/function-error.ts'
import type { FunctionRunner, RunFunctionOptions } from '../protocol/function-runner.ts'
import type { RunFunctionRequest } from '../protocol/request.ts'
import type { RunFunctionResponse } from '../protocol/response.ts'
import { WorkerFunctions, type WorkerFunctionsOptions } from '../worker/worker-functions.ts'
import type { FunctionDirectory } from './function-directory.ts'

/** Runs whatever a directory finds: in process what is built in, in workers what is a module, over gRPC the rest. Close it when nobody asks any more. */
export class FunctionRunners implements FunctionRunner {
  readonly #directory: FunctionDirectory
  readonly #programs: GrpcFunctions
  readonly #modules: WorkerFunctions

  constructor(directory: FunctionDirectory, options: GrpcFunctionsOptions & WorkerFunctionsOptions = {}) {
    this.#directory = directory
    this.#programs = new GrpcFunctions(options)
    this.#modules = new WorkerFunctions(options)
  }

  async run(functionName: string, request: RunFunctionRequest, options: RunFunctionOptions = {}): Promise<RunFunctionResponse> {
    const place = await this.#directory.find(functionName)
    if (options.signal?.aborted === true) throw new FunctionError('Cancelled', `function ${functionName} was not asked: the caller gave up`)
    if (place.type === 'address') return this.#programs.run(functionName, place.target, { request, ...options })
    if (place.type === 'module') return this.#modules.run(functionName, place.module, { request, ...options })
    const builtIn = builtInFunction(place.package)
    if (builtIn === undefined)
      throw new FunctionError('NotFound', `function ${functionName} is of package ${place.package}, which is not built in`)
    return builtIn(request)
  }

  close(): void {
    this.#programs.close()
    this.#modules.close()
  }
}

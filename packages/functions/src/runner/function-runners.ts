import { builtInFunction } from '../builtin/built-in-functions.ts'
import type { GrpcFunctions, GrpcFunctionsOptions } from '../grpc/grpc-functions.ts'
import { FunctionError } from '../protocol/function-error.ts'
import type { FunctionRunner, RunFunctionOptions } from '../protocol/function-runner.ts'
import type { RunFunctionRequest } from '../protocol/request.ts'
import type { RunFunctionResponse } from '../protocol/response.ts'
import type { WorkerFunctions, WorkerFunctionsOptions } from '../worker/worker-functions.ts'
import type { FunctionDirectory } from './function-directory.ts'

/** Runs whatever a directory finds: in process what is built in, in workers what is a module, over gRPC the rest. Close it when nobody asks any more. */
export class FunctionRunners implements FunctionRunner {
  readonly #directory: FunctionDirectory
  readonly #options: GrpcFunctionsOptions & WorkerFunctionsOptions
  #programs: Promise<GrpcFunctions> | undefined
  #modules: Promise<WorkerFunctions> | undefined

  constructor(directory: FunctionDirectory, options: GrpcFunctionsOptions & WorkerFunctionsOptions = {}) {
    this.#directory = directory
    this.#options = options
  }

  async run(functionName: string, request: RunFunctionRequest, options: RunFunctionOptions = {}): Promise<RunFunctionResponse> {
    const place = await this.#directory.find(functionName)
    if (options.signal?.aborted === true)
      throw new FunctionError('Cancelled', `function ${functionName} was not called: the caller gave up`)
    if (place.type === 'address') return (await this.#transport()).run(functionName, place.target, { request, ...options })
    if (place.type === 'module') return (await this.#workers()).run(functionName, place.module, { request, ...options })
    const builtIn = builtInFunction(place.package)
    if (builtIn === undefined)
      throw new FunctionError('NotFound', `function ${functionName} is from package ${place.package}, which is not built in`)
    return builtIn(request)
  }

  close(): void {
    for (const opened of [this.#programs, this.#modules]) void opened?.then((runner) => runner.close())
  }

  /** Loaded where a function is a program: a render whose functions are built in has no use for it, and it is large. */
  #transport(): Promise<GrpcFunctions> {
    return (this.#programs ??= import('../grpc/grpc-functions.ts').then((module) => new module.GrpcFunctions(this.#options)))
  }

  #workers(): Promise<WorkerFunctions> {
    return (this.#modules ??= import('../worker/worker-functions.ts').then((module) => new module.WorkerFunctions(this.#options)))
  }
}

import { type KubeObject, specOf } from '@weft/api'
import { builtInFunction } from '../builtin/built-in-functions.ts'
import { parseFunctionAddress } from '../grpc/function-address.ts'
import { FunctionError } from '../protocol/function-error.ts'
import { FUNCTION_MODULE, type FunctionModule } from '../worker/function-module.ts'
import type { FunctionDirectory, FunctionPlace } from './function-directory.ts'

/** Marks of a Function that `crossplane render` knows, too. */
const RUNTIME = 'render.crossplane.io/runtime'
const TARGET = 'render.crossplane.io/runtime-development-target'
const STANDARD_TARGET = 'localhost:9443'

/** Makes a module of the file that a Function names. Rejects with what is wrong with it. */
export type CompileFunction = (file: string) => Promise<FunctionModule>

/** The functions of files: built in by their package, modules that their annotations name, or programs under development that these say the address of. */
export class FunctionObjects implements FunctionDirectory {
  readonly #functions: ReadonlyMap<string, KubeObject>

  readonly #compile: CompileFunction | undefined
  readonly #modules = new Map<string, Promise<FunctionModule>>()

  constructor(functions: readonly KubeObject[], compile?: CompileFunction) {
    this.#functions = new Map(functions.map((object) => [object.metadata.name ?? '', object]))
    this.#compile = compile
  }

  async find(functionName: string): Promise<FunctionPlace> {
    const object = this.#functions.get(functionName)
    const file = object?.metadata.annotations?.[FUNCTION_MODULE]
    if (file !== undefined && this.#compile !== undefined) return { type: 'module', module: await this.#module(file, this.#compile) }
    if (object !== undefined) return placeOf(functionName, object)
    const known = [...this.#functions.keys()].sort().join(', ')
    throw new FunctionError(
      'NotFound',
      `there is no Function ${functionName}: ${known === '' ? 'no Function was given' : `those given are ${known}`}. Add it to the functions`,
    )
  }

  /** Each is compiled once. */
  #module(file: string, compile: CompileFunction): Promise<FunctionModule> {
    let module = this.#modules.get(file)
    if (module === undefined) this.#modules.set(file, (module = compile(file)))
    return module
  }
}

function placeOf(name: string, object: KubeObject): FunctionPlace {
  const annotations = object.metadata.annotations ?? {}
  const reference = packageOf(object)
  if (annotations[RUNTIME] === 'Development') {
    const address = annotations[TARGET] ?? STANDARD_TARGET
    const target = parseFunctionAddress(address)
    if (target !== undefined) return { type: 'address', target }
    throw new FunctionError(
      'NotFound',
      `Function ${name}: ${JSON.stringify(address)} in annotation ${TARGET} is not an address such as localhost:9443`,
    )
  }
  if (builtInFunction(reference) !== undefined) return { type: 'builtIn', package: reference }
  throw new FunctionError(
    'NotFound',
    `Function ${name} of package ${JSON.stringify(reference)} is not built in: start its program with --insecure, and annotate the Function with ${RUNTIME}: Development (and ${TARGET}: HOST:PORT if it does not listen at ${STANDARD_TARGET})`,
  )
}

function packageOf(object: KubeObject): string {
  const { package: reference } = specOf(object)
  return typeof reference === 'string' ? reference : ''
}

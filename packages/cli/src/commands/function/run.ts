import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { messageOf, stringifyJson } from '@weft/api'
import {
  builtInFunction,
  type FunctionDirectory,
  FunctionError,
  type FunctionRunner,
  FunctionObjects,
  FunctionRunners,
  parseFunctionAddress,
  requestMessage,
  requestOf,
  type RunFunctionRequest,
  type RunFunctionResponse,
} from '@weft/functions'
import { type ClusterOptions, withCluster } from '../../cluster/index.ts'
import { readManifests } from '../../manifests/index.ts'
import { CommandFailure } from '../../report.ts'
import { compileFunction } from '../../typescript/compile-function.ts'

export interface FunctionRunOptions extends ClusterOptions {
  readonly functions?: string
  readonly address?: string
  readonly module?: string
  readonly timeout: number
}

/** Answers every line in turn; the exit code says whether all had an answer. */
export async function runFunction(name: string, options: FunctionRunOptions, input: Readable, output: Writable): Promise<number> {
  const directory = await directoryOf(name, options)
  if (directory === undefined) return onControlPlane(name, options, (runner) => answerAll(runner, name, input, output))
  const runner = new FunctionRunners(directory, {
    timeoutMs: options.timeout,
    onLog: (_name, line) => process.stderr.write(`${line}\n`),
  })
  try {
    return await answerAll(runner, name, input, output)
  } finally {
    runner.close()
  }
}

/** Those that are installed there answer where they run: programs of images, and modules. */
async function onControlPlane(
  name: string,
  options: FunctionRunOptions,
  action: (runner: FunctionRunner) => Promise<number>,
): Promise<number> {
  let isReached = false
  try {
    return await withCluster(options, async ({ client }) => {
      isReached = true
      const { functionsOfControlPlane } = await import('@weft/plan')
      const installed = functionsOfControlPlane(client)
      return action({
        run: (fn, request, more) => installed.run(fn, request, { ...more, deadline: Date.now() + options.timeout }),
      })
    })
  } catch (error) {
    if (isReached) throw error
    throw new CommandFailure(
      `${name} is not built in: say where it listens with --address HOST:PORT, name its TypeScript file with --module, or give the file with its Function by --functions. A control plane cannot be asked either: ${messageOf(error)}`,
      { cause: error },
    )
  }
}

async function answerAll(runner: FunctionRunner, name: string, input: Readable, output: Writable): Promise<number> {
  let failures = 0
  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    if (line.trim() === '') continue
    const answer = await answerOf(line, (request) => runner.run(name, request))
    if ('error' in answer) failures++
    if (!output.write(`${stringifyJson(answer)}\n`)) await new Promise((resolve) => output.once('drain', resolve))
  }
  return failures === 0 ? 0 : 1
}

type Answer = RunFunctionResponse | { readonly error: { readonly code: string; readonly message: string } }

async function answerOf(line: string, ask: (request: RunFunctionRequest) => Promise<RunFunctionResponse>): Promise<Answer> {
  let request: RunFunctionRequest
  try {
    request = requestOf(requestMessage(JSON.parse(line) as RunFunctionRequest))
  } catch (error) {
    return { error: { code: 'BadRequest', message: `the line is not a RunFunctionRequest: ${messageOf(error)}` } }
  }
  try {
    return await ask(request)
  } catch (error) {
    if (error instanceof FunctionError) return { error: { code: error.code, message: error.message } }
    throw error
  }
}

/** Undefined: nothing here knows the function. */
async function directoryOf(name: string, { functions, address, module: file }: FunctionRunOptions): Promise<FunctionDirectory | undefined> {
  if (file !== undefined) {
    const module = await compileFunction(file)
    return { find: async () => ({ type: 'module', module }) }
  }
  if (address !== undefined) {
    const target = parseFunctionAddress(address)
    if (target === undefined)
      throw new CommandFailure(`${JSON.stringify(address)} is not an address: write HOST:PORT, such as localhost:9443`)
    return { find: async () => ({ type: 'address', target }) }
  }
  if (functions !== undefined) {
    const objects = (await readManifests([functions])).map(({ object }) => object).filter(({ kind }) => kind === 'Function')
    const directory = new FunctionObjects(objects, compileFunction)
    // Once at the beginning, rather than once a line.
    await directory.find(name).catch((error: unknown) => {
      throw error instanceof FunctionError ? new CommandFailure(error.message, { cause: error }) : error
    })
    return directory
  }
  return builtInFunction(name) === undefined ? undefined : { find: async () => ({ type: 'builtIn', package: name }) }
}

import type { FunctionModule, FunctionModules } from '@weft/functions'
import { CommandFailure, style } from '../../report.ts'
import { watchFunction } from '../../typescript/compile-function.ts'

export interface DevelopedFunctions extends FunctionModules {
  close(): Promise<void>
}

/** Compiles functions that are given as `NAME=FILE.ts`, and again whenever they change. Rejects where one cannot be compiled to begin with. */
export async function developFunctions(given: readonly string[]): Promise<DevelopedFunctions> {
  const modules = new Map<string, FunctionModule>()
  const stops: (() => Promise<void>)[] = []
  const close = async (): Promise<void> => void (await Promise.all(stops.splice(0).map((stop) => stop())))
  try {
    for (const text of given) {
      const at = text.indexOf('=')
      if (at <= 0) throw new CommandFailure(`--dev takes NAME=FILE.ts, such as function-sizes=function.ts, not ${JSON.stringify(text)}`)
      stops.push(await develop(text.slice(0, at), text.slice(at + 1), modules))
    }
  } catch (error) {
    await close()
    throw error
  }
  return { find: (name) => modules.get(name), close }
}

/** Resolves when it was compiled once. */
function develop(name: string, file: string, modules: Map<string, FunctionModule>): Promise<() => Promise<void>> {
  return new Promise((resolve, reject) => {
    let stop: Promise<() => Promise<void>> | undefined
    const begun = (outcome: CommandFailure | undefined): void => {
      // It is told while the watch is being set up.
      queueMicrotask(() => void stop?.then((end) => (outcome === undefined ? resolve(end) : end().then(() => reject(outcome))), reject))
    }
    stop = watchFunction(file, {
      onModule: (module) => {
        const isFirst = !modules.has(name)
        modules.set(name, module)
        if (isFirst) begun(undefined)
        else process.stderr.write(`${name} is run from ${file} as it is now\n`)
      },
      onProblem: (message) => {
        if (modules.has(name)) process.stderr.write(`${style('yellow', 'Warning')}: ${message}; ${name} continues as it was\n`)
        else begun(new CommandFailure(message))
      },
    })
    stop.catch(reject)
  })
}

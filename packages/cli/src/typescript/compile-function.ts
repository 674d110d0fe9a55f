import { existsSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type FunctionModule, MODULE_GLOBAL } from '@weft/functions'
import type { BuildOptions, OutputFile, Plugin } from 'esbuild'
import { CommandFailure } from '../report.ts'
import { asBuildFailure, esbuild } from './esbuild.ts'

/** Makes one script of a function in TypeScript and all that it imports. Nothing of it is run, and types are not checked: that is the compiler's work. */
export async function compileFunction(file: string): Promise<FunctionModule> {
  const { build } = await esbuild()
  try {
    const { outputFiles } = await build({ ...buildOptions(file), write: false })
    return moduleOf(file, outputFiles)
  } catch (cause) {
    throw asBuildFailure(cause, file)
  }
}

/** Compiles it, and again whenever a file that it is made of changes; what is wrong is told, and what was right before stays. */
export async function watchFunction(
  file: string,
  { onModule, onProblem }: { readonly onModule: (module: FunctionModule) => void; readonly onProblem: (message: string) => void },
): Promise<() => Promise<void>> {
  const { context } = await esbuild()
  const report: Plugin = {
    name: 'report',
    setup(build) {
      build.onEnd(({ errors, outputFiles = [] }) => {
        if (errors.length === 0) onModule(moduleOf(file, outputFiles))
        else onProblem((asBuildFailure({ errors }, file) as Error).message)
      })
    },
  }
  const options = buildOptions(file)
  const watching = await context({ ...options, plugins: [...(options.plugins ?? []), report], write: false })
  await watching.watch()
  return () => watching.dispose()
}

const moduleOf = (file: string, outputs: readonly OutputFile[]): FunctionModule => ({ code: outputs[0]?.text ?? '', file: basename(file) })

function buildOptions(file: string): BuildOptions {
  if (!existsSync(file)) throw new CommandFailure(`cannot read ${file}: there is no such file`)
  return {
    entryPoints: [resolve(file)],
    outfile: `${resolve(file)}.js`,
    bundle: true,
    format: 'iife',
    globalName: MODULE_GLOBAL,
    platform: 'neutral',
    mainFields: ['module', 'main'],
    target: 'node20.19',
    logLevel: 'silent',
    // Names stay: they are what an error is told by.
    minifySyntax: true,
    minifyWhitespace: true,
    plugins: [authoring, nothingOfNode],
  }
}

/** The authoring module is the one that comes with this command, whatever the author has installed for the types. */
const authoring: Plugin = {
  name: 'authoring',
  setup(build) {
    build.onResolve({ filter: /^@weft\/composition$/ }, () => ({ path: authoringPath(), sideEffects: false }))
  },
}

function authoringPath(): string {
  const beside = fileURLToPath(new URL('./authoring/index.js', import.meta.url))
  return existsSync(beside) ? beside : fileURLToPath(import.meta.resolve('@weft/composition'))
}

const nothingOfNode: Plugin = {
  name: 'nothing-of-node',
  setup(build) {
    build.onResolve({ filter: /^node:/ }, ({ path }) => ({
      errors: [{ text: `${path} is not available to functions: they have only their request, and nothing of the machine` }],
    }))
  },
}

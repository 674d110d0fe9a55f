import { Command } from 'commander'
import type { Run } from '../run.ts'
import type { FunctionRunOptions } from './function/run.ts'
import { duration } from './option-values.ts'

const TIMEOUT_MS = 60_000

export const functionCommand = (run: Run): Command =>
  new Command('function')
    .description('Write and try the functions of compositions.')
    .addCommand(runCommand(run))
    .addCommand(buildCommand(run))

const buildCommand = (run: Run): Command =>
  new Command('build')
    .description(
      'Compile a function in TypeScript, with all that it imports, to the one file that a package holds. Types are not checked: `tsc --noEmit` does that.',
    )
    .argument('<file>', 'TypeScript file that exports a function by default')
    .option('-o, --output <file>', 'file to write (default: standard output)')
    .addHelpText('after', '\nExample:\n  weft function build function.ts -o package/function.js')
    .action((file: string, { output }: { readonly output?: string }) =>
      run(async () => {
        const { compileFunction } = await import('../typescript/compile-function.ts')
        const { writeOutput } = await import('../typescript/write-output.ts')
        await writeOutput((await compileFunction(file)).code, output)
        return 0
      }),
    )

const runCommand = (run: Run): Command =>
  new Command('run')
    .description(
      'Ask a function. Requests are read from standard input, one a line, in the JSON form of RunFunctionRequest; each is answered by one line, its RunFunctionResponse. A request that nobody could answer gives a line with "error" in its place.',
    )
    .argument('<name>', 'a function that is built in (function-patch-and-transform, function-auto-ready), or one of --functions')
    .option('--functions <file>', 'file with Function objects, as for weft render; NAME is one of them')
    .option('--module <file>', 'the function in this TypeScript file; it is compiled and run in a worker')
    .option('--address <host:port>', 'ask the program that listens here, without TLS: for functions under development')
    .option('--timeout <duration>', 'how long one answer may take', duration, TIMEOUT_MS)
    .addHelpText(
      'after',
      '\nExample:\n  weft function run function-auto-ready < requests.jsonl\n  weft function run my-function --address localhost:9443 < requests.jsonl\n  weft function run my-function --module function.ts < requests.jsonl',
    )
    .action((name: string, options: FunctionRunOptions) =>
      run(async () => (await import('./function/run.ts')).runFunction(name, options, process.stdin, process.stdout)),
    )

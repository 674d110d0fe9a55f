import { Command } from 'commander'
import { withClusterOptions } from '../cluster/index.ts'
import type { Run } from '../run.ts'
import type { FunctionRunOptions } from './function/run.ts'
import { durationOption } from './option-values.ts'

const TIMEOUT = '60s'

export const functionCommand = (run: Run): Command =>
  new Command('function').description('Write and test composition functions.').addCommand(runCommand(run)).addCommand(buildCommand(run))

const buildCommand = (run: Run): Command =>
  new Command('build')
    .description(
      'Compile a function in TypeScript, with everything it imports, to the single file that goes into a package. Types are not checked: `tsc --noEmit` does that.',
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
  withClusterOptions(new Command('run'))
    .description(
      'Call a function. Reads requests from standard input, one RunFunctionRequest in JSON per line, and prints one RunFunctionResponse per line. A request that could not be answered gives a line with "error" instead.',
    )
    .argument(
      '<name>',
      'a function that is built in (function-patch-and-transform, function-auto-ready), one of --functions, or one that is installed in the control plane',
    )
    .option('--functions <file>', 'file with Function objects, as for weft render; NAME is one of them')
    .option('--module <file>', 'the function in this TypeScript file; it is compiled and run in a worker')
    .option('--address <host:port>', 'call the program that listens here, without TLS: for functions under development')
    .addOption(durationOption('--timeout <duration>', 'how long one call may take', TIMEOUT))
    .addHelpText(
      'after',
      '\nExample:\n  weft function run function-auto-ready < requests.jsonl\n  weft function run my-function --address localhost:9443 < requests.jsonl\n  weft function run my-function --module function.ts < requests.jsonl\n  weft function run my-installed-function < requests.jsonl',
    )
    .action((name: string, options: FunctionRunOptions) =>
      run(async () => (await import('./function/run.ts')).runFunction(name, options, process.stdin, process.stdout)),
    )

import { Command, Option } from 'commander'
import type { Run } from '../run.ts'
import { collect } from './option-values.ts'
import type { ValidateOptions } from './validate/validate.ts'

export const validateCommand = (run: Run): Command =>
  new Command('validate')
    .description(
      'Check files without a server: objects against definitions, CustomResourceDefinitions and the bundled providers’ packages (schemas, and rules in CEL), compositions’ field paths and types, connection contracts. Exit code 0: no errors.',
    )
    .argument('[paths...]', 'files and directories; - is standard input')
    .option('-f, --filename <path>', 'a file or directory, like an argument; may be repeated', collect)
    .option('-R, --recursive', 'include subdirectories')
    .option('--schemas <path>', 'definitions and kinds that the files need and that are not checked themselves', collect)
    .option('--strict', 'warnings are errors')
    .option('--no-packages', 'do not use the packages of the bundled providers')
    .addOption(
      new Option('-o, --output <format>', 'text, json, or github (annotations of a pull request)')
        .choices(['text', 'json', 'github'])
        .default('text'),
    )
    .addHelpText('after', '\nExample:\n  weft validate platform/ claim.yaml\n  weft validate -R . -o github')
    .action((paths: string[], options: ValidateOptions) =>
      run(async () => (await import('./validate/validate.ts')).validate(paths, options)),
    )

import { Command, Option } from 'commander'
import type { Run } from '../run.ts'
import { collect, durationOption } from './option-values.ts'
import type { RenderOptions } from './render/render.ts'

const TIMEOUT = '60s'

/** Scripts written for `crossplane render` say which engine renders, and with what: here there is one, and it needs nothing. */
const ignored = (flags: string): Option => new Option(flags, 'accepted, and has no effect').hideHelp()

export const renderCommand = (run: Run): Command =>
  new Command('render')
    .description(
      'Show the objects that would be created for a claim, requirement, composite or application, from files alone: no server is contacted, and the same files always give the same output. Generated names and uids are placeholders that are always the same. A composite resource with a Composition of functions is rendered as its controller would compose it; built-in functions need nothing else.',
    )
    .argument('[paths...]', 'files and directories: the intent, its class or Composition, definitions, functions; - is standard input')
    .option('-f, --filename <path>', 'a file or directory, like an argument; may be repeated', collect)
    .option('-R, --recursive', 'include subdirectories')
    .option('--observed <path>', 'objects that exist already: their names are kept, and patches read them', collect)
    .option('--only <object>', 'render only this intent: KIND/NAME', collect)
    .option('--include-intent', 'also show the intent, as it would be written back')
    .option('--explain', 'show what set each field: a patch, a base, the schema, or Weft itself')
    .option('--no-packages', 'do not use the packages of the bundled providers')
    .option('-q, --quiet', 'leave out notes')
    .option('-o, --output <format>', 'yaml or json; with functions also a path, as --observed-resources', 'yaml')
    .option('--observed-resources <path>', 'with functions: composed resources that exist already', collect)
    .option('-e, --required-resources <path>', 'with functions: what they may ask for', collect)
    .addOption(new Option('--extra-resources <path>', 'the same').argParser(collect).hideHelp())
    .option('-s, --required-schemas <folder>', 'with functions: OpenAPI documents (JSON) with the schemas that they may ask for')
    .option('--function-credentials <path>', 'with functions: Secrets that steps name as credentials', collect)
    .option('--context-files <key=file>', 'with functions: the context that the pipeline begins with, from files of JSON or YAML', collect)
    .option('--context-values <key=value>', 'the same as values in JSON or YAML; they override files', collect)
    .option('-a, --function-annotations <key=value>', 'annotations to set on every Function, overriding its own', collect)
    .option('--xrd <file>', 'with functions: the definition of the composite: its defaults, and where its machinery is')
    .option('-x, --include-full-xr', 'with functions: the whole composite, not just what changes')
    .option('-r, --include-function-results', 'with functions: their results, as objects of kind Result')
    .option('-c, --include-context', 'with functions: the context at the end, as an object of kind Context')
    .addOption(durationOption('--timeout <duration>', 'with functions: how long rendering may take', TIMEOUT))
    .addOption(ignored('--crossplane-version <version>'))
    .addOption(ignored('--crossplane-image <image>'))
    .addOption(ignored('--crossplane-binary <path>'))
    .addOption(ignored('--crossplane-docker-network <network>'))
    .addOption(ignored('--cache-dir <path>'))
    .addOption(ignored('--max-concurrency <count>'))
    .addHelpText(
      'after',
      '\nExample:\n  weft render claim.yaml class.yaml\n  weft render -f platform/ -f claim.yaml --explain\n  weft render xr.yaml composition.yaml functions.yaml --include-function-results',
    )
    .action((paths: string[], options: RenderOptions) => run(async () => (await import('./render/render.ts')).render(paths, options)))

import { Command, Option } from 'commander'
import type { Run } from '../run.ts'
import type { ConvertOptions } from './convert/convert.ts'
import { collect } from './option-values.ts'

export const convertCommand = (run: Run): Command =>
  new Command('convert')
    .description(
      'Convert definitions, publications and Compositions of templates to CompositeResourceDefinitions and Compositions with a pipeline, or back, with the composites, requirements and claims that are in the same files. No server is contacted; other objects are passed on unchanged. If something would be lost, the command lists every field, writes nothing, and exits with code 1.',
    )
    .argument('[paths...]', 'files and directories: definitions together with their publications and Compositions; - is standard input')
    .option('-f, --filename <path>', 'a file or directory, like an argument; may be repeated', collect)
    .option('-R, --recursive', 'include subdirectories')
    .addOption(
      new Option('--to <side>', 'what to convert to (default: the one that the files are not written for)').choices(['crossplane', 'weft']),
    )
    .option('--lossy', 'write the result even if something would be lost')
    .option('-o, --output <file>', 'file to write; yaml or - is standard output', 'yaml')
    .addHelpText(
      'after',
      '\nExample:\n  weft convert -f platform/\n  weft convert -f platform/ --to crossplane -o crossplane.yaml\n  weft convert -f definition.yaml -f composition.yaml --lossy | weft validate -',
    )
    .action((paths: string[], options: ConvertOptions) => run(async () => (await import('./convert/convert.ts')).convert(paths, options)))

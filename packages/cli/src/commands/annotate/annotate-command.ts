import { Command } from 'commander'
import { withClusterOptions } from '../../cluster/cluster-options.ts'
import type { Run } from '../../run.ts'
import type { AnnotateOptions, Mark } from './annotate-objects.ts'

export interface AnnotateCommand {
  readonly name: string
  readonly description: string
  readonly tree: string
  readonly example: string
  readonly mark: Mark
}

/** A command that leaves one annotation on objects. */
export const annotateCommand = (run: Run, { name, description, tree, example, mark }: AnnotateCommand): Command =>
  withClusterOptions(
    new Command(name)
      .description(description)
      .argument('<what...>', 'TYPE/NAME…, TYPE NAME…, or TYPE with -l or --all')
      .option('--tree', tree)
      .option('-l, --selector <selector>', 'objects with these labels')
      .option('--field-selector <selector>', 'objects with these fields')
      .option('--all', 'all objects of the kind, in the namespace')
      .option('-A, --all-namespaces', 'with --all or -l: in all namespaces'),
  )
    .addHelpText('after', `\nExample:\n  ${example}`)
    .action((what: string[], options: AnnotateOptions) =>
      run(async () => (await import('./annotate-objects.ts')).annotateObjects(what, options, mark)),
    )

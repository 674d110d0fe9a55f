import { Command } from 'commander'
import { withClusterOptions } from '../cluster/cluster-options.ts'
import type { Run } from '../run.ts'
import { collect } from './option-values.ts'
import type { DescribeOptions } from './describe/describe.ts'

export const describeCommand = (run: Run): Command =>
  withClusterOptions(
    new Command('describe')
      .description('Show everything about objects: conditions in words, references and events. Secret values are never shown.')
      .argument('[what...]', 'TYPE, TYPE/NAME…, TYPE NAME…; a name may be a prefix')
      .option('-l, --selector <selector>', 'objects with these labels')
      .option('-A, --all-namespaces', 'objects of all namespaces')
      .option('--no-events', 'leave out events')
      .option('-f, --filename <file>', 'objects in this file or directory, or - for standard input; may be repeated', collect)
      .option('-R, --recursive', 'with -f: include subdirectories'),
  )
    .addHelpText('after', '\nExample:\n  weft describe postgresqlinstance db\n  weft describe mrd -l team=a')
    .action((what: string[], options: DescribeOptions) => run(async () => (await import('./describe/describe.ts')).describe(what, options)))

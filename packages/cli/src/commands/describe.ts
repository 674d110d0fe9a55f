import { Command } from 'commander'
import { withClusterOptions } from '../cluster/cluster-options.ts'
import type { Run } from '../run.ts'
import { collect } from './option-values.ts'
import type { DescribeOptions } from './describe/describe.ts'

export const describeCommand = (run: Run): Command =>
  withClusterOptions(
    new Command('describe')
      .description('Tell all about objects: conditions in words, what they refer to, and what happened. Values of secrets are never shown.')
      .argument('[what...]', 'TYPE, TYPE/NAME…, TYPE NAME…; a name may be the beginning of one')
      .option('-l, --selector <selector>', 'objects with these labels')
      .option('-A, --all-namespaces', 'objects of all namespaces')
      .option('--no-events', 'without events')
      .option('-f, --filename <file>', 'objects that a file, directory or - names; may be repeated', collect)
      .option('-R, --recursive', 'with -f: directories in directories, too'),
  )
    .addHelpText('after', '\nExample:\n  weft describe postgresqlinstance db\n  weft describe mrd -l team=a')
    .action((what: string[], options: DescribeOptions) => run(async () => (await import('./describe/describe.ts')).describe(what, options)))

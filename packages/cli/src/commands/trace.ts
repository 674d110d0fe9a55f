import { Command, Option } from 'commander'
import { withClusterOptions } from '../cluster/cluster-options.ts'
import type { Run } from '../run.ts'
import type { TraceOptions } from './trace/trace.ts'

export const traceCommand = (run: Run): Command =>
  withClusterOptions(
    new Command('trace')
      .description(
        'Show what was created for an object, down to the external resources, and above all why it is not ready. Works for any object: a claim, a requirement, a composite, a group or a member.',
      )
      .argument('<object...>', 'TYPE/NAME or TYPE NAME')
      .option('-w, --watch', 'keep watching, and show it again whenever something in it changes')
      .addOption(new Option('-o, --output <format>', 'wide: more columns; json; dot: for Graphviz').choices(['wide', 'json', 'dot'])),
  )
    .addHelpText('after', '\nExample:\n  weft trace mysqlinstance/sql\n  weft trace mysqlinstance sql -o dot | dot -Tsvg > sql.svg')
    .action((words: string[], options: TraceOptions) => run(async () => (await import('./trace/trace.ts')).trace(words, options)))

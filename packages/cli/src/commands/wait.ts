import { Command } from 'commander'
import { withClusterOptions } from '../cluster/cluster-options.ts'
import type { Run } from '../run.ts'
import { collect, durationOption } from './option-values.ts'
import type { WaitOptions } from './wait/wait.ts'

export const waitCommand = (run: Run): Command =>
  withClusterOptions(
    new Command('wait')
      .description('Wait until objects have a condition, a value, or are gone. Exit code 1 on timeout.')
      .argument('[what...]', 'TYPE/NAME…, TYPE NAME…, or TYPE with -l or --all')
      .requiredOption('--for <condition>', 'condition=NAME[=VALUE], jsonpath={PATH}[=VALUE], create or delete')
      .addOption(durationOption('--timeout <duration>', 'how long to wait; 0 checks once, a negative value waits a week', '30s'))
      .option('-l, --selector <selector>', 'objects with these labels')
      .option('--field-selector <selector>', 'objects with these fields')
      .option('--all', 'all objects of the kind')
      .option('-A, --all-namespaces', 'objects of all namespaces')
      .option('-f, --filename <file>', 'objects in this file or directory, or - for standard input; may be repeated', collect)
      .option('-R, --recursive', 'with -f: include subdirectories'),
  )
    .addHelpText(
      'after',
      "\nExample:\n  weft wait postgresqlinstance/db --for=condition=Ready --timeout=5m\n  weft wait secret/db --for=jsonpath='{.data.endpoint}'",
    )
    .action((what: string[], options: WaitOptions) => run(async () => (await import('./wait/wait.ts')).wait(what, options)))

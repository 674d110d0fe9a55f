import { Command } from 'commander'
import { withClusterOptions } from '../cluster/cluster-options.ts'
import type { Run } from '../run.ts'
import { durationOption, oneOf } from './option-values.ts'
import type { TopOptions } from './top/top.ts'

export const topCommand = (run: Run): Command =>
  withClusterOptions(
    new Command('top')
      .description('Show what the controllers are doing: reconciles per second, failures, durations and queue lengths.')
      .addOption(durationOption('--interval <duration>', 'time between two readings', '1s'))
      .option('-w, --watch', 'keep showing it until stopped')
      .option('-a, --all', 'include controllers that have been idle')
      .option('--sort-by <column>', 'rate, slowest, queue, errors or name', oneOf('rate', 'slowest', 'queue', 'errors', 'name'), 'rate')
      .option('--url <address>', 'read another /metrics, such as that of `weft start`')
      .option('-o, --output <format>', 'json', oneOf('json'))
      .option('--no-headers', 'omit the header line'),
  )
    .addHelpText('after', '\nExample:\n  weft top --sort-by slowest\n  weft top -w --interval 5s')
    .action((options: TopOptions) => run(async () => (await import('./top/top.ts')).top(options)))

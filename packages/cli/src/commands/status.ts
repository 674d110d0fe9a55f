import { Command } from 'commander'
import { withClusterOptions } from '../cluster/cluster-options.ts'
import type { Run } from '../run.ts'
import { oneOf } from './option-values.ts'
import type { StatusOptions } from './status/status.ts'

export const statusCommand = (run: Run): Command =>
  withClusterOptions(
    new Command('status')
      .description(
        'Show whether the control plane is running, where, since when, how it is doing, and how much it stores. Exit code 1 if it is not running or not ready.',
      )
      .option('-o, --output <format>', 'json or yaml', oneOf('json', 'yaml')),
  )
    .addHelpText('after', '\nExample:\n  weft status --data-dir .weft')
    .action((options: StatusOptions) => run(async () => (await import('./status/status.ts')).status(options)))

import { Command } from 'commander'
import { withClusterOptions } from '../cluster/cluster-options.ts'
import type { Run } from '../run.ts'
import { oneOf } from './option-values.ts'
import type { StatusOptions } from './status/status.ts'

export const statusCommand = (run: Run): Command =>
  withClusterOptions(
    new Command('status')
      .description(
        'Say whether the control plane runs, where, since when, how well, and how much it holds. Exit code 1 when it does not run or is not ready.',
      )
      .option('-o, --output <format>', 'json or yaml', oneOf('json', 'yaml')),
  )
    .addHelpText('after', '\nExample:\n  weft status --data-dir .weft')
    .action((options: StatusOptions) => run(async () => (await import('./status/status.ts')).status(options)))

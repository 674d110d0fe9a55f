import { Command } from 'commander'
import type { Run } from '../run.ts'
import { durationOption } from './option-values.ts'

interface DownOptions {
  readonly dataDir: string
  readonly timeout: number
}

export const downCommand = (run: Run): Command =>
  new Command('down')
    .description('Stop the control plane that `weft up` runs with a data directory. Open requests are finished; data stays.')
    .option('--data-dir <dir>', 'data directory of the running control plane', '.weft')
    .addOption(durationOption('--timeout <duration>', 'how long to wait until it has stopped', '30s'))
    .addHelpText('after', '\nExample:\n  weft down --data-dir .weft')
    .action((options: DownOptions) => run(async () => (await import('./down/down.ts')).down(options)))

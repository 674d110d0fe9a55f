import { Command } from 'commander'
import type { Run } from '../run.ts'
import type { OpenOptions } from './open/open.ts'

export const openCommand = (run: Run): Command =>
  new Command('open')
    .description(
      'Open the web console of `weft up` in the browser, signed in as the administrator. Without a browser here it prints the link, which works once.',
    )
    .option('--data-dir <dir>', 'data directory of the `weft up` (default: that of the kubeconfig in use)')
    .option('--print', 'print the link and open nothing')
    .addHelpText('after', '\nExample:\n  weft open\n  weft open --print')
    .action((options: OpenOptions) => run(async () => (await import('./open/open.ts')).open(options)))

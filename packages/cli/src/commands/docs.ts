import { Command } from 'commander'
import { parsePort } from '../parse-port.ts'
import type { Run } from '../run.ts'
import type { DocsOptions } from './docs/docs.ts'

export const docsCommand = (run: Run): Command =>
  new Command('docs')
    .description(
      'Open the manual of this version in the browser. It is served by the console if one is running, and by this command until Ctrl-C otherwise.',
    )
    .argument('[page]', 'page to open, for example install or guides/terraform')
    .option('--data-dir <dir>', 'data directory of the `weft up` whose console serves it (default: that of the kubeconfig in use)')
    .option('--port <port>', 'serve it on this port, whether a console is running or not', parsePort)
    .option('--print', 'print the address and open nothing')
    .addHelpText('after', '\nExample:\n  weft docs\n  weft docs guides/platform-engineer')
    .action((page: string | undefined, options: DocsOptions) => run(async () => (await import('./docs/docs.ts')).docs(page, options)))

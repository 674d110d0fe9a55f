import { Command } from 'commander'
import type { Run } from '../run.ts'
import type { LogsOptions } from './logs/log-reader.ts'
import { wholeNumber } from './option-values.ts'

export const logsCommand = (run: Run): Command =>
  new Command('logs')
    .description('Show the output of provider and function processes, or of their pods in a cluster. Without a name, list the logs.')
    .argument('[provider]', 'name of the provider or function, as in `weft package list`')
    .option('-f, --follow', 'keep printing new lines as they appear')
    .option('--tail <lines>', 'show only this many lines from the end', wholeNumber)
    .option('--kubeconfig <file>', 'kubeconfig to use (default: $KUBECONFIG, .weft/kubeconfig, ~/.kube/config)')
    .option('--context <name>', 'context of the kubeconfig')
    .option('--data-dir <dir>', 'data directory of the control plane (default: that of the kubeconfig in use)')
    .addHelpText('after', '\nExample:\n  weft logs\n  weft logs provider-example --tail 100 --follow')
    .action((provider: string | undefined, options: LogsOptions) =>
      run(async () => (await import('./logs/logs.ts')).logs(provider, options)),
    )

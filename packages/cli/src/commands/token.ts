import { Command } from 'commander'
import { withClusterOptions } from '../cluster/cluster-options.ts'
import type { Run } from '../run.ts'
import { durationOption } from './option-values.ts'
import type { TokenOptions } from './user/print-token.ts'

export const tokenCommand = (run: Run): Command =>
  withClusterOptions(
    new Command('token')
      .description(
        'Print a new token for an account that `weft user add` created, for the sign-in page of the web console or for a program.',
      )
      .argument('<name>', 'name of the person')
      .addOption(durationOption('--duration <duration>', 'how long the token is valid', '1h')),
  )
    .addHelpText('after', '\nExample:\n  weft token ada -n shop\n  curl -H "Authorization: Bearer $(weft token ada)" …')
    .action((name: string, options: TokenOptions) => run(async () => (await import('./user/print-token.ts')).printToken(name, options)))

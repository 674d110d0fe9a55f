import { Command } from 'commander'
import { withClusterOptions } from '../cluster/cluster-options.ts'
import type { Run } from '../run.ts'
import type { EditOptions } from './edit/edit.ts'

export const editCommand = (run: Run): Command =>
  withClusterOptions(
    new Command('edit')
      .description(
        'Open an object in an editor ($VISUAL, $EDITOR or vi) and write back what was changed. If the server refuses the change, the editor opens again with the reason at the top.',
      )
      .argument('<what...>', 'TYPE/NAME or TYPE NAME')
      .option('--subresource <name>', 'edit status or scale instead')
      .option('--field-manager <name>', 'owner of the fields that are written', 'weft-cli'),
  )
    .addHelpText('after', '\nExample:\n  EDITOR=nano weft edit postgresqlinstance db')
    .action((what: string[], options: EditOptions) => run(async () => (await import('./edit/edit.ts')).edit(what, options)))

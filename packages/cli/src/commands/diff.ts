import { Command, Option } from 'commander'
import { withClusterOptions } from '../cluster/cluster-options.ts'
import type { Run } from '../run.ts'
import { collect } from './option-values.ts'
import type { DiffOptions } from './plan/diff.ts'

const command = (name: string, run: Run): Command =>
  withClusterOptions(
    new Command(name)
      .description(
        'Show what would change if files were applied, all the way down to managed resources: created, changed field by field, deleted, kept. The controllers run in this process, on a copy of the objects; nothing is written. Exit code 0: nothing changes, 1: something does, 2: the plan could not be made.',
      )
      .argument('[objects...]', 'with --delete: TYPE/NAME or TYPE NAME')
      .option('-f, --filename <file>', 'file, directory, address or - for standard input; may be repeated', collect)
      .option('-R, --recursive', 'include subdirectories')
      .option('--delete', 'show what would be deleted and what would stay if these objects were deleted')
      .option('--force-conflicts', 'as apply --force-conflicts: take over fields that somebody else has set')
      .option('--field-manager <name>', 'owner of the fields that would be written', 'weft-cli')
      .option('--all', 'include the fields that the control plane keeps for itself: references to what was created, labels, uids')
      .option('--out <file>', 'save the plan: `weft apply FILE` carries out exactly this, or refuses if anything has changed')
      .addOption(new Option('-o, --output <format>', 'json: whole objects, before and after').choices(['text', 'json']).default('text')),
  )
    .addHelpText(
      'after',
      `\nExample:\n  weft ${name} -f claim.yaml\n  weft ${name} -f platform/ -R -o json\n  weft ${name} -f claim.yaml --out claim.plan; weft apply claim.plan\n  weft ${name} --delete mysqlinstance/sql`,
    )
    .action((words: string[], options: DiffOptions) => run(async () => (await import('./plan/diff.ts')).diff(words, options)))

export const diffCommand = (run: Run): Command => command('diff', run)

/** The same under the name that others know it by. */
export const planCommand = (run: Run): Command => command('plan', run)

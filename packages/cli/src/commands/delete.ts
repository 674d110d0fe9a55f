import { Command } from 'commander'
import { withClusterOptions } from '../cluster/cluster-options.ts'
import type { Run } from '../run.ts'
import { collect, durationOption, oneOf } from './option-values.ts'
import type { DeleteOptions } from './delete/delete.ts'

export const deleteCommand = (run: Run): Command =>
  withClusterOptions(
    new Command('delete')
      .description('Delete objects, and by default wait until they are gone.')
      .argument('[what...]', 'TYPE/NAME…, TYPE NAME…, or TYPE with -l or --all')
      .option('-f, --filename <file>', 'objects in this file or directory, or - for standard input; may be repeated', collect)
      .option('-R, --recursive', 'with -f: include subdirectories')
      .option('-l, --selector <selector>', 'objects with these labels')
      .option('--field-selector <selector>', 'objects with these fields')
      .option('--all', 'all objects of the kind, in the namespace')
      .option('-A, --all-namespaces', 'with --all or -l: in all namespaces')
      .option(
        '--cascade <how>',
        'what happens to the objects it owns: background, foreground (they go first) or orphan (they stay)',
        oneOf('background', 'foreground', 'orphan'),
        'background',
      )
      .option('--no-wait', 'do not wait until they are gone')
      .option('--wait', 'wait until they are gone (the default)')
      .addOption(durationOption('--timeout <duration>', 'how long to wait', '0'))
      .option('--ignore-not-found', 'do not fail for objects that do not exist')
      .option(
        '--dry-run <where>',
        'server: ask the server and delete nothing; client: only show what would be deleted',
        oneOf('server', 'client', 'none'),
        'none',
      )
      .option('-o, --output <format>', 'name: print only names'),
  )
    .addHelpText('after', '\nExample:\n  weft delete postgresqlinstance db\n  weft delete -f claim.yaml --timeout=2m')
    .action((what: string[], options: DeleteOptions) => run(async () => (await import('./delete/delete.ts')).deleteObjects(what, options)))

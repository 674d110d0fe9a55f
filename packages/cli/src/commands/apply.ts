import { Command } from 'commander'
import { withClusterOptions } from '../cluster/cluster-options.ts'
import type { Run } from '../run.ts'
import type { ApplyOptions } from './apply/apply.ts'
import { collect, durationOption, oneOf } from './option-values.ts'

export const applyCommand = (run: Run): Command =>
  withClusterOptions(
    new Command('apply')
      .description(
        'Create or update objects from files (server-side apply). All are checked before any is written; definitions come first, and objects of the kinds that they define wait for them.',
      )
      .argument('[plan]', 'a plan saved by `weft diff --out`: carried out exactly, or refused if anything has changed since')
      .option('-f, --filename <file>', 'file, directory, address or - for standard input; may be repeated', collect)
      .option('-R, --recursive', 'include subdirectories')
      .option(
        '--dry-run <where>',
        'server: ask the server and write nothing; client: only read the files',
        oneOf('server', 'client', 'none'),
        'none',
      )
      .option('--force-conflicts', 'take over fields that somebody else has set')
      .option('--field-manager <name>', 'owner of the fields that are written', 'weft-cli')
      .option('--server-side', 'no effect, as in kubectl: objects are always applied by the server')
      .option(
        '--validate <how>',
        'unknown fields: strict refuses, warn warns, ignore drops them',
        oneOf('strict', 'warn', 'ignore', 'true', 'false'),
        'strict',
      )
      .option('--prune', 'with -l: delete what was applied before and is no longer in the files')
      .option('-l, --selector <selector>', 'only objects in the files with these labels')
      .addOption(durationOption('--wait-for-kinds <duration>', 'how long to wait for kinds that the same files define', '60s'))
      .option('--wait', 'wait until what was applied is ready: claims and composites are ready, definitions established, packages healthy')
      .addOption(durationOption('--timeout <duration>', 'with --wait: how long', '5m'))
      .option('-o, --output <format>', 'print the objects as the server has them: json, yaml, name, jsonpath=TEMPLATE'),
  )
    .addHelpText(
      'after',
      '\nExample:\n  weft apply -f claim.yaml --wait\n  weft apply -f platform/ -R --dry-run=server\n  cat *.yaml | weft apply -f -\n  weft apply claim.plan',
    )
    .action((plan: string | undefined, options: ApplyOptions) => run(async () => (await import('./apply/apply.ts')).apply(plan, options)))

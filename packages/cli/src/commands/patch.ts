import { Command } from 'commander'
import { withClusterOptions } from '../cluster/cluster-options.ts'
import type { Run } from '../run.ts'
import { oneOf } from './option-values.ts'
import type { PatchCommandOptions } from './patch/patch.ts'

export const patchCommand = (run: Run): Command =>
  withClusterOptions(
    new Command('patch')
      .description('Change some fields of one object.')
      .argument('<what...>', 'TYPE/NAME or TYPE NAME')
      .option('-p, --patch <patch>', 'the patch, JSON or YAML')
      .option('--patch-file <file>', 'a file with the patch; - for standard input')
      .option(
        '--type <type>',
        'merge: fields replace fields, null removes; json: a list of operations; strategic: lists merge by key (built-in kinds only); apply: fields become yours',
        oneOf('json', 'merge', 'strategic', 'apply'),
        'merge',
      )
      .option('--subresource <name>', 'patch status or scale instead')
      .option('--field-manager <name>', 'owner of the fields that are written', 'weft-cli')
      .option('--force-conflicts', 'with --type apply: take over fields that somebody else has set')
      .option('--dry-run <where>', 'server: ask the server and write nothing', oneOf('server', 'none'), 'none')
      .option('-o, --output <format>', 'print the patched object: json, yaml, name, jsonpath=TEMPLATE'),
  )
    .addHelpText(
      'after',
      '\nExample:\n  weft patch postgresqlinstance db -p \'{"spec":{"engineVersion":"17"}}\'\n  weft patch cm/a --type json -p \'[{"op":"remove","path":"/data/x"}]\'',
    )
    .action((what: string[], options: PatchCommandOptions) => run(async () => (await import('./patch/patch.ts')).patch(what, options)))

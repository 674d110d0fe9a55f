import { Command } from 'commander'
import { withClusterOptions } from '../cluster/cluster-options.ts'
import type { Run } from '../run.ts'
import { collect, collectList } from './option-values.ts'
import type { GetOptions } from './get/get-options.ts'

export const getCommand = (run: Run): Command =>
  withClusterOptions(
    new Command('get')
      .description('Show objects: one line each, or whole. The server decides about the columns.')
      .argument('[what...]', 'TYPE, TYPE NAME…, TYPE/NAME…, or TYPE,TYPE; short names and categories (such as all) work')
      .option(
        '-o, --output <format>',
        'wide, json, yaml, name, jsonpath=TEMPLATE, custom-columns=NAME:PATH,… (jsonpath-file=, custom-columns-file=)',
      )
      .option('-A, --all-namespaces', 'objects of all namespaces')
      .option('-l, --selector <selector>', 'only objects with these labels: a=b,c!=d,e in (f,g),!h')
      .option('--field-selector <selector>', 'only objects with these fields: metadata.name=a')
      .option('-w, --watch', 'then show every change')
      .option('--watch-only', 'show changes, not what there is')
      .option('--output-watch-events', 'say of every change whether it added, modified or deleted')
      .option('--sort-by <path>', 'order by a field, such as .metadata.creationTimestamp')
      .option('--show-labels', 'labels in the last column')
      .option('-L, --label-columns <labels>', 'columns for these labels; repeat or separate by commas', collectList)
      .option('--show-kind', 'kinds before names')
      .option('--show-managed-fields', 'with -o json or yaml: who owns which field')
      .option('--no-headers', 'no line with the names of the columns')
      .option('--ignore-not-found', 'say nothing about objects that are not there')
      .option('-f, --filename <file>', 'objects that a file, directory or - names; may be repeated', collect)
      .option('-R, --recursive', 'with -f: directories in directories, too'),
  )
    .addHelpText(
      'after',
      "\nExample:\n  weft get managed\n  weft get secrets -A -l team=a -o wide\n  weft get secret/db -o jsonpath='{.metadata.uid}'",
    )
    .action((what: string[], options: GetOptions) => run(async () => (await import('./get/get.ts')).get(what, options)))

import { Command } from 'commander'
import { withClusterOptions } from '../cluster/cluster-options.ts'
import type { Run } from '../run.ts'
import { collect, collectList } from './option-values.ts'
import type { GetOptions } from './get/get-options.ts'

export const getCommand = (run: Run): Command =>
  withClusterOptions(
    new Command('get')
      .description('Show objects: one line each, or in full. The server chooses the columns.')
      .argument('[what...]', 'TYPE, TYPE NAME…, TYPE/NAME…, or TYPE,TYPE; short names and categories (such as all) work')
      .option(
        '-o, --output <format>',
        'wide, json, yaml, name, jsonpath=TEMPLATE, custom-columns=NAME:PATH,… (jsonpath-file=, custom-columns-file=)',
      )
      .option('-A, --all-namespaces', 'objects of all namespaces')
      .option('-l, --selector <selector>', 'only objects with these labels: a=b,c!=d,e in (f,g),!h')
      .option('--field-selector <selector>', 'only objects with these fields: metadata.name=a')
      .option('-w, --watch', 'keep watching, and show every change')
      .option('--watch-only', 'show only changes, not what exists already')
      .option('--output-watch-events', 'show whether each change added, modified or deleted an object')
      .option('--sort-by <path>', 'sort by a field, such as .metadata.creationTimestamp')
      .option('--show-labels', 'show labels in the last column')
      .option('-L, --label-columns <labels>', 'show columns for these labels; repeat or separate by commas', collectList)
      .option('--show-kind', 'show the kind before each name')
      .option('--show-managed-fields', 'with -o json or yaml: include who owns which field')
      .option('--no-headers', 'omit the header line')
      .option('--ignore-not-found', 'ignore objects that do not exist')
      .option('-f, --filename <file>', 'objects in this file or directory, or - for standard input; may be repeated', collect)
      .option('-R, --recursive', 'with -f: include subdirectories'),
  )
    .addHelpText(
      'after',
      "\nExample:\n  weft get managed\n  weft get secrets -A -l team=a -o wide\n  weft get secret/db -o jsonpath='{.metadata.uid}'",
    )
    .action((what: string[], options: GetOptions) => run(async () => (await import('./get/get.ts')).get(what, options)))

import { Command } from 'commander'
import { withClusterOptions } from '../cluster/cluster-options.ts'
import type { Run } from '../run.ts'
import type { EventsOptions } from './events/events.ts'
import { collectList } from './option-values.ts'

export const eventsCommand = (run: Run): Command =>
  withClusterOptions(
    new Command('events')
      .description('Show events, the latest last.')
      .option('--for <object>', 'only events of one object, TYPE/NAME')
      .option('-A, --all-namespaces', 'events of all namespaces')
      .option('-w, --watch', 'keep watching, and show new ones')
      .option('--types <types>', 'Normal, Warning or both, separated by commas', collectList)
      .option('-o, --output <format>', 'json, yaml, name, jsonpath=TEMPLATE, custom-columns=NAME:PATH,…')
      .option('--no-headers', 'omit the header line'),
  )
    .addHelpText('after', '\nExample:\n  weft events --types=Warning -A\n  weft events --for postgresqlinstance/db -w')
    .action((options: EventsOptions) => run(async () => (await import('./events/events.ts')).events(options)))

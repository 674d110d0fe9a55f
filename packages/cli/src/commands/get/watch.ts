import { hasReason, type KubeObject } from '@weft/api'
import { ConnectionError, type WatchEvent } from '@weft/client'
import type { Cluster } from '../../cluster/index.ts'
import { objectStream, type OutputFormat, printExact, type TableLayout } from '../../output/index.ts'
import { CommandFailure } from '../../report.ts'
import type { Target } from '../../selection/targets.ts'
import { formatRows } from './format-rows.ts'
import { type GetOptions, queryOf } from './get-options.ts'
import { listTable, pathOf, type ServerTable, TABLE_ACCEPT, type TableColumn, tableOf } from './table-source.ts'

/** Shows what there is and then every change, until interrupted. A connection that ends is taken up where it was. */
export async function watchTarget(
  cluster: Cluster,
  targets: readonly Target[],
  format: OutputFormat,
  options: GetOptions,
): Promise<number> {
  const [target, ...others] = targets
  if (target === undefined || others.length > 0 || (target.names?.length ?? 0) > 1)
    throw new CommandFailure('-w watches one kind, or one object of it')
  if (options.sortBy !== undefined) throw new CommandFailure('a watch has no order: leave out --sort-by or -w')
  const show = format.type === 'table' ? tableShower(target, format.wide, options) : await objectShower(format, options)
  const { namespace, ...selectors } = queryOf(cluster, target.names === undefined ? { kind: target.kind } : target, options)
  const fieldSelector = target.names === undefined ? selectors.fieldSelector : `metadata.name=${target.names[0] ?? ''}`
  const query = { ...selectors, includeObject: format.type === 'table' ? ('Metadata' as const) : ('Object' as const), fieldSelector }
  const list = (): Promise<ServerTable> => listTable(cluster.transport, target.kind, { ...query, namespace })
  const initial = await list()
  if (options.watchOnly !== true) show.initial(initial)
  else show.columns(initial.columns)
  const resource = pathOf(target.kind, namespace)
  let resourceVersion = initial.resourceVersion
  for (;;) {
    try {
      const events = cluster.transport.watch({
        resource,
        options: { ...query, resourceVersion },
        ...(format.type === 'table' && { accept: TABLE_ACCEPT }),
      })
      for await (const batch of events) for (const event of batch) resourceVersion = show.event(event) ?? resourceVersion
    } catch (error) {
      // Too old to go on from: what happened meanwhile cannot be told, only what there is now.
      if (hasReason(error, 'Expired') || hasReason(error, 'Gone')) resourceVersion = (await list()).resourceVersion
      else if (!(error instanceof ConnectionError) || !error.mayHaveTakenEffect) throw error
    }
  }
}

interface Shower {
  initial(table: ServerTable): void
  columns(columns: readonly TableColumn[]): void
  /** Answers the revision to go on from. */
  event(event: WatchEvent): string | undefined
}

function tableShower(target: Target, wide: boolean, options: GetOptions): Shower {
  const layout: TableLayout = { widths: [] }
  let known: readonly TableColumn[] = []
  let headers = options.headers
  const print = (columns: readonly TableColumn[], table: Pick<ServerTable, 'rows'>, event: string): void => {
    if (columns.length > 0) known = columns
    const text = formatRows(
      known,
      table.rows,
      {
        wide,
        headers,
        showNamespace: options.allNamespaces === true && target.kind.namespaced,
        showLabels: options.showLabels === true,
        labelColumns: options.labelColumns ?? [],
        prefix: options.showKind === true ? target.kind : undefined,
        event: options.outputWatchEvents === true ? event : undefined,
      },
      layout,
    )
    if (table.rows.length > 0) headers = false
    if (table.rows.length > 0) process.stdout.write(text)
  }
  return {
    initial: (table) => print(table.columns, table, 'ADDED'),
    columns: (columns) => void (known = columns),
    event({ type, object }) {
      if (type === 'BOOKMARK') return object.metadata?.resourceVersion
      const table = tableOf(object)
      print(table.columns, table, type)
      return table.rows.at(-1)?.object.metadata.resourceVersion
    },
  }
}

async function objectShower(format: Exclude<OutputFormat, { type: 'table' }>, options: GetOptions): Promise<Shower> {
  const formatted = await objectStream(format, { showManagedFields: options.showManagedFields, noHeaders: !options.headers })
  const write = format.type === 'custom-columns' ? (text: string): unknown => process.stdout.write(text) : printExact
  const print = (object: KubeObject): unknown => write(formatted(object))
  return {
    initial: ({ rows }) => rows.forEach(({ object }) => print(object)),
    columns: () => undefined,
    event({ type, object }) {
      if (type !== 'BOOKMARK') print(object)
      return object.metadata.resourceVersion
    },
  }
}

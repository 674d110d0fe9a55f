import { hasReason, type KubeObject } from '@weft/api'
import type { Mapping } from '@weft/client'
import type { Cluster, KindCatalog } from '../../cluster/index.ts'
import { lookBeforeAsking, withCluster } from '../../cluster/index.ts'
import { readManifests } from '../../manifests/index.ts'
import { formatObjects, type OutputFormat, parseOutputFormat, parsePath, printExact } from '../../output/index.ts'
import { withProgress } from '../../progress.ts'
import { CommandFailure } from '../../report.ts'
import { describeObject, isListable, parseTargets, type Target } from '../../selection/targets.ts'
import { withClassColumns } from './class-columns.ts'
import { formatRows } from './format-rows.ts'
import { type GetOptions, queryOf } from './get-options.ts'
import { sortByField } from './sort-by.ts'
import { getTable, listTable, type ServerTable } from './table-source.ts'
import { watchTarget } from './watch.ts'

export async function get(words: readonly string[], options: GetOptions): Promise<number> {
  const format = parseOutputFormat(options.output)
  if (options.sortBy !== undefined) parsePath(options.sortBy)
  const manifests = options.filename === undefined ? undefined : await readManifests(options.filename, options)
  if (manifests !== undefined && words.length > 0) throw new CommandFailure('give either files with -f or objects, not both')
  return withCluster(options, async (cluster) => {
    const targets = (kinds: KindCatalog): Promise<readonly Target[]> =>
      manifests === undefined
        ? parseTargets(words, kinds)
        : targetsOf(
            cluster,
            manifests.map(({ object }) => object),
          )
    if (options.watch === true || options.watchOnly === true) return watchTarget(cluster, await targets(cluster.kinds), format, options)
    const failures: CommandFailure[] = []
    const found = await withProgress(`asking ${cluster.server}`, () =>
      lookBeforeAsking(cluster.kinds, async (kinds) => {
        failures.length = 0
        const answers = (await targets(kinds)).map((target) => read(cluster, target, format, options, failures))
        return { found: await Promise.all(answers), missing: failures.length > 0 }
      }),
    )
    if (format.type === 'table') printTables(cluster, found, options)
    else await printObjects(found, format, options)
    return reportAll(failures)
  })
}

/** What was found of one target: rows for a table, or whole objects. */
interface Found {
  readonly target: Target
  readonly table?: ServerTable
  readonly objects?: readonly KubeObject[]
}

async function read(
  cluster: Cluster,
  target: Target,
  format: OutputFormat,
  options: GetOptions,
  failures: CommandFailure[],
): Promise<Found> {
  const query = queryOf(cluster, target, options)
  if (target.names === undefined) {
    if (!isListable(target.kind)) throw new CommandFailure(`${target.kind.plural} cannot be listed: name an object`)
    if (format.type === 'table')
      return { target, table: await withClassColumns(cluster, target.kind, await listTable(cluster.transport, target.kind, query)) }
    const { items } = await cluster.client.list(target.kind, {
      namespace: query.namespace,
      labels: query.labelSelector,
      fieldSelector: query.fieldSelector,
    })
    const { kind } = target
    const apiVersion = kind.group === '' ? kind.version : `${kind.group}/${kind.version}`
    // Items of a list of a built-in kind do not say what they are.
    return { target, objects: items.map((item) => ({ ...item, apiVersion, kind: kind.kind })) }
  }
  if (options.selector !== undefined || options.fieldSelector !== undefined)
    throw new CommandFailure('give either names or a selector, not both')
  const tables: ServerTable[] = []
  const objects: KubeObject[] = []
  for (const name of target.names) {
    try {
      if (format.type === 'table') tables.push(await getTable(cluster.transport, target.kind, name, query))
      else objects.push(await cluster.client.get(target.kind, { name, namespace: query.namespace }))
    } catch (error) {
      if (!hasReason(error, 'NotFound')) throw error
      if (options.ignoreNotFound !== true) failures.push(notFound(target.kind, name, query.namespace))
    }
  }
  if (format.type !== 'table') return { target, objects }
  const table = { columns: tables[0]?.columns ?? [], rows: tables.flatMap(({ rows }) => rows), resourceVersion: '' }
  return { target, table: await withClassColumns(cluster, target.kind, table) }
}

/** "Not found" with where it was looked for: most often it is somewhere else. */
export function notFound(kind: Mapping, name: string, namespace: string | undefined): CommandFailure {
  const where =
    kind.namespaced && namespace !== undefined ? ` in namespace "${namespace}" (weft get ${kind.plural} -A shows all namespaces)` : ''
  return new CommandFailure(`${describeObject(kind, name)} not found${where}`)
}

function printTables(cluster: Cluster, found: readonly Found[], options: GetOptions): void {
  const format = parseOutputFormat(options.output)
  const several = found.length > 1 || options.showKind === true
  const texts = found
    .filter(({ table }) => table !== undefined && table.rows.length > 0)
    .map(({ target, table }) => {
      const { columns, rows } = table as ServerTable
      return formatRows(
        columns,
        options.sortBy === undefined ? rows : sortByField(rows, parsePath(options.sortBy), ({ object }) => object),
        {
          wide: format.type === 'table' && format.wide,
          headers: options.headers,
          showNamespace: options.allNamespaces === true && target.kind.namespaced,
          showLabels: options.showLabels === true,
          labelColumns: options.labelColumns ?? [],
          prefix: several ? target.kind : undefined,
        },
      )
    })
  process.stdout.write(texts.join('\n'))
  if (texts.length === 0 && found.some(({ target }) => target.names === undefined)) sayNothingFound(cluster, found, options)
}

function sayNothingFound(cluster: Cluster, found: readonly Found[], options: GetOptions): void {
  const namespaced = options.allNamespaces !== true && found.some(({ target }) => target.kind.namespaced)
  process.stderr.write(namespaced ? `No resources found in ${cluster.namespace} namespace.\n` : 'No resources found.\n')
}

async function printObjects(found: readonly Found[], format: Exclude<OutputFormat, { type: 'table' }>, options: GetOptions): Promise<void> {
  const all = found.flatMap(({ objects }) => objects ?? [])
  const sorted = options.sortBy === undefined ? all : sortByField(all, parsePath(options.sortBy), (object) => object)
  const asList = found.some(({ target }) => target.names === undefined) || found.flatMap(({ target }) => target.names ?? []).length > 1
  if (sorted.length === 0 && !asList) return
  const print = format.type === 'custom-columns' ? (text: string): unknown => process.stdout.write(text) : printExact
  print(await formatObjects(sorted, format, { showManagedFields: options.showManagedFields, noHeaders: !options.headers, asList }))
}

/** One target per object of the files. */
async function targetsOf(cluster: Cluster, objects: readonly KubeObject[]): Promise<readonly Target[]> {
  const targets: Target[] = []
  for (const object of objects) {
    const { group, kind } = await cluster.client.mapping({
      group: object.apiVersion.includes('/') ? (object.apiVersion.split('/')[0] ?? '') : '',
      kind: object.kind,
    })
    const served = (await cluster.kinds.all()).find((each) => each.group === group && each.kind === kind)
    if (served !== undefined) targets.push({ kind: served, names: [object.metadata.name ?? ''] })
  }
  return targets
}

/** What was found is shown; what was not makes the exit code. */
export function reportAll(failures: readonly CommandFailure[]): number {
  const [first, ...others] = failures
  if (first === undefined) return 0
  for (const { message } of others) process.stderr.write(`error: ${message}\n`)
  throw first
}

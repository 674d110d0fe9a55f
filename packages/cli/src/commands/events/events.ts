import { hasReason } from '@weft/api'
import { ConnectionError, type CoreEvent, eventKind } from '@weft/client'
import type { Cluster, ClusterOptions } from '../../cluster/index.ts'
import { withCluster } from '../../cluster/index.ts'
import { formatObjects, formatTable, objectStream, parseOutputFormat, type TableLayout } from '../../output/index.ts'
import { CommandFailure } from '../../report.ts'
import { parseSingleTarget } from '../../selection/targets.ts'
import { byTime, formatInvolved, formatOccurrence, singleLine } from './event-rows.ts'

export interface EventsOptions extends ClusterOptions {
  readonly for?: string
  readonly allNamespaces?: boolean
  readonly watch?: boolean
  readonly types?: readonly string[]
  readonly output?: string
  readonly headers: boolean
}

export async function events(options: EventsOptions): Promise<number> {
  const format = parseOutputFormat(options.output)
  const types = parseTypes(options.types)
  return withCluster(options, async (cluster) => {
    const scope = await scopeOf(cluster, options)
    const list = await cluster.client.list(eventKind, scope)
    const shown = byTime(list.items.filter(isWanted(types))).map(withKind)
    if (format.type !== 'table')
      process.stdout.write(
        options.watch === true ? shown.map(await objectStream(format, {})).join('') : await formatObjects(shown, format, { asList: true }),
      )
    const layout: TableLayout = { widths: [] }
    const printRows = (rows: readonly CoreEvent[], headers: boolean): void => {
      const lines = rows.map((event) => rowOf(event, options.allNamespaces === true))
      process.stdout.write(formatTable(headers ? [header(options.allNamespaces === true), ...lines] : lines, layout))
    }
    if (format.type === 'table' && shown.length > 0) printRows(shown, options.headers)
    if (shown.length === 0 && options.watch !== true)
      process.stderr.write(options.allNamespaces === true ? 'No events found.\n' : `No events found in ${cluster.namespace} namespace.\n`)
    if (options.watch !== true) return 0
    let headers = options.headers && shown.length === 0
    const stream = format.type === 'table' ? undefined : await objectStream(format, {})
    await follow(cluster, scope, list.metadata.resourceVersion ?? '', (event) => {
      if (!isWanted(types)(event)) return
      if (stream !== undefined) process.stdout.write(stream(withKind(event)))
      else printRows([event], headers)
      headers = false
    })
    return 0
  })
}

type Scope = { readonly namespace: string | undefined; readonly fieldSelector: string | undefined }

async function follow(cluster: Cluster, scope: Scope, from: string, onEvent: (event: CoreEvent) => void): Promise<void> {
  let resourceVersion = from
  for (;;) {
    try {
      for await (const batch of cluster.client.watch(eventKind, { ...scope, resourceVersion })) {
        for (const { type, object } of batch) {
          resourceVersion = object.metadata.resourceVersion ?? resourceVersion
          if (type === 'ADDED' || type === 'MODIFIED') onEvent(object)
        }
      }
    } catch (error) {
      if (hasReason(error, 'Expired') || hasReason(error, 'Gone'))
        resourceVersion = (await cluster.client.list(eventKind, scope)).metadata.resourceVersion ?? ''
      else if (!(error instanceof ConnectionError) || !error.mayHaveTakenEffect) throw error
    }
  }
}

async function scopeOf(cluster: Cluster, options: EventsOptions): Promise<Scope> {
  const namespace = options.allNamespaces === true ? undefined : cluster.namespace
  if (options.for === undefined) return { namespace, fieldSelector: undefined }
  const { kind, name } = await parseSingleTarget([options.for], cluster.kinds)
  const fieldSelector = `involvedObject.kind=${kind.kind},involvedObject.name=${name}`
  // Events of objects without a namespace are kept in "default".
  return { namespace: kind.namespaced ? namespace : undefined, fieldSelector }
}

function parseTypes(types: readonly string[] | undefined): ReadonlySet<string> | undefined {
  if (types === undefined) return undefined
  for (const type of types)
    if (!['normal', 'warning'].includes(type.toLowerCase()))
      throw new CommandFailure(`--types=${type}: events are of type Normal or Warning`)
  return new Set(types.map((type) => type.toLowerCase()))
}

const isWanted =
  (types: ReadonlySet<string> | undefined) =>
  ({ type }: CoreEvent): boolean =>
    types === undefined || types.has(type?.toLowerCase() ?? '')

const withKind = (event: CoreEvent): CoreEvent => ({ ...event, apiVersion: 'v1', kind: 'Event' })

const header = (showNamespace: boolean): string[] => [
  ...(showNamespace ? ['NAMESPACE'] : []),
  'LAST SEEN',
  'TYPE',
  'REASON',
  'OBJECT',
  'MESSAGE',
]

const rowOf = (event: CoreEvent, showNamespace: boolean): string[] => [
  ...(showNamespace ? [event.metadata.namespace ?? ''] : []),
  formatOccurrence(event, Date.now()),
  event.type ?? '',
  event.reason ?? '',
  formatInvolved(event),
  singleLine(event.message),
]

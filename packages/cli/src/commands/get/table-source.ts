import { isJsonObject, type KubeObject } from '@weft/api'
import type { Mapping, ResourcePath, Transport } from '@weft/client'
import { formatAge } from '../../output/index.ts'

/** `meta.k8s.io Table`: the server decides about columns. */
export interface ServerTable {
  readonly columns: readonly TableColumn[]
  readonly rows: readonly TableRow[]
  readonly resourceVersion: string
}

export interface TableColumn {
  readonly name: string
  /** Above 0: only in wide output. */
  readonly priority: number
}

export interface TableRow {
  readonly cells: readonly unknown[]
  /** Metadata only, unless whole objects were asked for. */
  readonly object: KubeObject
}

export const TABLE_ACCEPT = 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json'

export interface TableQuery {
  readonly namespace?: string | undefined
  readonly labelSelector?: string | undefined
  readonly fieldSelector?: string | undefined
  readonly includeObject: 'Metadata' | 'Object'
}

const PAGE = 500

/** All rows of a kind, page by page. */
export async function listTable(transport: Transport, kind: Mapping, query: TableQuery): Promise<ServerTable> {
  const { namespace, ...selectors } = query
  const rows: TableRow[] = []
  let columns: readonly TableColumn[] = []
  let resourceVersion = ''
  let next: string | undefined
  do {
    const options = { ...selectors, limit: PAGE, ...(next !== undefined && { continue: next }) }
    const { body } = await transport.request({ verb: 'list', resource: pathOf(kind, namespace), options, accept: TABLE_ACCEPT })
    const page = tableOf(body)
    rows.push(...page.rows)
    if (columns.length === 0) columns = page.columns
    resourceVersion = page.resourceVersion
    next = page.next
  } while (next !== undefined)
  return { columns, rows, resourceVersion }
}

export async function getTable(transport: Transport, kind: Mapping, name: string, query: TableQuery): Promise<ServerTable> {
  const resource = { ...pathOf(kind, query.namespace), name }
  const { body } = await transport.request({ verb: 'get', resource, options: { includeObject: query.includeObject }, accept: TABLE_ACCEPT })
  return tableOf(body)
}

export const pathOf = ({ group, version, plural, namespaced }: Mapping, namespace: string | undefined): ResourcePath => ({
  group,
  version,
  plural,
  namespace: namespaced ? namespace : undefined,
})

interface WireTable {
  readonly metadata?: { readonly resourceVersion?: string; readonly continue?: string }
  readonly columnDefinitions?: readonly { readonly name: string; readonly priority?: number }[] | null
  readonly rows?: readonly { readonly cells: readonly unknown[]; readonly object?: unknown }[] | null
}

/** A page of a Table; from a server that knows no tables, a name and an age. */
export function tableOf(body: unknown): ServerTable & { readonly next: string | undefined } {
  if (!isJsonObject(body) || body['kind'] !== 'Table') return plainTable(body)
  const { metadata, columnDefinitions, rows } = body as unknown as WireTable
  return {
    columns: (columnDefinitions ?? []).map(({ name, priority = 0 }) => ({ name, priority })),
    rows: (rows ?? []).map(({ cells, object }) => ({ cells, object: (object ?? { metadata: {} }) as KubeObject })),
    resourceVersion: metadata?.resourceVersion ?? '',
    next: metadata?.continue === undefined || metadata.continue === '' ? undefined : metadata.continue,
  }
}

function plainTable(body: unknown): ServerTable & { readonly next: string | undefined } {
  const { items, metadata } = body as { items?: readonly KubeObject[]; metadata?: { resourceVersion?: string; continue?: string } }
  const objects = items ?? [body as KubeObject]
  return {
    columns: ['Name', 'Age'].map((name) => ({ name, priority: 0 })),
    rows: objects.map((object) => ({ cells: [object.metadata.name, formatAge(object.metadata.creationTimestamp)], object })),
    resourceVersion: metadata?.resourceVersion ?? '',
    next: items === undefined || metadata?.continue === undefined || metadata.continue === '' ? undefined : metadata.continue,
  }
}

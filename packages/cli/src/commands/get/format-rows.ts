import type { ServedKind } from '@weft/client'
import { formatTable, type TableLayout } from '../../output/index.ts'
import type { TableColumn, TableRow } from './table-source.ts'

export interface RowOptions {
  readonly wide: boolean
  readonly headers: boolean
  /** A column of its own, for objects of many namespaces. */
  readonly showNamespace: boolean
  readonly showLabels: boolean
  /** Labels that get a column each. */
  readonly labelColumns: readonly string[]
  /** `kind.group/name` instead of the name, for several kinds at once. */
  readonly prefix?: ServedKind | undefined
  /** ADDED, MODIFIED or DELETED before each row of a watch. */
  readonly event?: string | undefined
}

/** A server's rows as lines of text, in kubectl's shape. */
export function formatRows(columns: readonly TableColumn[], rows: readonly TableRow[], options: RowOptions, layout?: TableLayout): string {
  const shown = columns.map((column, index) => ({ ...column, index })).filter(({ priority }) => options.wide || priority === 0)
  const lines = rows.map(({ cells, object }) => [
    ...(options.event === undefined ? [] : [options.event]),
    ...(options.showNamespace ? [object.metadata.namespace ?? ''] : []),
    ...shown.map(({ index, name }) =>
      index === 0 && options.prefix !== undefined ? prefixed(options.prefix, cells[index]) : formatCell(cells[index]) || absent(name),
    ),
    ...options.labelColumns.map((label) => object.metadata.labels?.[label] ?? ''),
    ...(options.showLabels ? [formatLabels(object.metadata.labels)] : []),
  ])
  const header = [
    ...(options.event === undefined ? [] : ['EVENT']),
    ...(options.showNamespace ? ['NAMESPACE'] : []),
    ...shown.map(({ name }) => name.toUpperCase()),
    ...options.labelColumns.map((label) => label.slice(label.lastIndexOf('/') + 1).toUpperCase()),
    ...(options.showLabels ? ['LABELS'] : []),
  ]
  return formatTable(options.headers ? [header, ...lines] : lines, layout)
}

const prefixed = ({ kind, group }: ServedKind, name: unknown): string =>
  `${kind.toLowerCase()}${group === '' ? '' : `.${group}`}/${String(name)}`

/** What nothing has called ready is not. */
const absent = (column: string): string => (column.toUpperCase() === 'READY' ? 'False' : '')

/** One line per row: of a text with several, the first. */
function formatCell(cell: unknown): string {
  if (cell === null || cell === undefined) return ''
  const text = typeof cell === 'object' ? JSON.stringify(cell) : String(cell as string | number | boolean | bigint)
  const end = text.search(/[\n\r\f]/)
  return end < 0 ? text : `${text.slice(0, end)}...`
}

export const formatLabels = (labels: Readonly<Record<string, string>> | undefined): string => {
  const pairs = Object.entries(labels ?? {}).sort(([a], [b]) => (a < b ? -1 : 1))
  return pairs.length === 0 ? '<none>' : pairs.map(([key, value]) => `${key}=${value}`).join(',')
}

import type { KubeObject } from '@weft/api'
import { createdAtColumn } from '../../kinds/index.ts'
import type { Column, ResourceType } from '../../registry/index.ts'

interface Row {
  readonly cells: readonly unknown[]
  readonly object: object | null
}

/** `meta.k8s.io Table`: what `kubectl get` prints. */
export interface Table {
  readonly kind: 'Table'
  readonly apiVersion: string
  readonly metadata: object
  /** null: those of the first event hold. */
  readonly columnDefinitions: readonly object[] | null
  readonly rows: readonly Row[] | null
}

export interface TableOptions {
  readonly version: 'v1' | 'v1beta1'
  readonly includeObject: 'None' | 'Metadata' | 'Object'
  readonly now: number
  /** A watch sends the column definitions with its first event only. */
  readonly headers: boolean
}

export function tableOf(
  type: Pick<ResourceType, 'columns'>,
  objects: readonly KubeObject[],
  metadata: object,
  options: TableOptions,
): Table {
  const rows = objects.map((object): Row => ({
    cells: type.columns.map((column) => column.cell(object, options.now) ?? null),
    object: options.includeObject === 'None' ? null : options.includeObject === 'Object' ? object : partialOf(object, options.version),
  }))
  return {
    kind: 'Table',
    apiVersion: `meta.k8s.io/${options.version}`,
    metadata,
    columnDefinitions: options.headers ? type.columns.map(definitionOf) : null,
    // Kinds without columns of their own have null for no rows.
    rows: rows.length === 0 && type.columns.includes(createdAtColumn) ? null : rows,
  }
}

const definitionOf = ({ name, type, format = '', description = '', priority = 0 }: Column): object => ({
  name,
  type,
  format,
  description,
  priority,
})

/** `meta.k8s.io PartialObjectMetadata`. */
export const partialOf = ({ metadata }: KubeObject, version: string): KubeObject => ({
  kind: 'PartialObjectMetadata',
  apiVersion: `meta.k8s.io/${version}`,
  metadata,
})

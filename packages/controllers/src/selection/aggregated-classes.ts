import { compareText, getOwn, type GroupKind, isJsonObject, type KubeObject } from '@weft/api'
import { hasLabels, matchLabelsOf } from '../binding/spec-reference.ts'
import type { BindingRow } from '../bindings-table/row.ts'
import type { KnownClasses } from '../claim/services.ts'

export interface AggregatedClass {
  readonly classObject: KubeObject
  readonly row: BindingRow
}

/** A2: the labels of the classes that an AggregateResourceClass stands for. One that asks for no label stands for nothing: it would be everything. */
export function aggregationLabels(aggregateClass: KubeObject): Readonly<Record<string, string>> | undefined {
  const rule = aggregateClass['aggregationRule']
  const labels = isJsonObject(rule) ? matchLabelsOf(getOwn(rule, 'classSelector')) : undefined
  return labels === undefined || Object.keys(labels).length === 0 ? undefined : labels
}

/** A4, A11d: the classes it stands for that claims of this kind have a row for, in the order of the rows, then of names. Aggregates have no rows, so never nest. */
export function aggregatedClasses(
  { table, watches }: KnownClasses,
  claim: GroupKind,
  aggregateClass: KubeObject,
): readonly AggregatedClass[] {
  const labels = aggregationLabels(aggregateClass)
  if (labels === undefined) return []
  return table()
    .rowsOf(claim)
    .flatMap((row) =>
      (watches.reader(row.class)?.list() ?? [])
        .filter((classObject) => classObject.metadata.deletionTimestamp === undefined && hasLabels(classObject, labels))
        .sort((a, b) => compareText(a.metadata.name ?? '', b.metadata.name ?? ''))
        .map((classObject) => ({ classObject, row })),
    )
}

import { deepEqual, type KubeObject, type ManagedFieldsEntry } from '@weft/api'
import { withManagedFields } from './track-update.ts'

/**
 * To be called last before an update is stored, after defaulting and admission: when `next` differs from `live` only
 * in the times of managedFields, the old times are kept, so that the write is seen to change nothing.
 */
export function revertTimestamps(live: KubeObject, next: KubeObject): KubeObject {
  const before = live.metadata.managedFields
  const after = next.metadata.managedFields
  if (before === undefined || after === undefined || !deepEqual(before.map(withoutTime), after.map(withoutTime))) return next
  const reverted = withManagedFields(next, before)
  return deepEqual(reverted, live) ? reverted : next
}

function withoutTime(entry: ManagedFieldsEntry): Omit<ManagedFieldsEntry, 'time'> {
  const { time: _, ...rest } = entry
  return rest
}

import { compareText } from '@weft/api'
import { type FieldSet, unionOf } from './fields/field-set.ts'
import { type ManagedSet, managedSet, type Managers, owning, seconds } from './managed-fields.ts'

/** More updaters than this are not told apart: the oldest are merged. Appliers are not limited. */
const MAX_UPDATE_MANAGERS = 10

/** Merges the oldest updaters of each version into `ancient-changes` until no more than ten are left. */
export function capUpdateManagers(managers: Managers): void {
  const updaters = Array.from(managers.values()).filter(({ operation }) => operation === 'Update')
  let excess = updaters.length - MAX_UPDATE_MANAGERS
  if (excess <= 0) return
  updaters.sort((a, b) => seconds(a.time) - seconds(b.time) || compareText(a.id, b.id))

  // United at the end: adding one to what has grown so far, again and again, would take the square of their number.
  const buckets = new Map<string, { readonly bucket: ManagedSet; readonly sets: FieldSet[] }>()
  const firstOfVersion = new Map<string, ManagedSet>()
  for (const updater of updaters) {
    if (excess <= 0) break
    const { apiVersion } = updater
    const first = firstOfVersion.get(apiVersion)
    if (first === undefined) {
      firstOfVersion.set(apiVersion, updater)
      continue
    }
    // Two are needed before merging saves an entry. The bucket takes the time of the younger.
    const bucket = managedSet({ manager: 'ancient-changes', operation: 'Update', apiVersion, subresource: '' }, updater.set, updater.time)
    const existing = managers.get(bucket.id)
    const older = existing === undefined || existing === updater ? first : existing
    managers.delete(updater.id)
    managers.delete(older.id)
    managers.set(bucket.id, bucket)
    const grown = buckets.get(bucket.id)
    const sets = grown?.bucket === older ? grown.sets : [older.set]
    sets.push(updater.set)
    buckets.set(bucket.id, { bucket, sets })
    excess--
  }
  for (const [id, { bucket, sets }] of buckets) managers.set(id, owning(bucket, unionOf(sets)))
}

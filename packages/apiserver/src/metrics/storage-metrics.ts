import type { Metrics } from '@weft/api'
import type { Storage } from '../storage/index.ts'

/** How much the storage holds, and how far it has come. */
export function addStorageMetrics(metrics: Metrics, storage: Pick<Storage, 'stats' | 'revision' | 'compactedRevision'>): void {
  metrics.reading('apiserver_storage_size_bytes', 'Size of the storage.', () => storage.stats().bytes)
  metrics.reading('apiserver_storage_entries', 'Entries stored now.', () => storage.stats().entries)
  metrics.reading(
    'apiserver_storage_history_entries',
    'Recorded changes that watches can start from.',
    () => storage.stats().historyEntries,
  )
  metrics.reading('apiserver_storage_history_bytes', 'Bytes that only the history needs.', () => storage.stats().historyBytes)
  metrics.reading('apiserver_storage_revision', 'Highest durable revision.', () => storage.revision)
  metrics.reading('apiserver_storage_compacted_revision', 'Oldest revision that can still be read.', () => storage.compactedRevision)
}

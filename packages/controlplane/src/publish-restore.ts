import { formatTime, hasReason, type KubeObject, SYSTEM_NAMESPACE } from '@weft/api'
import type { LmdbStorage } from '@weft/apiserver'
import { createClient, type Transport } from '@weft/client'
import { installNamespace } from './install-namespace.ts'

/**
 * The ConfigMap that says that the store was made from a backup. Providers read it before they create: what existed before
 * `restoredAt` and is gone now was lost with its data, and a new, empty one in its place would hide that. Whoever deletes
 * it allows them to create such things again.
 */
const RESTORED_NAME = 'weft-restored'

/** Tells everyone of a restore, before any controller runs; once, so that a deleted ConfigMap stays deleted. A crash in between says it again. */
export async function publishRestore(storage: LmdbStorage, transport: Transport): Promise<void> {
  const { restored } = storage
  if (restored === undefined) return
  const client = createClient({ transport, fieldManager: 'weft' })
  await installNamespace(client)
  const notice: KubeObject = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: RESTORED_NAME, namespace: SYSTEM_NAMESPACE },
    data: { restoredAt: formatTime(restored.at), revision: String(restored.revision) },
  }
  try {
    await client.create(notice)
  } catch (error) {
    // A restore of a restored store, or the crash of which we spoke.
    if (!hasReason(error, 'AlreadyExists')) throw error
    await client.update(notice)
  }
  await storage.forgetRestored()
}

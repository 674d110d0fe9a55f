import { hasReason, SYSTEM_NAMESPACE } from '@weft/api'
import { type Client, namespaceKind } from '@weft/client'

/** Makes a namespace unless it is there: that which composites and cluster-scoped resources write into, without which they could never be Ready. */
export async function installNamespace(client: Client, name: string = SYSTEM_NAMESPACE): Promise<void> {
  if ((await client.find(namespaceKind, { name })) !== undefined) return
  try {
    await client.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } })
  } catch (error) {
    // Another replica was quicker.
    if (!hasReason(error, 'AlreadyExists')) throw error
  }
}

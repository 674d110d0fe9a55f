import { hasReason } from '@weft/api'
import { type Client, namespaceKind } from '@weft/client'

/** Where connection secrets go, and credentials come from, when nobody names a namespace. */
const SYSTEM_NAMESPACE = 'crossplane-system'

/** Makes the namespace that composites and cluster-scoped resources write into unless told otherwise: without it they could never be Ready. */
export async function installNamespace(client: Client): Promise<void> {
  if ((await client.find(namespaceKind, { name: SYSTEM_NAMESPACE })) !== undefined) return
  try {
    await client.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: SYSTEM_NAMESPACE } })
  } catch (error) {
    // Another replica was quicker.
    if (!hasReason(error, 'AlreadyExists')) throw error
  }
}

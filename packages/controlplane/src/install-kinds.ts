import { deepEqual, type KindDefinition, type KubeObject, weftKinds } from '@weft/api'
import { type Client, customResourceDefinitionKind } from '@weft/client'

/**
 * Installs Weft's own kinds, or brings them up to date, on any Kubernetes API. Safe to run on every start and by
 * several replicas at once: applying what is there already changes nothing. Resolves when all are served.
 */
export async function installKinds(client: Client, signal?: AbortSignal): Promise<void> {
  await Promise.all(weftKinds.map((definition) => install(client, definition, signal)))
}

async function install(client: Client, definition: KindDefinition, signal: AbortSignal | undefined): Promise<void> {
  const name = definition.metadata.name ?? ''
  const installed = await client.find(customResourceDefinitionKind, { name })
  if (installed === undefined || !covers(installed['spec'], definition.spec))
    await client.apply(definition, { fieldManager: 'weft', force: true })
  await established(client, name, signal)
}

/** Does what is installed say everything that we say? The server adds defaults of its own. */
function covers(installed: unknown, wanted: unknown): boolean {
  if (Array.isArray(wanted))
    return Array.isArray(installed) && installed.length === wanted.length && wanted.every((item, i) => covers(installed[i], item))
  if (typeof wanted !== 'object' || wanted === null) return deepEqual(installed, wanted)
  if (typeof installed !== 'object' || installed === null) return false
  return Object.entries(wanted).every(([key, value]) => value === undefined || covers((installed as Record<string, unknown>)[key], value))
}

async function established(client: Client, name: string, signal: AbortSignal | undefined): Promise<void> {
  const isEstablished = (crd: KubeObject): boolean => {
    const { conditions = [] } = (crd['status'] ?? {}) as { conditions?: readonly { type: string; status: string }[] }
    return conditions.some(({ type, status }) => type === 'Established' && status === 'True')
  }
  if (isEstablished(await client.get(customResourceDefinitionKind, { name }))) return
  const events = client.watch(customResourceDefinitionKind, { fieldSelector: `metadata.name=${name}`, ...(signal && { signal }) })
  for await (const batch of events) if (batch.some(({ object }) => isEstablished(object))) return
}

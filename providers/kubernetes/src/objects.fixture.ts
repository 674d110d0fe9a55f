import type { JsonObject, KubeObject } from '@weft/api'
import type { Client } from '@weft/client'
import type { ManagedResource, World } from '@weft/provider-sdk'

export const GROUP = 'kubernetes.crossplane.io'
/** Where objects are made on clusters. */
export const NAMESPACE = 'apps'

export const object = (name: string, manifest: object, spec: object = {}): ManagedResource => ({
  apiVersion: `${GROUP}/v1alpha2`,
  kind: 'Object',
  metadata: { name },
  spec: { forProvider: { manifest: manifest as JsonObject }, ...spec } as JsonObject,
})

export const configMap = (data: Readonly<Record<string, string>>, name?: string): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { namespace: NAMESPACE, ...(name !== undefined && { name }) },
  data,
})

const SECRET = { namespace: 'default', name: 'kubeconfig' }

export const kubeconfigSecret = (kubeconfig: string, name: string = SECRET.name): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { ...SECRET, name },
  data: { kubeconfig: Buffer.from(kubeconfig).toString('base64') },
})

export const providerConfig = (name = 'default', secret: string = SECRET.name): KubeObject => ({
  apiVersion: `${GROUP}/v1alpha1`,
  kind: 'ProviderConfig',
  metadata: { name },
  spec: { credentials: { source: 'Secret', secretRef: { namespace: SECRET.namespace, name: secret, key: 'kubeconfig' } } },
})

const CONFIG_MAP = { group: '', kind: 'ConfigMap' }

/** ConfigMaps on a cluster, by its own means. */
export interface ConfigMaps {
  find(name: string): Promise<KubeObject | undefined>
  data(name: string): Promise<unknown>
  set(name: string, data: object): Promise<unknown>
  remove(name: string): Promise<boolean>
}

export function configMapsOf(client: Client): ConfigMaps {
  const at = (name: string): { namespace: string; name: string } => ({ namespace: NAMESPACE, name })
  return {
    find: (name) => client.find(CONFIG_MAP, at(name)),
    data: async (name) => (await client.find(CONFIG_MAP, at(name)))?.['data'],
    set: (name, data) => client.patch(CONFIG_MAP, at(name), { type: 'merge', body: { data } }),
    remove: (name) => client.delete(CONFIG_MAP, at(name)),
  }
}

/** The message of the condition, once it is False. */
export async function complaint(world: World, resource: ManagedResource, type: 'Synced' | 'Ready' = 'Synced'): Promise<string> {
  const current = await world.condition(resource, type, 'False')
  return current.status?.conditions?.find((condition) => condition.type === type)?.message ?? ''
}

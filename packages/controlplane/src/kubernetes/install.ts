import { weftKinds } from '@weft/api'
import type { Client } from '@weft/client'
import { installKinds } from '../install-kinds.ts'
import { kubernetesManifests, type ManifestOptions, type Part } from './manifests.ts'
import { lateObjects, mustHaveRoom } from './survey.ts'

export interface InstallOptions extends ManifestOptions {
  readonly without?: readonly Part[]
}

/**
 * Installs Weft's kinds and everything that runs it in the cluster, or brings it up to date. Idempotent. Throws a ForeignObjectsError, and changes
 * nothing, where something of somebody else's stands in the way. Answers what was applied.
 */
export async function installOnKubernetes(client: Client, { without = [], ...options }: InstallOptions): Promise<readonly string[]> {
  const wanted = kubernetesManifests(options).filter(({ part }) => !without.includes(part))
  await mustHaveRoom(client, [...weftKinds, ...wanted.map(({ object }) => object), ...lateObjects(options.namespace)])
  await installKinds(client)
  for (const { object } of wanted) await client.apply(object, { fieldManager: 'weft-install', force: true })
  return wanted.map(({ object }) => `${object.kind.toLowerCase()}/${object.metadata.name ?? ''}`)
}

import { type KubeObject, setOwn, specOf } from '@weft/api'
import type { Client } from '@weft/client'
import { writeConnection } from '../connection/secret.ts'
import { CORE_MANAGER } from '../definition/core-manager.ts'
import { publishedTo } from './machinery.ts'

/**
 * K90: what the pipeline wants published, as far as the definition lets it. Answers whether anything was written. Keys are only added or changed. The
 * secret is there from the start, empty until there is something to say: whoever mounts it, or the copy that a claim has, need not wait for a key.
 */
export async function publishXr(
  client: Client,
  xr: KubeObject,
  details: Readonly<Record<string, string>>,
  keys: readonly string[],
): Promise<boolean> {
  const ref = publishedTo(specOf(xr))
  if (!ref?.namespace) return false
  const data: Record<string, string> = {}
  for (const [key, value] of Object.entries(details)) if (keys.length === 0 || keys.includes(key)) setOwn(data, key, value)
  return writeConnection(client, {
    owner: xr,
    address: { name: ref.name, namespace: ref.namespace },
    data,
    exact: false,
    fieldManager: CORE_MANAGER,
  })
}

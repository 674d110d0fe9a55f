import { getOwn, isJsonObject, type JsonObject, parseGroupVersion, setOwn } from '@weft/api'
import { parseFieldPath, readField } from '@weft/composition'
import { type ConnectionDetails, ExternalError, type ManagedResource, specOf } from '@weft/provider-sdk'
import type { Call, Cluster } from '../cluster/cluster.ts'
import { textAt } from './manifest.ts'

/**
 * What `spec.connectionDetails` takes from objects on the cluster, with the credentials of the ProviderConfig. Each object is read once.
 * Throws ExternalError when something is missing: half a secret would be taken for a whole one.
 */
export async function connectionDetailsOf(resource: ManagedResource, cluster: Cluster, call: Call): Promise<ConnectionDetails | undefined> {
  const listed = getOwn(specOf(resource), 'connectionDetails')
  const entries = Array.isArray(listed) ? listed.filter(isJsonObject) : []
  if (entries.length === 0) return undefined
  const read = new Map<string, ReturnType<Cluster['get']>>()
  const details: Record<string, string | Uint8Array> = {}
  for (const [i, entry] of entries.entries()) {
    const where = `spec.connectionDetails[${i}]`
    const { apiVersion, kind, name, namespace, fieldPath, key } = sourceOf(entry, where)
    const id = JSON.stringify([apiVersion, kind, namespace, name])
    let object = read.get(id)
    if (object === undefined)
      read.set(id, (object = cluster.get({ ...parseGroupVersion(apiVersion), kind }, { name, namespace }, { ...call, sensitive: true })))
    const found = await object
    if (found === undefined)
      throw new ExternalError('DependencyViolation', `${where}: there is no ${kind} ${name} on the cluster of ${cluster.name} yet`)
    const path = parseFieldPath(fieldPath)
    const value = path.ok ? readField(found, path.value) : path
    if (!value.ok || value.value === undefined || value.value === null)
      throw new ExternalError('DependencyViolation', `${where}: ${kind} ${name} has no field ${fieldPath}`)
    setOwn(details, key, detailOf(value.value, apiVersion === 'v1' && kind === 'Secret' && fieldPath.startsWith('data')))
  }
  return details
}

interface Source {
  readonly apiVersion: string
  readonly kind: string
  readonly name: string
  readonly namespace: string | undefined
  readonly fieldPath: string
  readonly key: string
}

function sourceOf(entry: JsonObject, where: string): Source {
  const text = (field: string): string => {
    const value = textAt(entry, field)
    if (value === undefined) throw new ExternalError('Invalid', `${where}.${field} is not set`)
    return value
  }
  return {
    apiVersion: text('apiVersion'),
    kind: text('kind'),
    name: text('name'),
    namespace: textAt(entry, 'namespace'),
    fieldPath: text('fieldPath'),
    key: text('toConnectionSecretKey'),
  }
}

/** Data of a Secret is encoded already, and would be encoded again. */
function detailOf(value: unknown, encoded: boolean): string | Uint8Array {
  if (encoded && typeof value === 'string') return Buffer.from(value, 'base64')
  return typeof value === 'string' ? value : JSON.stringify(value)
}

import { failure, type KubeObject, stringifyJson } from '@weft/api'
import type { ResourceType } from './resource-type.ts'

/** etcd's request limit, which clients of Kubernetes know: a larger object is refused whole. */
const MAX_OBJECT_BYTES = 1.5 * 1024 * 1024

export function assertObjectSize(type: ResourceType, object: KubeObject): void {
  if (roughSize(object) * 3 < MAX_OBJECT_BYTES) return
  const bytes = Buffer.byteLength(stringifyJson(object))
  if (bytes > MAX_OBJECT_BYTES)
    throw failure({
      code: 500,
      reason: '',
      message: `etcdserver: request is too large (${type.kind} "${object.metadata.name ?? ''}" has ${bytes} bytes, the limit is ${MAX_OBJECT_BYTES})`,
    })
}

/** Characters of the string content, cheap and never more than the JSON: only objects that come near the limit are measured. */
function roughSize(value: unknown): number {
  if (typeof value === 'string') return value.length + 2
  if (typeof value !== 'object' || value === null) return 8
  let size = 2
  if (Array.isArray(value)) {
    for (const item of value) size += roughSize(item) + 1
    return size
  }
  for (const key of Object.keys(value)) size += key.length + 4 + roughSize((value as Record<string, unknown>)[key])
  return size
}

import { failure, gvkOf, type KubeObject, stringifyJson, withMeta } from '@weft/api'
import { messageFor } from '../kinds/index.ts'
import { encodeBody } from '../protobuf/index.ts'
import { MAX_VALUE_BYTES } from '../storage/index.ts'
import type { ResourceType } from './resource-type.ts'
import type { WriteContext } from './services.ts'

/** What etcd takes in one request, and what its client sends at all: clients of Kubernetes know these limits. */
const MAX_REQUEST_BYTES = 1.5 * 1024 * 1024
const MAX_SENT_BYTES = 2 * 1024 * 1024

/** What a request has besides the object: its key, twice, and some framing. */
const requestBytes = (key: string): number => 2 * key.length + 41

/**
 * The object, if it is not too large for etcd as Kubernetes stores it: built-in kinds as protobuf, custom resources as JSON.
 * One that would fit without the record of its managers loses that, unless they are what was asked for. Throws.
 */
export function fitted(
  type: ResourceType,
  key: string,
  object: KubeObject,
  { applied = false }: Pick<WriteContext, 'applied'>,
): KubeObject {
  if (roughSize(object) * 3 < MAX_REQUEST_BYTES) return object
  const bytes = storedBytes(type, object) + requestBytes(key)
  if (bytes <= MAX_REQUEST_BYTES) return object
  const isTracked = (object.metadata.managedFields ?? []).length > 0
  if (isTracked && !applied) return fitted(type, key, withMeta(object, { managedFields: undefined }), { applied })
  const message =
    bytes > MAX_SENT_BYTES
      ? `rpc error: code = ResourceExhausted desc = trying to send message larger than max (${bytes} vs. ${MAX_SENT_BYTES})`
      : 'etcdserver: request is too large'
  throw failure({ code: 500, reason: '', message })
}

/** What we store is JSON, which a message of very many empty parts makes much of. */
function storedBytes({ custom }: ResourceType, object: KubeObject): number {
  const json = Buffer.byteLength(stringifyJson(object))
  const message = custom || json + VERSION_BYTES > MAX_VALUE_BYTES ? undefined : messageFor(gvkOf(object))
  return message === undefined ? json : encodeBody(message, object).length
}

/** The version that the object gets when it is written. */
const VERSION_BYTES = 64

/** Characters of the string content, cheap and never more than the JSON: only objects that come near the limit are measured. */
function roughSize(value: unknown): number {
  if (typeof value === 'string') return value.length + 2
  if (typeof value !== 'object' || value === null) return 8
  let size = 2
  if (Array.isArray(value)) {
    for (const item of value) size += roughSize(item) + 1
    return size
  }
  // Every write comes through here: a list of the keys of each part would be as large as the part.
  for (const key in value) size += key.length + 4 + roughSize((value as Record<string, unknown>)[key])
  return size
}

import { getOwn, gvkOf, isJsonObject, type JsonObject, type KubeObject } from '@weft/api'
import { isSecret } from './manifest.ts'
import { OWNER } from './owner-mark.ts'

/** Holds a copy of the whole object, values of Secrets included. */
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration'
/** An Object has to fit into the store with its spec. */
const MAX_CHARS = 512 * 1024

/**
 * The object as `status.atProvider.manifest` shows it: without the notes of who owns it and which field, and of a Secret only which keys it has.
 * Of one that is too large only who it is.
 */
export function observedManifest(object: KubeObject): JsonObject {
  const { managedFields: _fields, annotations = {}, ...metadata } = object.metadata as JsonObject & { annotations?: JsonObject }
  const { [LAST_APPLIED]: _copy, [OWNER]: _owner, ...rest } = annotations
  const shown = { ...object, metadata: { ...metadata, ...(Object.keys(rest).length > 0 && { annotations: rest }) } } as JsonObject
  const safe = isSecret(gvkOf(object)) ? redacted(shown) : shown
  if (JSON.stringify(safe).length <= MAX_CHARS) return safe
  const { name, namespace, uid, resourceVersion } = object.metadata
  return {
    apiVersion: object.apiVersion,
    kind: object.kind,
    metadata: { name, ...(namespace !== undefined && { namespace }), uid, resourceVersion } as JsonObject,
  }
}

function redacted(secret: JsonObject): JsonObject {
  const hidden: Record<string, JsonObject> = {}
  for (const field of ['data', 'stringData']) {
    const values = getOwn(secret, field)
    if (isJsonObject(values)) hidden[field] = Object.fromEntries(Object.keys(values).map((key) => [key, '']))
  }
  return { ...secret, ...hidden }
}

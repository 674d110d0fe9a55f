import { formatGroupVersion, type GroupVersionKind, type KubeObject } from '@weft/api'
import { conform, messageFor, schemaOf } from '../../kinds/index.ts'
import type { ResourceType } from '../../registry/index.ts'

/** The type of bodies that are of another kind than the resource: TokenRequest, Scale. Good for decoding only. */
export function shapeOf(type: ResourceType, kind: GroupVersionKind): ResourceType {
  const message = messageFor(kind)
  const decode: ResourceType['decode'] = (object, onUnknown) => {
    if (message === undefined) return object
    const { object: known, unknownFields } = conform(message, object)
    if (onUnknown !== undefined) unknownFields.forEach(onUnknown)
    return known as unknown as KubeObject
  }
  return {
    ...type,
    ...kind,
    custom: false,
    schema: message && schemaOf(message),
    zero: decode({ apiVersion: formatGroupVersion(kind), kind: kind.kind, metadata: {} }),
    decode,
    decodeInParts: undefined,
  }
}

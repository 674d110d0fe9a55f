import { isJsonObject, type KubeObject } from '@weft/api'

/** Copies of whole objects, among them secrets; longer than everything else. */
export const HIDDEN_ANNOTATIONS: ReadonlySet<string> = new Set(['kubectl.kubernetes.io/last-applied-configuration'])

/** The object with the values of a Secret replaced by their size. */
export function concealed(object: KubeObject): KubeObject {
  if (object.kind !== 'Secret' || object.apiVersion !== 'v1') return object
  const { data, stringData, ...rest } = object
  return {
    ...rest,
    ...(isJsonObject(data) && { data: sizes(data, 'base64') }),
    ...(isJsonObject(stringData) && { stringData: sizes(stringData, 'utf8') }),
  } as KubeObject
}

function sizes(values: Readonly<Record<string, unknown>>, encoding: BufferEncoding): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, `${Buffer.from(String(value), encoding).length} bytes`]))
}

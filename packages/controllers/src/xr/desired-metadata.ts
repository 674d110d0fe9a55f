import { isJsonObject, type KubeObject, type ObjectMeta, type OwnerReference } from '@weft/api'

/**
 * The metadata of what a function wants, as far as it is any: a function may answer with whatever JSON it likes. A name, a namespace or a label that is no
 * text counts as not given, as it does for Crossplane; one broken label costs the others, too.
 */
export function desiredMetadata({ metadata }: KubeObject): Record<string, unknown> & ObjectMeta {
  const given: Readonly<Record<string, unknown>> = isJsonObject(metadata) ? metadata : {}
  const { name, generateName, namespace, labels, annotations, ownerReferences, ...rest } = given
  return {
    ...rest,
    ...(typeof name === 'string' && { name }),
    ...(typeof generateName === 'string' && { generateName }),
    ...(typeof namespace === 'string' && { namespace }),
    ...textsOf('labels', labels),
    ...textsOf('annotations', annotations),
    ...(Array.isArray(ownerReferences) && {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what an owner must have is the server's to say, in its words
      ownerReferences: ownerReferences.filter(isJsonObject) as unknown as readonly OwnerReference[],
    }),
  }
}

function textsOf(key: 'labels' | 'annotations', value: unknown): { readonly [K in typeof key]?: Readonly<Record<string, string>> } {
  if (!isJsonObject(value)) return {}
  const entries = Object.entries(value).map(([name, text]): [string, unknown] => [name, text ?? ''])
  return entries.every((entry): entry is [string, string] => typeof entry[1] === 'string') ? { [key]: Object.fromEntries(entries) } : {}
}

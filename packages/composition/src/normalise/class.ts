import { getOwn, isJsonObject, type JsonObject, type KubeObject } from '@weft/api'

/** What a class says about the resources made from it: `specTemplate`, or `spec` where an author wrote that (B8). */
export function specTemplateOf(classObject: KubeObject): JsonObject {
  const template = classObject['specTemplate'] ?? classObject['spec']
  return isJsonObject(template) ? template : {}
}

/** B12: the patches of a template entry, and the name under which they stand. */
export function patchesOf(entry: JsonObject): { readonly name: 'patches' | 'patch'; readonly value: unknown } {
  const alias = getOwn(entry, 'patch')
  return getOwn(entry, 'patches') === undefined && alias !== undefined
    ? { name: 'patch', value: alias }
    : { name: 'patches', value: getOwn(entry, 'patches') }
}

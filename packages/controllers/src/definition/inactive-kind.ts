import { formatGroupKind, getOwn, type GroupKind, isJsonObject, type KubeObject, specOf } from '@weft/api'

/** What to say of a kind that a provider offers and nobody activated, wherever it is met. `definition` is its ManagedResourceDefinition. */
export const inactiveKind = (kind: GroupKind, definition: string): string =>
  `the kind ${formatGroupKind(kind)} is not active: activate it with a ManagedResourceActivationPolicy that lists ${definition}`

/** Is it this kind that a ManagedResourceDefinition defines? */
export function definesKind(definition: KubeObject, { group, kind }: GroupKind): boolean {
  const spec = specOf(definition)
  const names = getOwn(spec, 'names')
  return getOwn(spec, 'group') === group && isJsonObject(names) && getOwn(names, 'kind') === kind
}

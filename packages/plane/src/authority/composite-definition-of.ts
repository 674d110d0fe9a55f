import { type GroupKind, gvkOf, type KubeObject } from '@weft/api'
import type { ServedKinds } from '@weft/apiserver'

const GROUP = 'apiextensions.crossplane.io'
export const COMPOSITE_DEFINITIONS: readonly string[] = ['InfrastructureDefinition', 'ApplicationDefinition']

/** The definition of a kind that is composed. */
export function compositeDefinitionOf(kinds: ServedKinds, { group, kind }: GroupKind): KubeObject | undefined {
  for (const each of COMPOSITE_DEFINITIONS) {
    for (const object of kinds.objects({ group: GROUP, version: 'v1alpha1', kind: each })) {
      const { crdSpecTemplate } = object['spec'] as { crdSpecTemplate: { group: string; names: { kind: string } } }
      if (crdSpecTemplate.group === group && crdSpecTemplate.names.kind === kind && gvkOf(object).kind === each) return object
    }
  }
  return undefined
}

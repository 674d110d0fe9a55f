import type { KubeObject } from '@weft/api'
import type { CustomResourceDefinition } from '@weft/client'
import { requirementMachinery, requirementRecord } from '../composite/machinery-schema.ts'
import { type KindRendering, namesOf, renderDefinedKind, requirementColumns } from '../composite/render-crd.ts'
import type { CrdSpecTemplate } from '../definition/kinds.ts'

/** C27: the requirement's names follow from those of the kind that is published. */
export function requirementNames(published: CrdSpecTemplate['names']): KindRendering['names'] {
  const { kind, singular } = namesOf(published)
  return {
    kind: `${kind}Requirement`,
    plural: `${singular}requirements`,
    singular: `${singular}requirement`,
    listKind: `${kind}RequirementList`,
  }
}

/** C27: the kind that a publication makes of the kind that is published. */
export const renderRequirementKind = (publication: KubeObject, template: CrdSpecTemplate): CustomResourceDefinition =>
  renderDefinedKind({
    definition: publication,
    template,
    scope: 'Namespaced',
    names: requirementNames(template.names),
    category: 'requirement',
    machinery: ['infrastructure', requirementMachinery],
    columns: requirementColumns,
    record: requirementRecord,
  })

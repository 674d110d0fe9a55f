import type { CustomResourceDefinition } from '@weft/client'
import type { CompositeDefinition } from '../definition/kinds.ts'
import { applicationMachinery, compositeRecord, infrastructureMachinery } from './machinery-schema.ts'
import { APPLICATION, type CompositeType } from './composite-type.ts'
import { compositeColumns, namesOf, renderDefinedKind } from './render-crd.ts'

/** C10: the kind that an ApplicationDefinition or InfrastructureDefinition defines. */
export function renderCompositeKind(type: CompositeType, definition: CompositeDefinition): CustomResourceDefinition {
  const template = definition.spec.crdSpecTemplate
  return renderDefinedKind({
    definition,
    template,
    scope: type.scope,
    names: namesOf(template.names),
    category: type.category,
    machinery: [type.field, type === APPLICATION ? applicationMachinery : infrastructureMachinery],
    columns: compositeColumns(type.field),
    record: compositeRecord,
  })
}

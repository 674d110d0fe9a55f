import { formatFieldErrors } from '@weft/api'
import { type DefinitionAdapter, DEFINITION_FINALIZER, PUBLISHED_FINALIZER } from '../definition/definition.ts'
import { definedKind } from '../definition/custom-resource-definition.ts'
import { applicationDefinitionKind, type CompositeDefinition, infrastructureDefinitionKind } from '../definition/kinds.ts'
import { kindControllers } from '../definition/kind-controllers.ts'
import type { DefinitionServices } from '../definition/services.ts'
import { hasFinalizer } from '../binding/finalizers.ts'
import { renderCompositeKind } from './composite-kind.ts'
import { compositeController } from './controller.ts'
import type { KindIndex } from './kind-index.ts'
import { composedRefsOf } from './members.ts'
import { APPLICATION, type CompositeType } from './composite-type.ts'
import { checkTemplate } from './render-crd.ts'

/** ApplicationDefinition and InfrastructureDefinition: the same but for where the machinery is, its schema, and the scope. */
export function compositeDefinitionAdapter(
  type: CompositeType,
  services: DefinitionServices,
  index: KindIndex,
): DefinitionAdapter<CompositeDefinition> {
  const controllers = kindControllers(services.engine, (definition: CompositeDefinition, kind) =>
    compositeController({ definition, kind, type, index, services }),
  )
  return {
    component: `definition/${type.field}`,
    kind: type === APPLICATION ? applicationDefinitionKind : infrastructureDefinitionKind,
    noun: type === APPLICATION ? 'Application' : 'CompositeResource',
    finalizer: DEFINITION_FINALIZER,
    render(definition) {
      const template = definition.spec.crdSpecTemplate
      const errors = checkTemplate(template, definition.metadata.name ?? '')
      if (errors.length > 0) return { type: 'blocked', message: formatFieldErrors(errors) }
      return { type: 'wanted', crd: renderCompositeKind(type, definition) }
    },
    start: (definition, crd) => controllers.start(definition, definedKind(crd)),
    stop: (name) => controllers.stop(name),
    membersOf: (composite) =>
      composedRefsOf(composite, type).flatMap((ref) =>
        ref === undefined ? [] : [{ ...ref, namespace: type.scope === 'Namespaced' ? composite.metadata.namespace : undefined }],
      ),
    heldBy: (definition) =>
      hasFinalizer(definition, PUBLISHED_FINALIZER)
        ? `it is published: delete InfrastructurePublication ${definition.metadata.name ?? ''} first`
        : undefined,
  }
}

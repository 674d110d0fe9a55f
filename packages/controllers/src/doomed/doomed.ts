import { type GroupVersionKind, type KubeObject, parseGroupVersion } from '@weft/api'
import { type CustomResourceDefinition, customResourceDefinitionKind, isOfKind } from '@weft/client'
import { controllerOf } from '@weft/composition'
import { parseComposition } from '../composite/composition-source.ts'
import { composedBy } from '../composite/record.ts'
import { requirementNames } from '../requirement/requirement-kind.ts'
import { definedKind } from '../definition/custom-resource-definition.ts'
import {
  applicationDefinitionKind,
  type CompositeDefinition,
  compositionKind,
  DEFINITION_GROUP,
  infrastructureDefinitionKind,
  type InfrastructurePublication,
  infrastructurePublicationKind,
  managedResourceDefinitionKind,
} from '../definition/kinds.ts'
import { renderManagedKind } from '../managed-definition/render.ts'
import { type CompositeResourceDefinition, compositeResourceDefinitionKind, referenceable } from '../xrd/xrd.ts'

/** What the deletion of an object concerns beside itself. */
export interface Doomed {
  readonly kind: GroupVersionKind & { readonly plural: string }
  /** Which objects of that kind; all unless told. */
  readonly matches?: (object: KubeObject) => boolean
  /** What becomes of them: `deletes` them with all that was made for them, or `orphans` them. */
  readonly effect: 'deletes' | 'orphans'
}

const DEFINERS: ReadonlySet<string> = new Set([
  applicationDefinitionKind.kind,
  infrastructureDefinitionKind.kind,
  infrastructurePublicationKind.kind,
  managedResourceDefinitionKind.kind,
  compositeResourceDefinitionKind.kind,
])

/**
 * The instances that go when this goes: of a kind that it defines, that it publishes, or that it is the CustomResourceDefinition of; of a
 * Composition, the composites that are left without one. Undefined: nothing but itself.
 */
export function doomedBy(object: KubeObject, definition: (name: string) => CompositeDefinition | undefined): Doomed | undefined {
  if (isOfKind(customResourceDefinitionKind, object)) return ofKind(object)
  if (isOfKind(applicationDefinitionKind, object) || isOfKind(infrastructureDefinitionKind, object)) return ofTemplate(object)
  if (isOfKind(infrastructurePublicationKind, object)) return ofPublication(object, definition)
  if (isOfKind(managedResourceDefinitionKind, object)) return { kind: definedKind(renderManagedKind(object)), effect: 'deletes' }
  if (isOfKind(compositeResourceDefinitionKind, object)) return ofComposites(object)
  return isOfKind(compositionKind, object) ? ofComposition(object) : undefined
}

function ofKind(crd: CustomResourceDefinition): Doomed | undefined {
  const controller = controllerOf(crd)
  const isDefined =
    controller !== undefined && parseGroupVersion(controller.apiVersion).group === DEFINITION_GROUP && DEFINERS.has(controller.kind)
  return isDefined ? { kind: definedKind(crd), effect: 'deletes' } : undefined
}

function ofTemplate({ spec: { crdSpecTemplate } }: CompositeDefinition): Doomed {
  const { group, version, names } = crdSpecTemplate
  return { kind: { group, version, kind: names.kind, plural: names.plural }, effect: 'deletes' }
}

/** Its claims go too; each of them has a composite, or nothing yet. */
function ofComposites(xrd: CompositeResourceDefinition): Doomed | undefined {
  const { group, names } = xrd.spec
  const version = referenceable(xrd)?.name
  return version === undefined ? undefined : { kind: { group, version, kind: names.kind, plural: names.plural }, effect: 'deletes' }
}

function ofPublication(
  publication: InfrastructurePublication,
  definition: (name: string) => CompositeDefinition | undefined,
): Doomed | undefined {
  const template = definition(publication.spec.infrastructureDefinitionReference.name)?.spec.crdSpecTemplate
  if (template === undefined) return undefined
  const { kind, plural } = requirementNames(template.names)
  return { kind: { group: template.group, version: template.version, kind, plural }, effect: 'deletes' }
}

/** By what each recorded of itself: a reference alone has composed nothing yet. */
function ofComposition(composition: KubeObject): Doomed | undefined {
  const source = parseComposition(composition)
  const intent = source.ok ? source.value.intent : undefined
  if (intent === undefined) return undefined
  const kind = { ...parseGroupVersion(intent.apiVersion), kind: intent.kind, plural: intent.kind }
  return { kind, matches: (composite) => composedBy(composite) === composition.metadata.name, effect: 'orphans' }
}

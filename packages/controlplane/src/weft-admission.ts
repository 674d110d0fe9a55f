import { deepEqual, gvkOf, type GroupKind, invalid, type KubeObject } from '@weft/api'
import type { AdmissionPlugin, ServedKinds } from '@weft/apiserver'
import { checkClass, checkComposition, checkTemplate, type CompositeDefinition, type CompositionSchemas } from '@weft/controllers'

const DEFINITIONS = ['InfrastructureDefinition', 'ApplicationDefinition']
const GROUP = 'apiextensions.crossplane.io'

/**
 * Tells authors of classes, binding rows, definitions and compositions of their mistakes when they apply them. What depends on kinds
 * that are not served yet is not checked here; the controllers report it on use.
 * `kinds` answers what the server serves right now.
 */
export function weftAdmission(kinds: () => ServedKinds): AdmissionPlugin {
  return {
    name: 'WeftKinds',
    validate(request) {
      const { operation, object, type, subresource } = request
      if (object === undefined || subresource !== '' || operation === 'DELETE' || !type.custom) return
      const errors = [...checkClass(object, { kind: (kind) => kinds().find(kind) })]
      if (type.group === GROUP && type.kind === 'Composition' && operation === 'CREATE') {
        for (const { severity, error } of checkComposition(object, compositionSchemas(kinds()))) {
          if (severity === 'error') errors.push(error)
          else request.warn(`${error.path}: ${error.message}`)
        }
      }
      // One that is there already is not looked at again for a label or a finalizer: it must be possible to delete it.
      if (type.group === GROUP && DEFINITIONS.includes(type.kind) && !deepEqual(object['spec'], request.oldObject?.['spec']))
        errors.push(...checkTemplate((object as CompositeDefinition).spec.crdSpecTemplate, object.metadata.name ?? ''))
      if (errors.length > 0) throw invalid({ group: type.group, kind: type.kind, name: object.metadata.name ?? '' }, errors)
    },
  }
}

const compositionSchemas = (kinds: ServedKinds): CompositionSchemas => ({
  kind: (kind) => kinds.find(kind),
  definition(kind) {
    const found = definitionOf(kinds, kind)
    if (found === undefined) return undefined
    const { connectionDetails } = found['spec'] as { connectionDetails?: readonly string[] }
    return { namespaced: found.kind === 'ApplicationDefinition', ...(connectionDetails && { connectionDetails }) }
  },
})

/** The definition of a kind that is composed. */
function definitionOf(kinds: ServedKinds, { group, kind }: GroupKind): KubeObject | undefined {
  for (const each of DEFINITIONS) {
    for (const object of kinds.objects({ group: GROUP, version: 'v1alpha1', kind: each })) {
      const { crdSpecTemplate } = object['spec'] as { crdSpecTemplate: { group: string; names: { kind: string } } }
      if (crdSpecTemplate.group === group && crdSpecTemplate.names.kind === kind && gvkOf(object).kind === each) return object
    }
  }
  return undefined
}

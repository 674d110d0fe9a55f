import { deepEqual, type FieldError, formatGroupKind, gvkOf, type GroupKind, invalid, type KubeObject, weftKinds } from '@weft/api'
import type { AdmissionPlugin, ServedKinds } from '@weft/apiserver'
import { checkClass, checkComposition, checkTemplate, type CompositeDefinition, type CompositionSchemas } from '@weft/controllers'

const DEFINITIONS = ['InfrastructureDefinition', 'ApplicationDefinition']
const GROUP = 'apiextensions.crossplane.io'
/** The versions of Weft's own kinds. */
const VERSIONS = new Map(
  weftKinds.map(({ spec }) => [
    formatGroupKind({ group: spec.group, kind: spec.names.kind }),
    spec.versions as readonly { name: string }[],
  ]),
)

/** What admission judges: a request to write one object, wherever it was made. */
export interface AdmissionSubject {
  readonly operation: string
  readonly object: KubeObject | undefined
  /** As it was before an update. */
  readonly oldObject: KubeObject | undefined
  readonly group: string
  /** Kinds of one name may be somebody else's in another version: a Composition of v1 is not Weft's. */
  readonly version: string
  readonly kind: string
  readonly subresource: string
}

export interface Judgement {
  readonly errors: readonly FieldError[]
  readonly warnings: readonly string[]
}

const NOTHING_TO_SAY: Judgement = { errors: [], warnings: [] }

/**
 * Tells authors of classes, binding rows, definitions and compositions of their mistakes when they apply them. What depends on kinds
 * that are not served yet is not checked here; the controllers report it on use. The embedded server asks in process, a
 * real one by webhook.
 */
export function judge(
  { operation, object, oldObject, group, version, kind, subresource }: AdmissionSubject,
  kinds: ServedKinds,
): Judgement {
  if (object === undefined || subresource !== '' || operation === 'DELETE') return NOTHING_TO_SAY
  if (VERSIONS.get(formatGroupKind({ group, kind }))?.every(({ name }) => name !== version) === true) return NOTHING_TO_SAY
  const errors = [...checkClass(object, { kind: (wanted) => kinds.find(wanted) })]
  const warnings: string[] = []
  if (group === GROUP && kind === 'Composition' && operation === 'CREATE') {
    for (const { severity, error } of checkComposition(object, compositionSchemas(kinds))) {
      if (severity === 'error') errors.push(error)
      else warnings.push(`${error.path}: ${error.message}`)
    }
  }
  // One that is there already is not looked at again for a label or a finalizer: it must be possible to delete it.
  if (group === GROUP && DEFINITIONS.includes(kind) && !deepEqual(object['spec'], oldObject?.['spec']))
    errors.push(...checkTemplate((object as CompositeDefinition).spec.crdSpecTemplate, object.metadata.name ?? ''))
  return { errors, warnings }
}

/** As a plug-in of the embedded server. `kinds` answers what it serves right now. */
export function weftAdmission(kinds: () => ServedKinds): AdmissionPlugin {
  return {
    name: 'WeftKinds',
    validate(request) {
      const { operation, object, oldObject, type, subresource } = request
      if (!type.custom) return
      const { errors, warnings } = judge(
        { operation, object, oldObject, group: type.group, version: type.version, kind: type.kind, subresource },
        kinds(),
      )
      for (const warning of warnings) request.warn(warning)
      if (errors.length > 0) throw invalid({ group: type.group, kind: type.kind, name: object?.metadata.name ?? '' }, errors)
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

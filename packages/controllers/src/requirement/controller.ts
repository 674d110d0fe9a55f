import { PLACE } from './bound.ts'
import { nameAt } from '../binding/spec-reference.ts'
import { type KubeObject, parseGroupVersion, type Schema } from '@weft/api'
import { controllerOf } from '@weft/composition'
import { type ControllerSpec, type Request, requestFor, specOrMetadataChanged, watch } from '@weft/runtime'
import { CONNECTION_SECRETS } from '../connection/secret.ts'
import type { DefinedKind } from '../definition/definition.ts'
import type { DefinitionServices } from '../definition/services.ts'
import { BOUND_INDEXES, ownerOf } from './bound-composites.ts'
import { RequirementReconciler } from './reconcile.ts'

const BY_RESOURCE = 'resource'

export interface RequirementControllerOptions {
  readonly kind: DefinedKind
  /** The kind that it requires. */
  readonly composite: DefinedKind
  readonly services: DefinitionServices
  /** The schema of a requirement's spec, as it is now. */
  readonly schema: () => Schema | undefined
}

/**
 * A composite calls the requirement it is bound to, and those that would be bound to it; so does its connection secret, and the copy of it, when somebody
 * changes it.
 */
export function requirementController({ kind, composite, services, schema }: RequirementControllerOptions): ControllerSpec {
  const name = `requirement/${kind.plural}.${kind.group}`
  const reconciler = new RequirementReconciler({ kind, composite, services, events: services.recorder(name), schema })
  return {
    name,
    kind,
    predicate: specOrMetadataChanged,
    indexes: { [BY_RESOURCE]: resourceName },
    watches: [
      watch({
        kind: composite,
        indexes: BOUND_INDEXES,
        map: (changed, requirements) => [
          ...boundTo(changed),
          ...requirements.byIndex(BY_RESOURCE, changed.metadata.name ?? '').map(requestFor),
        ],
      }),
      watch({
        ...CONNECTION_SECRETS,
        map(secret, _requirements, known) {
          const owner = controllerOf(secret)
          if (owner === undefined || parseGroupVersion(owner.apiVersion).group !== kind.group) return []
          if (owner.kind === kind.kind) return [{ name: owner.name, namespace: secret.metadata.namespace }]
          const published = owner.kind === composite.kind ? known(composite)?.get({ name: owner.name }) : undefined
          return published === undefined ? [] : boundTo(published)
        },
      }),
    ],
    reconcile: (request, context) => reconciler.reconcile(request, context),
    concurrency: 8,
    backoff: { baseMs: 50, maxMs: 30_000 },
  }
}

const resourceName = (requirement: KubeObject): readonly string[] => {
  const name = nameAt(requirement, PLACE, 'resourceRef')
  return name === undefined ? [] : [name]
}

function boundTo(composite: KubeObject): readonly Request[] {
  const owner = ownerOf(composite)
  return owner === undefined ? [] : [{ name: owner.name, namespace: owner.namespace }]
}

import { type KubeObject, parseGroupVersion, type Schema } from '@weft/api'
import { secretKind } from '@weft/client'
import { CONNECTION_SECRET_TYPE, controllerOf, machineryRef } from '@weft/composition'
import {
  annotationsChanged,
  anyOf,
  type ControllerSpec,
  deletionChanged,
  generationChanged,
  labelsChanged,
  type Request,
  watch,
} from '@weft/runtime'
import type { DefinedKind } from '../definition/definition.ts'
import type { DefinitionServices } from '../definition/services.ts'
import { boundComposites } from './bound-composites.ts'
import { RequirementReconciler } from './reconcile.ts'

const requirementControllerName = ({ plural, group }: DefinedKind): string => `requirement/${plural}.${group}`

const BY_RESOURCE = 'resource'

export interface RequirementControllerOptions {
  readonly kind: DefinedKind
  /** The kind that it requires. */
  readonly composite: DefinedKind
  readonly services: DefinitionServices
  /** The schema of a requirement's spec, as it is now. */
  readonly schema: () => Schema | undefined
}

/** The controller of one kind of requirement, and the watch it holds. */
export interface RequirementController {
  readonly spec: ControllerSpec
  /** The controller itself must be stopped before. */
  close(): Promise<void>
}

/**
 * A composite calls the requirement it is bound to, and those that would be bound to it; so does its connection secret, and the copy of it, when somebody
 * changes it.
 */
export function requirementController({ kind, composite, services, schema }: RequirementControllerOptions): RequirementController {
  const name = requirementControllerName(kind)
  const enqueue = (request: Request): void => services.engine.get(name)?.enqueue(request)
  const composites = services.informers.acquire({ kind: composite })
  const bound = boundComposites(composites.informer)
  const reconciler = new RequirementReconciler({ kind, composite, services, events: services.recorder(name), bound, schema })
  const secrets = services.informers.acquire({ kind: secretKind, fieldSelector: `type=${CONNECTION_SECRET_TYPE}` })
  for (const { informer } of [composites, secrets]) informer.synced.catch(() => undefined)
  const unsubscribe = secrets.informer.subscribe(({ object }) => {
    const controller = controllerOf(object)
    if (controller === undefined || parseGroupVersion(controller.apiVersion).group !== kind.group) return
    if (controller.kind === kind.kind) enqueue({ name: controller.name, namespace: object.metadata.namespace })
    if (controller.kind !== composite.kind) return
    const owner = composites.informer.get({ name: controller.name })
    for (const request of owner === undefined ? [] : boundTo(owner)) enqueue(request)
  })
  const spec: ControllerSpec = {
    name,
    kind,
    predicate: anyOf(generationChanged, deletionChanged, labelsChanged, annotationsChanged),
    indexes: { [BY_RESOURCE]: resourceName },
    watches: [
      watch({
        kind: composite,
        map: (changed, requirements) => [
          ...boundTo(changed),
          ...requirements
            .byIndex(BY_RESOURCE, changed.metadata.name ?? '')
            .map(({ metadata }): Request => ({ name: metadata.name ?? '', namespace: metadata.namespace })),
        ],
      }),
    ],
    reconcile: (request, context) => reconciler.reconcile(request, context),
    concurrency: 8,
    backoff: { baseMs: 50, maxMs: 30_000 },
  }
  return {
    spec,
    async close() {
      unsubscribe()
      await Promise.all([secrets.release(), composites.release()])
    },
  }
}

function resourceName(requirement: KubeObject): readonly string[] {
  const ref = machineryRef(requirement, 'spec.infrastructure', 'resourceRef')
  const name = ref.ok ? ref.value?.name : undefined
  return name === undefined || name === '' ? [] : [name]
}

function boundTo(composite: KubeObject): readonly Request[] {
  const ref = machineryRef(composite, 'spec.infrastructure', 'requirementRef')
  const { namespace, name } = (ref.ok ? ref.value : undefined) ?? {}
  return name === undefined || name === '' ? [] : [{ name, namespace }]
}

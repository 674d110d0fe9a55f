import { formatFieldErrors, isJsonObject, type KubeObject, parseGroupVersion } from '@weft/api'
import type { CustomResourceDefinition } from '@weft/client'
import type { TypedKind } from '@weft/composition'
import {
  APPLICATION,
  checkTemplate,
  type CompositeDefinition,
  type CompositeResourceDefinition,
  INFRASTRUCTURE,
  type InfrastructurePublication,
  type ManagedResourceDefinition,
  renderClaimCrd,
  renderCompositeKind,
  RenderError,
  renderManagedKind,
  renderRequirementKind,
  renderXrCrd,
} from '@weft/controllers'
import type { Schema } from '@weft/api'
import { CommandFailure } from '../report.ts'

/** A kind that objects define, as the API server will serve it. */
export interface DefinedByObject {
  readonly crd: CustomResourceDefinition
  /** Undefined: not known. */
  readonly connectionDetails?: readonly string[] | undefined
}

/**
 * The kinds that objects define: CustomResourceDefinitions, ManagedResourceDefinitions, CompositeResourceDefinitions, definitions and publications. Other objects are passed over.
 * Rejects what the control plane would reject.
 */
export function definedKinds(objects: readonly KubeObject[]): readonly DefinedByObject[] {
  const definitions = new Map<string, CompositeDefinition>()
  for (const object of objects) if (isComposite(object)) definitions.set(object.metadata.name ?? '', checked(object))
  return objects.flatMap((object) => {
    const { group } = parseGroupVersion(object.apiVersion)
    switch (`${object.kind}.${group}`) {
      case 'CustomResourceDefinition.apiextensions.k8s.io':
        return [{ crd: withVersions(object) }]
      case 'ManagedResourceDefinition.apiextensions.crossplane.io':
        return [managed(object)]
      case 'ApplicationDefinition.apiextensions.crossplane.io':
        // C7: an application publishes no connection details.
        return [{ crd: renderCompositeKind(APPLICATION, object as CompositeDefinition), connectionDetails: [] }]
      case 'InfrastructureDefinition.apiextensions.crossplane.io': {
        const definition = object as CompositeDefinition
        return [{ crd: renderCompositeKind(INFRASTRUCTURE, definition), connectionDetails: definition.spec.connectionDetails }]
      }
      case 'InfrastructurePublication.apiextensions.crossplane.io':
        return [published(object as InfrastructurePublication, definitions)]
      case 'CompositeResourceDefinition.apiextensions.crossplane.io':
        return compositeKinds(object as CompositeResourceDefinition)
      default:
        return []
    }
  })
}

/** The composite, and the claim where one is offered. Both have the same connection details; any, unless the definition says which. */
function compositeKinds(xrd: CompositeResourceDefinition): readonly DefinedByObject[] {
  const { claimNames, connectionSecretKeys: connectionDetails } = xrd.spec
  try {
    const crds = [renderXrCrd(xrd), ...(claimNames === undefined ? [] : [renderClaimCrd(xrd)])]
    return crds.map((crd) => ({ crd: crd as CustomResourceDefinition, connectionDetails }))
  } catch (error) {
    if (!(error instanceof RenderError)) throw error
    throw new CommandFailure(`CompositeResourceDefinition ${xrd.metadata.name ?? ''}: ${error.message}`, { cause: error })
  }
}

/** Every served version of them, once: what says more of a kind is preferred to what says less. */
export function typedKinds(defined: readonly DefinedByObject[]): readonly TypedKind[] {
  const found = new Map<string, TypedKind>()
  for (const { crd, connectionDetails } of defined) {
    const { group, names, versions } = crd.spec
    for (const version of versions.filter(({ served }) => served)) {
      const key = `${group}/${version.name}/${names.kind}`
      if (found.get(key)?.connectionDetails !== undefined) continue
      const { openAPIV3Schema: schema } = ((version as { schema?: unknown }).schema ?? {}) as { openAPIV3Schema?: Schema }
      found.set(key, { group, version: version.name, kind: names.kind, ...(schema && { schema }), connectionDetails })
    }
  }
  return [...found.values()]
}

const isComposite = (object: KubeObject): boolean =>
  parseGroupVersion(object.apiVersion).group === 'apiextensions.crossplane.io' &&
  (object.kind === 'ApplicationDefinition' || object.kind === 'InfrastructureDefinition')

function checked(object: KubeObject): CompositeDefinition {
  const { spec } = object as { spec?: { crdSpecTemplate?: { group?: unknown; version?: unknown; names?: unknown } } }
  const template = spec?.crdSpecTemplate
  const names = template?.names
  const strings = [template?.group, template?.version, ...(isJsonObject(names) ? [names['kind'], names['plural']] : [undefined])]
  if (!strings.every((part) => typeof part === 'string' && part !== ''))
    throw incomplete(object, 'spec.crdSpecTemplate needs group, version, names.kind and names.plural')
  const definition = object as CompositeDefinition
  const errors = checkTemplate(definition.spec.crdSpecTemplate, definition.metadata.name ?? '')
  if (errors.length > 0) throw incomplete(object, formatFieldErrors(errors))
  return definition
}

function managed(object: KubeObject): DefinedByObject {
  const { spec } = object as { spec?: { group?: unknown; names?: { kind?: unknown } } }
  if (typeof spec?.group !== 'string' || typeof spec.names?.kind !== 'string')
    throw incomplete(object, 'spec needs group, names and versions')
  const definition = object as ManagedResourceDefinition
  return { crd: renderManagedKind(definition), connectionDetails: definition.spec.connectionDetails?.map(({ name }) => name) }
}

function published(publication: InfrastructurePublication, definitions: ReadonlyMap<string, CompositeDefinition>): DefinedByObject {
  const name = publication.metadata.name ?? ''
  const definition = definitions.get(name)
  if (definition === undefined)
    throw incomplete(publication, 'its InfrastructureDefinition is missing: name the file that contains it as well')
  return {
    crd: renderRequirementKind(publication, definition.spec.crdSpecTemplate),
    connectionDetails: definition.spec.connectionDetails,
  }
}

function withVersions(object: KubeObject): CustomResourceDefinition {
  const { spec } = object as { spec?: { group?: unknown; names?: { kind?: unknown }; versions?: unknown } }
  if (typeof spec?.group !== 'string' || typeof spec.names?.kind !== 'string' || !Array.isArray(spec.versions))
    throw incomplete(object, 'spec needs group, names and versions')
  return object as CustomResourceDefinition
}

const incomplete = ({ kind, metadata }: KubeObject, why: string): CommandFailure =>
  new CommandFailure(`${kind} ${metadata.name ?? ''}: ${why}`)

import { getOwn, gvkOf, isJsonObject, type JsonObject, type KubeObject, parseGroupVersion, specOf } from '@weft/api'
import { definitionSchema } from '../normalise/schema.ts'
import { type ComposedKind, type ComposedKinds, kindKey } from './composed-kind.ts'
import { compositionToCrossplane, writtenStatus } from './composition-to-crossplane.ts'
import { compositionToWeft, type FunctionNames } from './composition-to-weft.ts'
import { claimNames, definitionToCrossplane } from './definition-to-crossplane.ts'
import { definitionToWeft, referenceableVersion } from './definition-to-weft.ts'
import type { Loss, Tell } from './loss.ts'
import { moveSpec, type Side } from './machinery.ts'
import { authoredMetadata } from './metadata.ts'

export interface Conversion {
  /** In the order given. What needs no conversion is the very object. */
  readonly objects: readonly KubeObject[]
  /** How many of them were converted. */
  readonly converted: number
  /** Empty: the result means what was given. */
  readonly losses: readonly Loss[]
}

const GROUP = 'apiextensions.crossplane.io'

/** How an object says what is composed: in Weft's words, in Crossplane's, or it does not. */
export function sideOf(object: KubeObject): Side | undefined {
  if (parseGroupVersion(object.apiVersion).group !== GROUP) return undefined
  switch (object.kind) {
    case 'InfrastructureDefinition':
    case 'ApplicationDefinition':
    case 'InfrastructurePublication':
      return 'weft'
    case 'CompositeResourceDefinition':
      return 'crossplane'
    case 'Composition':
      return getOwn(specOf(object), 'to') === undefined ? 'crossplane' : 'weft'
    default:
      return undefined
  }
}

/**
 * Definitions, publications, Compositions, and objects of the kinds that they define, as the other side writes them. Objects that belong together are given
 * together: a publication becomes part of its definition, and what a path means depends on the kind that it leads into. Objects are as their schemas
 * want them.
 */
export function convertObjects(objects: readonly KubeObject[], to: Side): Conversion {
  const losses: Loss[] = []
  const kinds = to === 'crossplane' ? definedByWeft(objects) : definedByCrossplane(objects)
  let converted = 0
  const result = objects.flatMap((object) => {
    const tell: Tell = (path, message) => losses.push({ object, path, message })
    const made =
      sideOf(object) === undefined
        ? instance(object, kinds, to, tell)
        : sideOf(object) === to
          ? undefined
          : convertOne(object, objects, kinds, tell)
    if (made === undefined) return [object]
    converted++
    return made
  })
  return { objects: result, converted, losses }
}

function convertOne(object: KubeObject, objects: readonly KubeObject[], kinds: ComposedKinds, tell: Tell): readonly KubeObject[] {
  switch (object.kind) {
    case 'Composition': {
      if (sideOf(object) === 'weft') return [compositionToCrossplane(object, kinds, tell)]
      const made = compositionToWeft(object, kinds, functionNames(objects), tell)
      return made === undefined ? [] : [made]
    }
    case 'CompositeResourceDefinition':
      return definitionToWeft(object, kinds.get(definedKey(object)) as ComposedKind, tell)
    case 'InfrastructurePublication':
      if (!objects.some((other) => isDefinition(other) && other.metadata.name === object.metadata.name))
        tell(
          'spec.infrastructureDefinitionReference',
          `in Crossplane a definition itself offers claims: convert InfrastructureDefinition ${object.metadata.name ?? ''} together with its publication`,
        )
      return []
    default: {
      const kind = kinds.get(definedKey(object)) as ComposedKind
      const written = objects
        .filter((other) => sideOf(other) === 'weft' && other.kind === 'Composition' && composes(other, object))
        .flatMap(writtenStatus)
      return [definitionToCrossplane({ definition: object, kind, isPublished: isPublished(object, objects), written }, tell)]
    }
  }
}

const templateOf = (definition: KubeObject): JsonObject => getOwn(specOf(definition), 'crdSpecTemplate') as JsonObject
const isDefinition = (object: KubeObject): boolean => sideOf(object) === 'weft' && object.kind.endsWith('Definition')

const isPublished = ({ kind, metadata: { name } }: KubeObject, objects: readonly KubeObject[]): boolean =>
  kind === 'InfrastructureDefinition' &&
  objects.some((other) => sideOf(other) === 'weft' && other.kind === 'InfrastructurePublication' && other.metadata.name === name)

function composes(composition: KubeObject, definition: KubeObject): boolean {
  const from = getOwn(specOf(composition), 'from')
  return isJsonObject(from) && kindKey(gvkOf(from as unknown as KubeObject)) === definedKey(definition)
}

function definedKey(definition: KubeObject): string {
  const { group, names } = (isDefinition(definition) ? templateOf(definition) : specOf(definition)) as JsonObject
  return kindKey({ group: String(group), kind: String((names as JsonObject)['kind']) })
}

function definedByWeft(objects: readonly KubeObject[]): ComposedKinds {
  const kinds = new Map<string, ComposedKind>()
  for (const definition of objects.filter(isDefinition)) {
    const { group, version, names, validation } = templateOf(definition)
    const { spec: schema } = definitionSchema(isJsonObject(validation) ? getOwn(validation, 'openAPIV3Schema') : undefined)
    if (definition.kind === 'ApplicationDefinition') {
      kinds.set(definedKey(definition), { nature: 'application', field: 'application', place: 'crossplane', schema })
      continue
    }
    const details = getOwn(specOf(definition), 'connectionDetails')
    const offers = isPublished(definition, objects)
    // What publishes nothing and is offered to nobody needs none of what only the older scope has.
    const place = !offers && Array.isArray(details) && details.length === 0 ? 'crossplane' : undefined
    kinds.set(definedKey(definition), { nature: 'infrastructure', field: 'infrastructure', place, schema })
    if (!offers) continue
    const kind = String((names as JsonObject)['kind'])
    const composite = { apiVersion: `${String(group)}/${String(version)}`, kind }
    const claim = kindKey({ group: String(group), kind: `${kind}Requirement` })
    kinds.set(claim, { nature: 'requirement', field: 'infrastructure', place: undefined, schema, composite })
  }
  return kinds
}

function definedByCrossplane(objects: readonly KubeObject[]): ComposedKinds {
  const kinds = new Map<string, ComposedKind>()
  for (const xrd of objects.filter((object) => object.kind === 'CompositeResourceDefinition' && sideOf(object) === 'crossplane')) {
    const spec = specOf(xrd)
    const scope = spec['scope'] ?? (xrd.apiVersion === `${GROUP}/v2` ? 'Namespaced' : 'LegacyCluster')
    const isApplication = scope === 'Namespaced'
    const version = referenceableVersion(xrd)
    const schema = isJsonObject(version['schema']) ? definitionSchema(version['schema']['openAPIV3Schema']).spec : undefined
    const place = scope === 'LegacyCluster' ? undefined : 'crossplane'
    const nature = isApplication ? 'application' : 'infrastructure'
    kinds.set(definedKey(xrd), { nature, field: nature, place, schema })
    const claim = getOwn(spec, 'claimNames')
    if (!isJsonObject(claim)) continue
    const names = spec['names'] as JsonObject
    const renamed = String(claimNames(names)['kind'])
    const composite = { apiVersion: `${String(spec['group'])}/${String(version['name'])}`, kind: String(names['kind']) }
    kinds.set(kindKey({ group: String(spec['group']), kind: String(claim['kind']) }), {
      nature: 'requirement',
      field: 'infrastructure',
      place: undefined,
      schema,
      composite,
      ...(renamed !== claim['kind'] && { renamed }),
    })
  }
  return kinds
}

/** A composite, requirement or claim, with its machinery where the other side looks for it. */
function instance(object: KubeObject, kinds: ComposedKinds, to: Side, tell: Tell): readonly KubeObject[] | undefined {
  const kind = kinds.get(kindKey(gvkOf(object)))
  if (kind === undefined) return undefined
  const spec = moveSpec(specOf(object), kind, to, { path: 'spec', tell })
  return [{ apiVersion: object.apiVersion, kind: kind.renamed ?? object.kind, metadata: authoredMetadata(object), spec }]
}

function functionNames(objects: readonly KubeObject[]): FunctionNames {
  const packages = new Map<string | undefined, string>()
  for (const object of objects)
    if (object.kind === 'Function' && parseGroupVersion(object.apiVersion).group === 'pkg.crossplane.io')
      packages.set(object.metadata.name, String(getOwn(specOf(object), 'package')))
  // Of a Function that is not at hand the name tells: a package manager names it after its organisation and its package.
  return (name) => lastPart(packages.get(name) ?? name.replace(/^crossplane-contrib-/, ''))
}

const lastPart = (reference: string): string => (reference.split('/').at(-1) ?? '').split(/[@:]/)[0] ?? ''

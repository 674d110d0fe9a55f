import { getOwn, isJsonObject, type Schema } from '@weft/api'
import type { CustomResourceDefinition } from '@weft/client'
import { DefinitionError } from '../definition/definition.ts'
import { claimMachinery, statusMachinery, xrMachinery } from './machinery-schema.ts'
import { claimCrdName, type CompositeResourceDefinition, scopeOf, type XrdNames, type XrdVersion } from './xrd.ts'

/** Why a definition makes no kind: what its author wrote cannot be rendered. */
export class RenderError extends DefinitionError {
  constructor(message: string) {
    super('Rejected', message)
    this.name = 'RenderError'
  }
}

/** Names of composite resources and claims become values of labels (K24). */
const LONGEST_NAME = 63

/** K22–K30: the CustomResourceDefinition of the composite resource. Pure; throws a RenderError. */
export function renderXrCrd(xrd: CompositeResourceDefinition): CustomResourceDefinition {
  const scope = scopeOf(xrd)
  const { names, defaultCompositionUpdatePolicy: policy = 'Automatic' } = xrd.spec
  const place = scope === 'LegacyCluster' ? '.spec' : '.spec.crossplane'
  return render(xrd, {
    name: xrd.metadata.name ?? '',
    definition: xrd.metadata.name ?? '',
    scope: scope === 'Namespaced' ? 'Namespaced' : 'Cluster',
    names,
    category: 'composite',
    noun: 'Composite Resource',
    spec: xrMachinery(scope, policy),
    status: statusMachinery(scope === 'LegacyCluster'),
    columns: [
      SYNCED,
      READY,
      { name: 'COMPOSITION', type: 'string', jsonPath: `${place}.compositionRef.name` },
      { name: 'COMPOSITIONREVISION', type: 'string', priority: 1, jsonPath: `${place}.compositionRevisionRef.name` },
      AGE,
    ],
  })
}

/** K31, K32: the CustomResourceDefinition of the claim that it offers. Pure; throws a RenderError. */
export function renderClaimCrd(xrd: CompositeResourceDefinition): CustomResourceDefinition {
  const { names, claimNames, defaultCompositeDeletePolicy: policy = 'Background' } = xrd.spec
  if (claimNames === undefined) throw new RenderError('cannot offer a claim: the definition has no claimNames')
  for (const part of ['kind', 'plural', 'singular', 'listKind'] as const)
    if (claimNames[part] && claimNames[part] === names[part])
      throw new RenderError(`invalid resource claim names: "${claimNames[part]}" conflicts with composite resource name`)
  return render(xrd, {
    name: claimCrdName(xrd),
    definition: xrd.metadata.name ?? '',
    scope: 'Namespaced',
    names: claimNames,
    category: 'claim',
    noun: 'Composite Resource Claim',
    spec: claimMachinery(policy),
    status: statusMachinery(true),
    columns: [SYNCED, READY, { name: 'CONNECTION-SECRET', type: 'string', jsonPath: '.spec.writeConnectionSecretToRef.name' }, AGE],
  })
}

const SYNCED = { name: 'SYNCED', type: 'string', jsonPath: ".status.conditions[?(@.type=='Synced')].status" }
const READY = { name: 'READY', type: 'string', jsonPath: ".status.conditions[?(@.type=='Ready')].status" }
const AGE = { name: 'AGE', type: 'date', jsonPath: '.metadata.creationTimestamp' }

interface Wanted {
  readonly name: string
  /** Whose it is: messages call it so. */
  readonly definition: string
  readonly scope: 'Namespaced' | 'Cluster'
  readonly names: XrdNames
  readonly category: string
  /** What messages call it. */
  readonly noun: string
  readonly spec: Readonly<Record<string, Schema>>
  readonly status: Readonly<Record<string, Schema>>
  readonly columns: readonly object[]
}

function render(xrd: CompositeResourceDefinition, wanted: Wanted): CustomResourceDefinition {
  const { metadata, spec } = xrd
  const labels = { ...metadata.labels, ...spec.metadata?.labels }
  const { annotations = {} } = spec.metadata ?? {}
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {
      name: wanted.name,
      ...(Object.keys(labels).length > 0 && { labels }),
      ...(Object.keys(annotations).length > 0 && { annotations }),
      ownerReferences: [
        {
          // K20: whichever version it was written in.
          apiVersion: 'apiextensions.crossplane.io/v1',
          kind: 'CompositeResourceDefinition',
          name: metadata.name ?? '',
          uid: metadata.uid ?? '',
          controller: true,
          blockOwnerDeletion: true,
        },
      ],
    },
    spec: {
      group: spec.group,
      scope: wanted.scope,
      // K22: a category that is there already is written twice, and the server keeps both.
      names: { ...wanted.names, categories: [...(wanted.names.categories ?? []), wanted.category] },
      versions: spec.versions.map((version) => renderVersion(version, wanted)),
      ...(spec.conversion !== undefined && { conversion: spec.conversion }),
    },
  }
}

function renderVersion(version: XrdVersion, wanted: Wanted): CustomResourceDefinition['spec']['versions'][number] {
  const { name, served, deprecated, deprecationWarning, additionalPrinterColumns = [], subresources } = version
  return {
    name,
    served,
    storage: version.referenceable,
    ...(deprecated !== undefined && { deprecated }),
    ...(deprecationWarning !== undefined && { deprecationWarning }),
    schema: { openAPIV3Schema: renderSchema(version, wanted) },
    subresources: { status: {}, ...(subresources?.scale !== undefined && { scale: subresources.scale }) },
    additionalPrinterColumns: [...additionalPrinterColumns, ...wanted.columns],
  }
}

/** K23: what survives of an author's schema. */
function renderSchema({ schema }: XrdVersion, wanted: Wanted): Schema {
  const given = schema?.openAPIV3Schema
  const cannot = (why: string): RenderError => new RenderError(`cannot generate CRD for "${wanted.noun}" "${wanted.definition}": ${why}`)
  const unreadable = (why: string): RenderError => cannot(`cannot parse validation schema: cannot parse validation schema: ${why}`)
  // K13, whatever the field's own description says.
  if (schema === undefined) throw cannot('custom resource validation cannot be nil')
  if (given === undefined) throw unreadable('unexpected end of JSON input')
  const propertiesOf = ({ properties = {} }: Schema, of: string): Readonly<Record<string, Schema>> => {
    if (properties !== null && !isJsonObject(properties)) throw unreadable(`properties of ${of} must be an object`)
    return properties ?? {}
  }
  const part = (name: string): Schema => {
    const found = getOwn(propertiesOf(given, 'the schema'), name)
    return isJsonObject(found) ? (found as Schema) : {}
  }
  const name = getOwn(propertiesOf(part('metadata'), 'metadata'), 'name')
  const spec = part('spec')
  return {
    ...kept(given, 'description', 'x-kubernetes-validations'),
    type: 'object',
    required: ['spec'],
    properties: {
      apiVersion: { type: 'string' },
      kind: { type: 'string' },
      metadata: {
        type: 'object',
        properties: { name: { type: 'string', maxLength: Math.min(name?.maxLength ?? LONGEST_NAME, LONGEST_NAME) } },
      },
      spec: {
        type: 'object',
        ...kept(spec, 'required', 'description', 'oneOf', 'x-kubernetes-validations', 'x-kubernetes-preserve-unknown-fields'),
        properties: { ...propertiesOf(spec, 'spec'), ...wanted.spec },
      },
      status: {
        type: 'object',
        ...kept(part('status'), 'required', 'description', 'oneOf', 'x-kubernetes-validations'),
        properties: { ...propertiesOf(part('status'), 'status'), ...wanted.status },
      },
    },
  }
}

const kept = (schema: Schema, ...keys: readonly (keyof Schema)[]): Partial<Schema> =>
  Object.fromEntries(keys.filter((key) => schema[key] !== undefined).map((key) => [key, schema[key]]))

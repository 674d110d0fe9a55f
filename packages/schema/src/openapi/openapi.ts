import { type GroupVersionKind, type Schema, setOwn } from '@weft/api'
import { toOpenApiV2Schema } from './openapi-v2.ts'

/** A schema as an OpenAPI document carries it: like ours, plus `$ref`. */
export type OpenApiSchema = Readonly<Record<string, unknown>>
export type OpenApiDialect = 'v2' | 'v3'

/** What a kind served from a CustomResourceDefinition publishes. */
export interface PublishedKind extends GroupVersionKind {
  readonly listKind: string
  readonly plural: string
  /** Without one the kind is published as any object. */
  readonly schema?: Schema
  /** `.spec.a` */
  readonly selectableFields?: readonly string[]
}

/** The name of a kind's component: `com.example.v1.Widget`. */
export function modelName({ group, version, kind }: GroupVersionKind): string {
  return [...group.split('.').reverse(), version, kind].join('.')
}

/** The components of a kind and of its list, by name, in the given dialect. Refers to ObjectMeta and ListMeta. */
export function publishKind(published: PublishedKind, dialect: OpenApiDialect): Readonly<Record<string, OpenApiSchema>> {
  const { group, version, kind, listKind, plural } = published
  const extensions = (ofKind: string): OpenApiSchema => ({
    'x-kubernetes-group-version-kind': [{ group, version, kind: ofKind }],
    ...(published.selectableFields?.length && {
      'x-kubernetes-selectable-fields': published.selectableFields.map((path) => ({ fieldPath: path.replace(/^\./, '') })),
    }),
  })
  const name = modelName(published)
  const list = {
    type: 'object',
    description: `${listKind} is a list of ${kind}`,
    required: ['items'],
    properties: {
      ...typeProperties(KIND_TEXTS),
      metadata: reference(LIST_META, 'Where the list stands in the history of the resource, and how to get the rest of it.', dialect),
      items: { type: 'array', description: `List of ${plural}.`, items: { $ref: `${prefixes[dialect]}${name}` } },
    },
    ...extensions(listKind),
  }
  return {
    [name]: { ...objectSchema(published.schema, dialect), ...extensions(kind) },
    [modelName({ group, version, kind: listKind })]: list,
  }
}

function objectSchema(schema: Schema | undefined, dialect: OpenApiDialect): OpenApiSchema {
  if (schema === undefined || (dialect === 'v2' && schema['x-kubernetes-preserve-unknown-fields'] === true)) return { type: 'object' }
  const published = toOpenApiSchema(schema, dialect)
  return {
    ...published,
    properties: { ...(published.properties as object | undefined), ...typeProperties(KIND_TEXTS), metadata: metadataReference(dialect) },
  }
}

/**
 * A structural schema as OpenAPI: int-or-string spelled out as anyOf, embedded resources with the fields that every
 * resource has, extensions kept. OpenAPI v2 has no nullable and no alternatives; what it cannot say is left open.
 */
export function toOpenApiSchema(schema: Schema, dialect: OpenApiDialect): OpenApiSchema {
  return dialect === 'v2' ? convert(toOpenApiV2Schema(schema), 'v2') : convert(schema, 'v3')
}

function convert(schema: Schema, dialect: OpenApiDialect): OpenApiSchema {
  const out: Record<string, unknown> = { ...schema }
  if (schema.items !== undefined) out['items'] = convert(schema.items, dialect)
  if (typeof schema.additionalProperties === 'object') out['additionalProperties'] = convert(schema.additionalProperties, dialect)
  if (schema.properties !== undefined) out['properties'] = convertProperties(schema.properties, dialect)
  if (dialect === 'v3' && schema['x-kubernetes-int-or-string'] === true) Object.assign(out, spelledOut(schema))
  const isOpen = dialect === 'v2' && schema['x-kubernetes-preserve-unknown-fields'] === true
  if (schema['x-kubernetes-embedded-resource'] === true && !isOpen) {
    out['properties'] = {
      ...(out['properties'] as object | undefined),
      ...typeProperties(EMBEDDED_TEXTS),
      metadata: metadataReference(dialect),
    }
    out['required'] = [...new Set([...(schema.required ?? []), 'kind', 'apiVersion'])]
  }
  return out
}

function convertProperties(properties: Readonly<Record<string, Schema>>, dialect: OpenApiDialect): Record<string, unknown> {
  const out: Record<string, unknown> = {}
  for (const [key, property] of Object.entries(properties)) setOwn(out, key, convert(property, dialect))
  return out
}

const integerOrString = [{ type: 'integer' }, { type: 'string' }]

function spelledOut(schema: Schema): OpenApiSchema {
  const isSpelled = (anyOf: readonly Schema[] | undefined): boolean =>
    anyOf?.length === 2 && anyOf[0]?.type === 'integer' && anyOf[1]?.type === 'string'
  if (isSpelled(schema.anyOf) || isSpelled(schema.allOf?.[0]?.anyOf)) return {}
  return schema.anyOf === undefined ? { anyOf: integerOrString } : { allOf: [{ anyOf: integerOrString }, ...(schema.allOf ?? [])] }
}

const prefixes: Readonly<Record<OpenApiDialect, string>> = { v2: '#/definitions/', v3: '#/components/schemas/' }
const OBJECT_META = 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta'
const LIST_META = 'io.k8s.apimachinery.pkg.apis.meta.v1.ListMeta'

/** In v3 a `$ref` admits no siblings, so the description needs a wrapper. */
function reference(name: string, description: string, dialect: OpenApiDialect): OpenApiSchema {
  const $ref = `${prefixes[dialect]}${name}`
  return dialect === 'v2' ? { description, $ref } : { description, allOf: [{ $ref }] }
}

const metadataReference = (dialect: OpenApiDialect): OpenApiSchema =>
  reference(OBJECT_META, 'What every object has: name, labels, annotations, owners and versions.', dialect)

interface TypeTexts {
  readonly apiVersion: string
  readonly kind: string
}

const KIND_TEXTS: TypeTexts = {
  apiVersion: 'The group and version of the API in which this object is written.',
  kind: 'The kind of this object, in CamelCase. It cannot be changed.',
}
const EMBEDDED_TEXTS: TypeTexts = {
  apiVersion: 'The group and version of the API in which the embedded object is written.',
  kind: 'The kind of the embedded object, in CamelCase.',
}

const typeProperties = ({ apiVersion, kind }: TypeTexts): OpenApiSchema => ({
  apiVersion: { description: apiVersion, type: 'string' },
  kind: { description: kind, type: 'string' },
})

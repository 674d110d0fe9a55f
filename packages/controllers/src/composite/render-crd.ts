import { conditionsSchema, field, type FieldError, getOwn, isJsonObject, type KubeObject, type Schema } from '@weft/api'
import type { CustomResourceDefinition } from '@weft/client'
import { definitionSchema } from '@weft/composition'
import { renderMetadata } from '../definition/custom-resource-definition.ts'
import type { CrdSpecTemplate } from '../definition/kinds.ts'
import { isReservedGroup } from '../definition/nature.ts'

/** Names that the machinery takes for itself. */
const RESERVED = ['application', 'infrastructure'] as const

/** What is wrong with a template beyond what its schema says; for admission as well as for the controller. */
export function checkTemplate(template: CrdSpecTemplate, definitionName: string, path = 'spec.crdSpecTemplate'): readonly FieldError[] {
  const errors: FieldError[] = []
  const { group, names } = template
  const expected = `${names.plural}.${group}`
  if (definitionName !== expected)
    errors.push(field.invalid('metadata.name', definitionName, `must be ${expected}: <plural>.<group> of ${path}`))
  if (isReservedGroup(group))
    errors.push(
      field.forbidden(`${path}.group`, `the group ${group} belongs to Kubernetes or to Weft itself: define kinds in a group of your own`),
    )
  // C9. The first CustomResourceDefinitions had `version` and `versions`; a list that says the same is no mistake.
  const versions: unknown = template['versions']
  const [only] = Array.isArray(versions) ? (versions as readonly unknown[]) : []
  const repeated = Array.isArray(versions) && versions.length === 1 && isJsonObject(only) && only['name'] === template.version
  if (versions !== undefined && !repeated)
    errors.push(field.forbidden(`${path}.versions`, `a definition has one API version, given as ${path}.version`))
  const { spec } = definitionSchema(template.validation?.openAPIV3Schema)
  for (const name of RESERVED)
    if (getOwn(spec.properties ?? {}, name) !== undefined)
      errors.push(
        field.forbidden(
          `${path}.validation.openAPIV3Schema.properties.${name}`,
          `the field spec.${name} is injected by Weft: call it something else`,
        ),
      )
  if (spec.type !== undefined && spec.type !== 'object')
    errors.push(field.invalid(`${path}.validation.openAPIV3Schema.type`, spec.type, 'spec must be an object'))
  return errors
}

export interface KindRendering {
  readonly definition: KubeObject
  readonly template: CrdSpecTemplate
  readonly scope: 'Cluster' | 'Namespaced'
  readonly names: {
    readonly kind: string
    readonly plural: string
    readonly singular: string
    readonly listKind: string
    readonly shortNames?: unknown
  }
  readonly category: string
  /** The injected field, and its schema. */
  readonly machinery: readonly [name: string, schema: Schema]
  readonly columns: readonly object[]
  /** What the controller keeps in status beside conditions. */
  readonly record: Readonly<Record<string, Schema>>
}

/** The CustomResourceDefinition of a kind that a user defined: the user's schema (B16, B17, B22) with the machinery injected (C10). */
export function renderDefinedKind({
  definition,
  template,
  scope,
  names,
  category,
  machinery,
  columns,
  record,
}: KindRendering): CustomResourceDefinition {
  const { spec, status } = definitionSchema(template.validation?.openAPIV3Schema)
  const categories = [...new Set([...stringsOf(template.names['categories']), 'crossplane', category])]
  const [injected, injectedSchema] = machinery
  const specSchema: Schema = { ...spec, type: 'object', properties: { ...spec.properties, [injected]: injectedSchema } }
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: renderMetadata(definition, `${names.plural}.${template.group}`),
    spec: {
      group: template.group,
      scope,
      names: { ...names, categories } as CustomResourceDefinition['spec']['names'],
      versions: [
        {
          name: template.version,
          served: true,
          storage: true,
          schema: {
            openAPIV3Schema: {
              type: 'object',
              properties: { spec: specSchema, status: statusSchema(status, record) },
              ...((spec.required ?? []).length > 0 && { required: ['spec'] }),
            },
          },
          subresources: { status: {} },
          additionalPrinterColumns: [...ownColumns(template), ...columns],
        },
      ],
    },
  }
}

function statusSchema(status: Schema | undefined, record: KindRendering['record']): Schema {
  const machinery = { conditions: conditionsSchema, ...record }
  return {
    description: 'The observed state.',
    ...status,
    type: 'object',
    properties: { ...status?.properties, ...machinery },
    ...(status === undefined && { 'x-kubernetes-preserve-unknown-fields': true }),
  }
}

/** Columns of the author, in today's spelling or in that of the first CustomResourceDefinitions (`JSONPath`). */
function ownColumns(template: CrdSpecTemplate): readonly object[] {
  const given = template['additionalPrinterColumns']
  return (Array.isArray(given) ? given : [])
    .filter(isJsonObject)
    .map(({ JSONPath, ...column }) => ({ ...(JSONPath !== undefined && { jsonPath: JSONPath }), ...column }))
}

const stringsOf = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : []

const condition = (type: string): object => ({ name: type, type: 'string', jsonPath: `.status.conditions[?(@.type=="${type}")].status` })
const age: object = { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' }

export const compositeColumns = (injected: string): readonly object[] => [
  condition('Ready'),
  condition('Synced'),
  { name: 'Composition', type: 'string', jsonPath: `.spec.${injected}.compositionRef.name` },
  age,
]

export const requirementColumns: readonly object[] = [
  condition('Ready'),
  condition('Synced'),
  { name: 'Resource', type: 'string', jsonPath: '.spec.infrastructure.resourceRef.name' },
  { name: 'Connection-Secret', type: 'string', jsonPath: '.spec.infrastructure.writeConnectionSecretToRef.name', priority: 1 },
  age,
]

/** Names with what Kubernetes would fill in, so that what is compared is what is stored. */
export function namesOf({ kind, plural, singular, listKind, shortNames }: CrdSpecTemplate['names']): KindRendering['names'] {
  return {
    kind,
    plural,
    singular: singular ?? kind.toLowerCase(),
    listKind: listKind ?? `${kind}List`,
    ...(Array.isArray(shortNames) && { shortNames: shortNames as unknown }),
  }
}

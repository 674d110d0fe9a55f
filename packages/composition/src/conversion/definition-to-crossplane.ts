import { childPath, getOwn, isJsonObject, type JsonObject, type KubeObject, type Schema, specOf } from '@weft/api'
import { definitionSchema } from '../normalise/schema.ts'
import { type ComposedKind, LEGACY_FIELDS } from './composed-kind.ts'
import type { Tell } from './loss.ts'
import { authoredMetadata } from './metadata.ts'
import { textAt } from './patches.ts'

const TEMPLATE = 'spec.crdSpecTemplate'
const SCHEMA = `${TEMPLATE}.validation.openAPIV3Schema`

export interface DefinitionToConvert {
  readonly definition: KubeObject
  readonly kind: ComposedKind
  /** It is offered to applications. */
  readonly isPublished: boolean
  /** Fields of the status that Compositions write and the schema does not name: it would lose them. */
  readonly written: readonly string[]
}

/** The CompositeResourceDefinition that defines the same kinds, under the same names. */
export function definitionToCrossplane({ definition, kind, isPublished, written }: DefinitionToConvert, tell: Tell): KubeObject {
  const spec = specOf(definition)
  const template = getOwn(spec, 'crdSpecTemplate') as JsonObject
  const isApplication = kind.nature === 'application'
  const names = template['names'] as JsonObject
  if (spec['serviceAccountRef'] !== undefined)
    tell('spec.serviceAccountRef', 'Crossplane composes with its own rights: those of this account would no longer limit what is composed')
  const details = getOwn(spec, 'connectionDetails')
  const keys = Array.isArray(details) && details.length > 0 && kind.place === undefined ? details : undefined
  if (Array.isArray(details) && details.length === 0 && kind.place === undefined)
    tell('spec.connectionDetails', 'an empty list publishes no connection detail here, and all of them in Crossplane')
  const compositionRef = (field: string): unknown => {
    const ref = getOwn(spec, field)
    const name = isJsonObject(ref) ? textAt(ref, 'name') : undefined
    return name === undefined ? undefined : { name }
  }
  const [byDefault, forced] = [compositionRef('defaultComposition'), compositionRef('forceComposition')]
  return {
    // Version 2 knows neither claims nor connection secrets; of what needs neither it is the one that lasts.
    apiVersion: `apiextensions.crossplane.io/${kind.place === undefined ? 'v1' : 'v2'}`,
    kind: 'CompositeResourceDefinition',
    metadata: authoredMetadata(definition),
    spec: {
      ...(kind.place !== undefined && { scope: isApplication ? 'Namespaced' : 'Cluster' }),
      group: template['group'],
      names,
      ...(isPublished && { claimNames: claimNames(names) }),
      ...(keys !== undefined && { connectionSecretKeys: keys }),
      ...(byDefault !== undefined && { defaultCompositionRef: byDefault }),
      ...(forced !== undefined && { enforcedCompositionRef: forced }),
      versions: [
        {
          name: template['version'],
          served: true,
          referenceable: true,
          schema: { openAPIV3Schema: schemaToCrossplane(template, kind, { written, tell }) },
          ...columnsOf(template),
        },
      ],
    },
  } as KubeObject
}

/** The kind that a publication makes: a claim of the same name. */
export function claimNames(names: JsonObject): JsonObject {
  const kind = String(names['kind'])
  const singular = textAt(names, 'singular') ?? kind.toLowerCase()
  const isUsual = singular === kind.toLowerCase()
  return { kind: `${kind}Requirement`, plural: `${singular}requirements`, ...(!isUsual && { singular: `${singular}requirement` }) }
}

function columnsOf(template: JsonObject): { additionalPrinterColumns?: unknown } {
  const columns = getOwn(template, 'additionalPrinterColumns')
  if (!Array.isArray(columns) || columns.length === 0) return {}
  return {
    additionalPrinterColumns: columns
      .filter(isJsonObject)
      .map(({ JSONPath, ...column }) => ({ ...(JSONPath !== undefined && { jsonPath: JSONPath }), ...column })),
  }
}

/** What Crossplane keeps of a schema of spec or status; it drops the rest without a word. */
const KEPT = ['type', 'properties', 'required', 'description', 'oneOf', 'x-kubernetes-validations']

/** A field of the status that anything may be written to. */
export const ANYTHING: Schema = { 'x-kubernetes-preserve-unknown-fields': true }

function schemaToCrossplane(
  template: JsonObject,
  kind: ComposedKind,
  { written, tell }: { readonly written: readonly string[]; readonly tell: Tell },
): Schema {
  const validation = getOwn(template, 'validation')
  const given = isJsonObject(validation) ? getOwn(validation, 'openAPIV3Schema') : undefined
  const { spec, status } = definitionSchema(given)
  const isWhole = isJsonObject(given) && isJsonObject(given['properties']) && isJsonObject(given['properties']['spec'])
  const specPath = isWhole ? `${SCHEMA}.properties.spec` : SCHEMA
  const reserved: readonly string[] = kind.place === undefined ? LEGACY_FIELDS : [kind.place]
  for (const name of reserved)
    if (getOwn(spec.properties ?? {}, name) !== undefined)
      tell(`${specPath}.properties.${name}`, `spec.${name} is a field of Crossplane's own: give yours another name`)
  const properties = Object.fromEntries(Object.entries(spec.properties ?? {}).filter(([name]) => !reserved.includes(name)))
  const made: Record<string, unknown> = {
    ...(isWhole && typeof given['description'] === 'string' && { description: given['description'] }),
    type: 'object',
    properties: {
      spec: {
        type: 'object',
        ...kept(spec, [...KEPT, 'x-kubernetes-preserve-unknown-fields'], { path: specPath, tell }),
        ...(spec.properties && { properties }),
      },
    },
  }
  const fields = status?.properties ?? {}
  // Without a schema Weft's status keeps everything, with one what that says.
  const added = status === undefined ? Object.fromEntries(written.filter((name) => !(name in fields)).map((name) => [name, ANYTHING])) : {}
  if (status !== undefined || Object.keys(added).length > 0)
    (made['properties'] as Record<string, unknown>)['status'] = {
      type: 'object',
      ...kept(status ?? {}, KEPT, { path: `${SCHEMA}.properties.status`, tell }),
      properties: { ...fields, ...added },
    }
  if ((spec.required ?? []).length > 0) made['required'] = ['spec']
  return made as Schema
}

function kept(schema: Schema, keys: readonly string[], { path, tell }: { readonly path: string; readonly tell: Tell }): Partial<Schema> {
  for (const key of Object.keys(schema))
    if (!keys.includes(key))
      tell(childPath(path, key), `Crossplane ignores ${key} of the whole spec or status: it would no longer be checked`)
  return Object.fromEntries(Object.entries(schema).filter(([key]) => keys.includes(key)))
}

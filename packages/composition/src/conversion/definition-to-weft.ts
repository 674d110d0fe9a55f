import { childPath, deepEqual, getOwn, indexPath, isJsonObject, type JsonObject, type KubeObject, type Schema, specOf } from '@weft/api'
import { type ComposedKind, WEFT_FIELDS } from './composed-kind.ts'
import { ANYTHING, claimNames } from './definition-to-crossplane.ts'
import type { Tell } from './loss.ts'
import { authoredMetadata } from './metadata.ts'
import { textAt } from './patches.ts'
import { listOf } from './list-of.ts'

const API_VERSION = 'apiextensions.crossplane.io/v1alpha1'

/** The one version that Weft's definitions have. */
export const referenceableVersion = (xrd: KubeObject): JsonObject =>
  listOf(getOwn(specOf(xrd), 'versions')).find((version) => version['referenceable'] === true) ?? {}

/** Why a field of a CompositeResourceDefinition is lost, where it is. */
const LOST: Readonly<Record<string, (value: unknown) => string | undefined>> = {
  defaultCompositeDeletePolicy: (value) => (value === 'Foreground' ? 'a requirement does not wait for what is deleted with it' : undefined),
  defaultCompositionRevisionSelector: () => 'Weft keeps no revisions of Compositions with templates: they cannot be changed',
  conversion: (value) =>
    isJsonObject(value) && value['strategy'] === 'Webhook' ? 'a definition of Weft has one version: nothing is converted' : undefined,
  metadata: () => 'Weft gives the CustomResourceDefinitions that it makes no labels and annotations of yours',
}

/** The definition of the same kind, and the publication of what has claims. */
export function definitionToWeft(xrd: KubeObject, kind: ComposedKind, tell: Tell): readonly KubeObject[] {
  const spec = specOf(xrd)
  const names = spec['names'] as JsonObject
  for (const [field, why] of Object.entries(LOST)) {
    const message = spec[field] === undefined ? undefined : why(spec[field])
    if (message !== undefined) tell(`spec.${field}`, message)
  }
  const version = referenceableVersion(xrd)
  tellOfVersions(spec, version, tell)
  const metadata = authoredMetadata(xrd)
  const isApplication = kind.nature === 'application'
  const keys = spec['connectionSecretKeys']
  const details = kind.place === 'crossplane' ? [] : Array.isArray(keys) && keys.length > 0 ? keys : undefined
  const columns = getOwn(version, 'additionalPrinterColumns')
  const definition = {
    apiVersion: API_VERSION,
    kind: isApplication ? 'ApplicationDefinition' : 'InfrastructureDefinition',
    metadata,
    spec: {
      ...(!isApplication && details !== undefined && { connectionDetails: details }),
      ...named('defaultComposition', spec['defaultCompositionRef']),
      ...named('forceComposition', spec['enforcedCompositionRef']),
      crdSpecTemplate: {
        group: spec['group'],
        version: version['name'],
        names,
        validation: { openAPIV3Schema: schemaToWeft(version, versionPath(spec, version), tell) },
        ...(Array.isArray(columns) && columns.length > 0 && { additionalPrinterColumns: columns }),
      },
    },
  } as KubeObject
  const claim = spec['claimNames']
  if (!isJsonObject(claim)) return [definition]
  tellOfClaimNames(claim, names, tell)
  const publication = {
    apiVersion: API_VERSION,
    kind: 'InfrastructurePublication',
    metadata: { ...(metadata.name !== undefined && { name: metadata.name }) },
    spec: { infrastructureDefinitionReference: { name: metadata.name } },
  } as KubeObject
  return [definition, publication]
}

const named = (field: string, ref: unknown): object =>
  isJsonObject(ref) && textAt(ref, 'name') !== undefined ? { [field]: { name: ref['name'] } } : {}

const versionPath = (spec: JsonObject, version: JsonObject): string => indexPath('spec.versions', listOf(spec['versions']).indexOf(version))

function tellOfVersions(spec: JsonObject, kept: JsonObject, tell: Tell): void {
  for (const [i, version] of listOf(spec['versions']).entries()) {
    const path = indexPath('spec.versions', i)
    if (version !== kept) {
      tell(path, `a definition of Weft has one version: ${String(version['name'])} would no longer be served`)
      continue
    }
    if (version['served'] === false) tell(`${path}.served`, 'the one version of a definition of Weft is always served')
    for (const field of ['deprecated', 'deprecationWarning', 'subresources'])
      if (version[field] !== undefined && version[field] !== false) tell(childPath(path, field), 'definitions of Weft have no such field')
  }
}

function tellOfClaimNames(claim: JsonObject, names: JsonObject, tell: Tell): void {
  const own = claimNames(names)
  const usual = { singular: String(own['kind']).toLowerCase(), listKind: `${String(own['kind'])}List`, ...own }
  for (const [field, value] of Object.entries(claim)) {
    const becomes = getOwn(usual, field)
    if (deepEqual(becomes, value)) continue
    const what =
      becomes === undefined ? 'requirements have none' : `requirements are named after what they require: it becomes ${String(becomes)}`
    tell(`spec.claimNames.${field}`, what)
  }
}

function schemaToWeft(version: JsonObject, path: string, tell: Tell): Schema {
  const at = `${path}.schema.openAPIV3Schema`
  const schema = getOwn(version, 'schema')
  const root = (isJsonObject(schema) && isJsonObject(schema['openAPIV3Schema']) ? schema['openAPIV3Schema'] : {}) as Schema
  const { spec, status, metadata, ...others } = (root.properties ?? {}) as Readonly<Record<string, Schema>>
  if (root['x-kubernetes-validations'] !== undefined)
    tell(`${at}.x-kubernetes-validations`, 'Weft keeps rules of spec and status, not of the whole object')
  if (metadata !== undefined) tell(`${at}.properties.metadata`, 'Weft keeps the schema of spec and status only')
  for (const name of Object.keys(others))
    if (name !== 'apiVersion' && name !== 'kind') tell(`${at}.properties.${name}`, 'Weft keeps the schema of spec and status only')
  const own: Schema = { type: 'object', ...spec }
  for (const name of WEFT_FIELDS)
    if (getOwn(own.properties ?? {}, name) !== undefined)
      tell(`${at}.properties.spec.properties.${name}`, `spec.${name} is a field of Weft's own: give yours another name`)
  const properties = Object.fromEntries(
    Object.entries(own.properties ?? {}).filter(([name]) => !(WEFT_FIELDS as readonly string[]).includes(name)),
  )
  const cleaned: Schema = { ...own, ...(own.properties && { properties }) }
  const description = typeof root.description === 'string' ? { description: root.description } : {}
  // The fields of the spec at the root, as definitions are usually written, where that cannot be taken for something else.
  const kept = status === undefined || isAnything(status) ? undefined : status
  if (kept === undefined && root.description === undefined && getOwn(properties, 'spec') === undefined) return cleaned
  return { ...description, type: 'object', properties: { spec: cleaned, ...(kept !== undefined && { status: kept }) } }
}

/** A status that says nothing but that it has fields: without a schema, Weft's keeps everything. */
const isAnything = ({ properties = {}, ...rest }: Schema): boolean =>
  Object.values(properties).every((field) => deepEqual(field, ANYTHING)) && Object.keys(rest).every((key) => key === 'type')

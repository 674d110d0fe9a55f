import {
  badRequest,
  compareVersions,
  deepEqual,
  formatGroupVersion,
  isDns1123Subdomain,
  type KubeObject,
  type Schema,
  withMeta,
} from '@weft/api'
import {
  columnCell,
  compileJsonPath,
  type CrdVersion,
  type CustomResourceDefinition,
  type JsonPath,
  type PrinterColumn,
} from '@weft/schema'
import { atOnce, objectMetaSchema, type Parts } from '../apply/index.ts'
import { age, ageColumn, nameColumn } from '../kinds/column.ts'
import { allVerbs } from '../kinds/kind.ts'
import { strategy } from '../kinds/index.ts'
import { resourcePrefix } from '../storage/index.ts'
import { compiledSchema } from './compiled-schema.ts'
import { KnownParts } from './known-parts.ts'
import type { Column, Conversion, ResourceType, ScaleMapping, Strategy, SubresourceType } from './resource-type.ts'
import { scaleErrors } from './scale-rules.ts'

/** Asks a conversion webhook; answers the objects in the same order, in `desiredApiVersion`. */
export type ConversionWebhook = (
  crd: CustomResourceDefinition,
  objects: readonly KubeObject[],
  desiredApiVersion: string,
) => Promise<readonly KubeObject[]>

/** The served versions of a definition. All share the objects below one storage prefix. */
export function customTypes(crd: CustomResourceDefinition, webhook: ConversionWebhook): ResourceType[] {
  const { group, versions } = crd.spec
  const storageVersion = versions.find(({ storage }) => storage)?.name ?? versions[0]?.name ?? ''
  // Objects may still be stored in an older version; then even the storage version has to convert what it reads.
  const oneVersion = versions.length === 1 && (crd.status?.storedVersions ?? []).every((name) => name === storageVersion)
  return versions
    .filter(({ served }) => served)
    .map((version) =>
      customType(
        crd,
        version,
        storageVersion,
        oneVersion
          ? undefined
          : conversionOf(
              crd,
              formatGroupVersion({ group, version: version.name }),
              formatGroupVersion({ group, version: storageVersion }),
              webhook,
            ),
      ),
    )
}

function customType(
  crd: CustomResourceDefinition,
  version: CrdVersion,
  storageVersion: string,
  conversion: Conversion | undefined,
): ResourceType {
  const { group, names, scope } = crd.spec
  const accepted = crd.status?.acceptedNames ?? names
  const hasStatus = version.subresources?.status !== undefined
  const rooted = rootSchemaOf(version)
  return {
    group,
    version: version.name,
    kind: names.kind,
    listKind: accepted.listKind ?? `${names.kind}List`,
    plural: names.plural,
    singular: accepted.singular ?? names.kind.toLowerCase(),
    shortNames: accepted.shortNames ?? [],
    categories: accepted.categories ?? [],
    namespaced: scope === 'Namespaced',
    verbs: allVerbs,
    storage: { group, version: storageVersion, kind: names.kind, prefix: resourcePrefix(group, names.plural) },
    subresources: subresourcesOf(version),
    schema: rooted,
    custom: true,
    decode: (object, onUnknown) => atOnce(decode(rooted, object, onUnknown)),
    decodeInParts: (object, onUnknown) => decode(rooted, object, onUnknown),
    fill: (object) => fill(rooted, object),
    prune: (object) => compiledSchema(rooted).prune(object) as KubeObject,
    learn: (object) => knownPartsOf(rooted).learn(object),
    columns: columnsOf(version.additionalPrinterColumns),
    selectableFields: new Map((version.selectableFields ?? []).map(({ jsonPath }) => selectable(jsonPath))),
    strategy: mainStrategy(hasStatus, version.subresources?.scale),
    bumpsGeneration: (next, old) => changedOutside(next, old, hasStatus ? ['metadata', 'status'] : ['metadata']),
    deletion: {},
    conversion,
    ...(version.deprecated === true && { deprecationWarning: version.deprecationWarning ?? deprecationOf(crd, version) }),
  }
}

/** Names what to use instead: the most preferred version that is served, not deprecated, and preferred to this one. */
function deprecationOf({ spec: { group, names, versions } }: CustomResourceDefinition, { name }: CrdVersion): string {
  const called = (version: string): string => `${formatGroupVersion({ group, version })} ${names.kind}`
  const [replacement] = versions
    .filter((each) => each.served && each.deprecated !== true && compareVersions(each.name, name) < 0)
    .map((each) => each.name)
    .toSorted(compareVersions)
  return `${called(name)} is deprecated${replacement === undefined ? '' : `; use ${called(replacement)}`}`
}

const rootSchemas = new WeakMap<CrdVersion, Schema>()

/** One schema per version object: what is compiled from it is kept by it. */
function rootSchemaOf(version: CrdVersion): Schema {
  let schema = rootSchemas.get(version)
  if (schema === undefined)
    rootSchemas.set(
      version,
      (schema = rootSchema(version.schema?.openAPIV3Schema ?? { type: 'object', 'x-kubernetes-preserve-unknown-fields': true })),
    )
  return schema
}

/** Every object has these, whatever its schema says; a schema may narrow the type's names, and metadata's name. */
function rootSchema(schema: Schema): Schema {
  const { properties: named = {}, ...given } = schema.properties?.['metadata'] ?? {}
  const metadata: Schema = { ...objectMetaSchema, ...given, properties: { ...objectMetaSchema.properties, ...named } }
  return { ...schema, properties: { apiVersion: { type: 'string' }, kind: { type: 'string' }, ...schema.properties, metadata } }
}

const knownParts = new WeakMap<Schema, KnownParts>()

function knownPartsOf(schema: Schema): KnownParts {
  let known = knownParts.get(schema)
  if (known === undefined) knownParts.set(schema, (known = new KnownParts()))
  return known
}

/** As kube-apiserver reads a custom resource. What was read before, or is stored here, is not read again. */
function* decode(schema: Schema, object: KubeObject, onUnknown: ((path: string) => void) | undefined): Parts<KubeObject> {
  const known = knownPartsOf(schema)
  const unknown = known.unknownOf(object)
  const read = yield* decodeWhole(schema, unknown, onUnknown, true)
  const result = unknown === object ? read : known.joined(object, read)
  known.learn(result)
  return result
}

/** Prune, drop nulls, bring metadata into form, fill defaults. */
function* decodeWhole(
  schema: Schema,
  object: KubeObject,
  onUnknown: ((path: string) => void) | undefined,
  complete: boolean,
): Parts<KubeObject> {
  const compiled = compiledSchema(schema)
  const told = onUnknown === undefined ? {} : { collect: onUnknown }
  const pruned = compiled.prune(object, told)
  yield
  const { value, error } = compiled.coerceMetadata(pruned, { root: true, ...told })
  if (error !== undefined) throw badRequest(/json: cannot unmarshal .*/s.exec(error.message)?.[0] ?? `${error.path}: ${error.message}`)
  if (!complete) return value as KubeObject
  yield
  const filled = compiled.dropNulls(value)
  yield
  return compiled.applyDefaults(filled) as KubeObject
}

function fill(schema: Schema, object: KubeObject): KubeObject {
  const compiled = compiledSchema(schema)
  const { value, error } = compiled.coerceMetadata(object, { root: true })
  // What is wrong with a resource inside is for validation to say.
  if (error !== undefined && /^(apiVersion|kind|metadata)(\.|$)/.test(error.path)) throw badRequest(error.message)
  return compiled.applyDefaults(value) as KubeObject
}

function subresourcesOf({ subresources }: CrdVersion): SubresourceType[] {
  const parts: SubresourceType[] = []
  if (subresources?.status !== undefined)
    parts.push({ name: 'status', verbs: ['get', 'patch', 'update'], strategy: statusStrategy(subresources.scale) })
  if (subresources?.scale !== undefined)
    parts.push({
      name: 'scale',
      verbs: ['get', 'patch', 'update'],
      strategy: mainStrategy(subresources.status !== undefined, subresources.scale),
      kind: { group: 'autoscaling', version: 'v1', kind: 'Scale' },
      scale: subresources.scale,
    })
  return parts
}

const mainStrategy = (hasStatus: boolean, scale?: ScaleMapping): Strategy =>
  strategy({
    ...(scale !== undefined && { validate: (object: KubeObject) => scaleErrors(object, scale, false) }),
    nameRule: isDns1123Subdomain,
    unconditionalUpdate: false,
    warnings: finalizerWarnings,
    ...(hasStatus && {
      prepareForCreate: (object: KubeObject) => withField(object, 'status', undefined),
      prepareForUpdate: (next: KubeObject, old: KubeObject) => withField(next, 'status', old['status']),
      resetFields: ['status'],
    }),
  })

/** Short names are allowed, for history's sake; a new one is a mistake. */
function finalizerWarnings({ metadata }: KubeObject, old?: KubeObject): string[] {
  const known = new Set(old?.metadata.finalizers)
  return (metadata.finalizers ?? [])
    .filter((finalizer) => !finalizer.includes('/') && !STANDARD_FINALIZERS.has(finalizer) && !known.has(finalizer))
    .map(
      (finalizer) =>
        `metadata.finalizers: ${JSON.stringify(finalizer)}: prefer a domain-qualified finalizer name ${finalizer.includes('.') ? 'including a path (/) ' : ''}to avoid accidental conflicts with other finalizer writers`,
    )
}

const STANDARD_FINALIZERS = new Set(['orphan', 'foregroundDeletion'])

/** A write to status touches nothing else; whoever wrote it is still recorded. */
const statusStrategy = (scale: ScaleMapping | undefined): Strategy =>
  strategy({
    ...(scale !== undefined && { validate: (object: KubeObject) => scaleErrors(object, scale, true) }),
    unconditionalUpdate: false,
    prepareForUpdate: (next, old) => withMeta(withField(old, 'status', next['status']), { managedFields: next.metadata.managedFields }),
    resetFields: ['metadata', 'spec'],
  })

function withField(object: KubeObject, name: string, value: unknown): KubeObject {
  if (object[name] === value) return object
  const { [name]: _old, ...rest } = object
  return (value === undefined ? rest : { ...rest, [name]: value }) as KubeObject
}

function changedOutside(next: KubeObject, old: KubeObject, ignored: readonly string[]): boolean {
  const keys = new Set([...Object.keys(next), ...Object.keys(old)])
  for (const key of keys) if (!ignored.includes(key) && !deepEqual(next[key], old[key])) return true
  return false
}

function columnsOf(columns: readonly PrinterColumn[] | undefined): readonly Column[] {
  return [
    nameColumn,
    ...(columns === undefined || columns.length === 0 ? [{ ...ageColumn, type: 'date' as const }] : columns.map(columnOf)),
  ]
}

function columnOf({ name, type, format = '', description = '', priority = 0, jsonPath }: PrinterColumn): Column {
  const path = pathOf(jsonPath)
  return {
    name,
    type: type as Column['type'],
    format,
    description: description === '' ? `Custom resource definition column (in JSONPath format): ${jsonPath}` : description,
    priority,
    cell(object, now) {
      const value = path?.first(object)
      return (type === 'date' && value !== undefined ? age(value, now) : columnCell(type, value)) as string
    },
  }
}

/** Paths were checked when the definition was written; one that slipped through shows nothing instead of failing reads. */
function pathOf(source: string): JsonPath | undefined {
  const path = compileJsonPath(source)
  return 'error' in path ? undefined : path
}

function selectable(jsonPath: string): [string, (object: KubeObject) => string] {
  const path = pathOf(jsonPath)
  return [
    jsonPath.replace(/^\./, ''),
    (object) => {
      const value = path?.first(object)
      return value === undefined || value === null ? '' : String(value)
    },
  ]
}

/**
 * Between a served version and the stored one. What is read gets the defaults of the version that it was stored in, and
 * what either side does not know is dropped: a field survives only if every version on its way has it.
 */
function conversionOf(crd: CustomResourceDefinition, served: string, stored: string, webhook: ConversionWebhook): Conversion {
  const schemas = new Map(
    crd.spec.versions.map((version) => [formatGroupVersion({ group: crd.spec.group, version: version.name }), rootSchemaOf(version)]),
  )
  const to = (desired: string, prepare: (object: KubeObject) => KubeObject) => (objects: readonly KubeObject[]) => {
    const prepared = objects.map(prepare)
    const isForeign = (object: KubeObject): boolean => object.apiVersion !== desired
    if (!prepared.some(isForeign)) return prepared
    const pruned = (object: KubeObject, i: number): KubeObject =>
      isForeign(prepared[i] as KubeObject) ? prune(schemas.get(desired), object) : object
    if (crd.spec.conversion?.strategy === 'Webhook')
      return convertByWebhook(crd, prepared, desired, webhook).then((converted) => converted.map(pruned))
    return prepared.map((object) => (isForeign(object) ? { ...object, apiVersion: desired } : object)).map(pruned)
  }
  const asStored = (object: KubeObject): KubeObject => {
    const schema = schemas.get(object.apiVersion)
    return schema === undefined ? object : atOnce(decode(schema, object, undefined))
  }
  const asks = crd.spec.conversion?.strategy === 'Webhook'
  return { asks, toStored: to(stored, (object) => object), fromStored: to(served, asStored) }
}

const prune = (schema: Schema | undefined, object: KubeObject): KubeObject =>
  schema === undefined ? object : atOnce(decodeWhole(schema, object, undefined, false))

/** Only what is not in the desired version already travels. The webhook's answers have been checked: metadata is as it should be. */
async function convertByWebhook(
  crd: CustomResourceDefinition,
  objects: readonly KubeObject[],
  desired: string,
  webhook: ConversionWebhook,
): Promise<readonly KubeObject[]> {
  const foreign = objects.filter((object) => object.apiVersion !== desired)
  const converted = await webhook(crd, foreign, desired)
  let next = 0
  return objects.map((object) => (object.apiVersion === desired ? object : (converted[next++] as KubeObject)))
}

export const CRD_GROUP = 'apiextensions.k8s.io'
export const CRD_PLURAL = 'customresourcedefinitions'

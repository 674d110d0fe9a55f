import { getOwn, isJsonObject, type JsonObject, type KubeObject, type Labels, type OwnerReference } from '@weft/api'
import { ADOPT, CREATE_AGAIN, CREATE_FAILED, CREATE_PENDING, CREATE_SUCCEEDED, EXTERNAL_NAME, OWNERSHIP } from '../naming/annotations.ts'
import { type SecretRef, secretRefOf, withConnectionSecretRef } from '../normalise/secret-ref.ts'
import { applyPatches, type Provenance, type SkippedPatch } from '../patches/apply.ts'
import { failure, type Result, success } from '../result.ts'
import type { ComposedTemplate } from './template.ts'

export interface RenderOptions {
  /** The intent whose fields patches read: claim, composite, application. */
  readonly from: KubeObject
  /** Generated and persisted by the caller before anything is created (X2). */
  readonly name: string
  readonly namespace?: string | undefined
  /** Machinery labels and annotations: set after the patches, so that neither base nor patch can forge them. */
  readonly labels?: Labels | undefined
  readonly annotations?: Readonly<Record<string, string>> | undefined
  /** Set last of all; whatever the template says about owners is dropped. */
  readonly ownerReferences?: readonly OwnerReference[] | undefined
  /** F15: the intent's external name. It overrides the base's; a patch may still override it (C43). */
  readonly externalName?: string | undefined
  /** Machinery fields of the spec (`compositeRef`, `classRef`...): set after the patches, like labels. */
  readonly spec?: JsonObject | undefined
  readonly environment?: unknown
  readonly secret?: SecretOptions | undefined
}

export interface SecretOptions {
  /** The name of a secret reference that gives only a namespace (B32). */
  readonly defaultName?: string | undefined
  /** The secret of the whole: a member that resolves to the same one falls back to its own name (B28). */
  readonly taken?: SecretRef | undefined
}

export interface Rendered {
  /** What to apply. */
  readonly object: KubeObject
  /** Which patch wrote which path, for `weft render --explain`. */
  readonly written: readonly Provenance[]
  readonly skipped: readonly SkippedPatch[]
  /** Metadata that a patch wrote and that was dropped, since only labels and annotations can be templated: `metadata.name`. */
  readonly dropped: readonly string[]
}

/**
 * The object that a template makes for one intent. Pure: the same arguments give the same object, and nothing is mutated. Order: base (of its
 * metadata only labels and annotations, F7), external name, patches, then everything that machinery decides.
 */
export function render(template: ComposedTemplate, options: RenderOptions): Result<Rendered> {
  const { base, patches } = template
  const start = options.externalName === undefined ? base : withExternalName(base, options.externalName)
  const patched = applyPatches(patches, 'composed', { composite: options.from, environment: options.environment }, start)
  if (!patched.ok) return patched
  const { object, written, skipped } = patched.value
  if (object.apiVersion !== base.apiVersion || object.kind !== base.kind)
    return failure(
      'RenderFailed',
      `${template.origin}: a patch may not change the kind of a resource, from ${base.kind} (${base.apiVersion}) to ${object.kind} (${object.apiVersion})`,
    )
  const metadata = renderMetadata(template, withOwnAnnotations(template, object.metadata, written), options)
  if (!metadata.ok) return metadata
  const spec = renderSpec(template, object, options.spec)
  if (!spec.ok) return spec
  const finished = renderSecretRef({ ...spec.value, metadata: metadata.value }, options)
  const dropped = Object.keys(object.metadata)
    .filter((key) => key !== 'labels' && key !== 'annotations')
    .map((key) => `metadata.${key}`)
  return success({ object: finished, written, skipped, dropped })
}

const withExternalName = (base: KubeObject, name: string): KubeObject => ({
  ...base,
  metadata: { ...base.metadata, annotations: { ...base.metadata.annotations, [EXTERNAL_NAME]: name } },
})

/** What only the managed reconciler may say. */
const RECORDS: ReadonlySet<string> = new Set([CREATE_PENDING, CREATE_SUCCEEDED, CREATE_FAILED, CREATE_AGAIN, OWNERSHIP])
const ADOPT_PATH = `metadata.annotations[${ADOPT}]`

/**
 * Annotations that decide about what is not the intent's are never copied along with its other ones: a patch of all annotations would let
 * the author of a claim vouch for themselves. Leave to adopt is in the base, or in a patch of its own.
 */
function withOwnAnnotations({ base }: ComposedTemplate, metadata: unknown, written: readonly Provenance[]): unknown {
  const annotations = isJsonObject(metadata) ? getOwn(metadata, 'annotations') : undefined
  if (!isJsonObject(metadata) || !isJsonObject(annotations)) return metadata
  const meant = written.some(({ path }) => path === ADOPT_PATH)
  const given = meant ? undefined : getOwn(base.metadata.annotations ?? {}, ADOPT)
  const kept = Object.entries(annotations).filter(([name]) => !RECORDS.has(name) && (name !== ADOPT || meant))
  return { ...metadata, annotations: Object.fromEntries(given === undefined ? kept : [...kept, [ADOPT, given]]) }
}

function renderMetadata(template: ComposedTemplate, patched: unknown, options: RenderOptions): Result<KubeObject['metadata']> {
  if (!isJsonObject(patched)) return failure('RenderFailed', `${template.origin}: metadata must be an object after patching`)
  const labels = stringMap(template, patched, 'labels', options.labels)
  if (!labels.ok) return labels
  const annotations = stringMap(template, patched, 'annotations', options.annotations)
  if (!annotations.ok) return annotations
  return success({
    name: options.name,
    ...(options.namespace !== undefined && { namespace: options.namespace }),
    ...(labels.value && { labels: labels.value }),
    ...(annotations.value && { annotations: annotations.value }),
    ...(options.ownerReferences && options.ownerReferences.length > 0 && { ownerReferences: options.ownerReferences }),
  })
}

function stringMap(
  template: ComposedTemplate,
  metadata: JsonObject,
  name: 'labels' | 'annotations',
  machinery: Labels | undefined,
): Result<Labels | undefined> {
  const own = getOwn(metadata, name)
  if (own === undefined || own === null) return success(machinery)
  const wrong = isJsonObject(own) ? Object.keys(own).find((key) => typeof getOwn(own, key) !== 'string') : ''
  if (wrong === undefined) return success({ ...(own as Labels), ...machinery })
  const at = wrong === '' ? `metadata.${name}` : `metadata.${name}[${wrong}]`
  const fix = wrong === '' ? 'a map of strings' : 'a string; add a string transform to the patch that writes it'
  return failure('RenderFailed', `${template.origin}: ${at} must be ${fix}`, { path: at })
}

function renderSpec(template: ComposedTemplate, object: KubeObject, machinery: JsonObject | undefined): Result<KubeObject> {
  if (machinery === undefined) return success(object)
  const spec = object['spec'] ?? {}
  if (!isJsonObject(spec)) return failure('RenderFailed', `${template.origin}: spec must be an object`, { path: 'spec' })
  return success({ ...object, spec: { ...spec, ...machinery } })
}

/** B4, B28, B32. Only references that are there are touched: no reference, no secret. */
function renderSecretRef(object: KubeObject, { name, secret }: RenderOptions): KubeObject {
  const ref = isJsonObject(object['spec']) ? secretRefOf(object['spec']) : undefined
  if (ref === undefined) return object
  if (secret === undefined) return withConnectionSecretRef(object, ref)
  const resolved = { ...ref, name: ref.name ?? secret.defaultName ?? name }
  const taken = secret.taken?.name === resolved.name && secret.taken.namespace === resolved.namespace
  return withConnectionSecretRef(object, taken ? { ...resolved, name } : resolved)
}

import {
  formatGroupKind,
  getOwn,
  type GroupVersionKind,
  isJsonObject,
  type JsonObject,
  type KubeObject,
  parseGroupVersion,
} from '@weft/api'
import { deleteField, type FieldPath, parseFieldPath, readField, writeField } from '@weft/composition'
import { ExternalError, type ManagedResource, specOf, UnresolvedReferenceError } from '@weft/provider-sdk'
import { isSecret, objectAt, textAt } from './manifest.ts'

/** An object of this control plane. */
export interface Target {
  readonly kind: GroupVersionKind
  readonly namespace: string | undefined
  readonly name: string
}

/** One of `spec.references`: what must be there first, and which field of it goes where in the manifest. */
export interface Reference extends Target {
  /** `spec.references[0]`, for messages. */
  readonly where: string
  readonly patch?: { readonly from: FieldPath; readonly to: FieldPath }
}

/** Reads objects of this control plane, with the rights that the author of the Object has been given for that. */
export type ReadTarget = (target: Target) => Promise<KubeObject | undefined>

export interface Resolved {
  readonly manifest: KubeObject
  readonly found: readonly { readonly target: Target; readonly object: KubeObject }[]
  /** Where values of Secrets went. */
  readonly hidden: readonly FieldPath[]
}

/** Throws ExternalError `Invalid`. What is in a namespace refers to that namespace only: its author need have no right in any other. */
export function referencesOf(resource: ManagedResource): readonly Reference[] {
  const listed = getOwn(specOf(resource), 'references')
  if (!Array.isArray(listed)) return []
  return listed.flatMap((entry, i) => (isJsonObject(entry) ? referenceOf(resource, entry, `spec.references[${i}]`) : []))
}

function referenceOf(resource: ManagedResource, entry: JsonObject, where: string): Reference[] {
  const source = objectAt(entry, 'patchesFrom')
  const given = source ?? objectAt(entry, 'dependsOn')
  if (given === undefined) return []
  const name = textAt(given, 'name')
  if (name === undefined) throw invalid(`${where}: name is not set`)
  const home = resource.metadata.namespace
  const namespace = textAt(given, 'namespace') ?? home
  if (home !== undefined && namespace !== home)
    throw invalid(`${where}: this Object is in namespace ${home}, and can refer to nothing in namespace ${namespace ?? ''}`)
  const apiVersion = textAt(given, 'apiVersion') ?? resource.apiVersion
  const target = { kind: { ...parseGroupVersion(apiVersion), kind: textAt(given, 'kind') ?? 'Object' }, namespace, name, where }
  if (source === undefined) return [target]
  const from = pathOf(textAt(source, 'fieldPath') ?? '', `${where}.patchesFrom.fieldPath`)
  const to = textAt(entry, 'toFieldPath')
  const patch = { from, to: to === undefined ? from : pathOf(to, `${where}.toFieldPath`) }
  mustKeepIdentity(patch.to, where)
  return [{ ...target, patch }]
}

function pathOf(text: string, where: string): FieldPath {
  const path = parseFieldPath(text)
  if (!path.ok) throw invalid(`${where}: ${path.error.message}`)
  return path.value
}

/** Which object it is must be known before anything is read, and after what was referred to is gone: it could not be deleted otherwise. */
function mustKeepIdentity({ segments, text }: FieldPath, where: string): void {
  const [first, then] = segments
  const decides =
    first === 'apiVersion' || first === 'kind' || (first === 'metadata' && [undefined, 'name', 'namespace'].includes(then as string))
  if (decides)
    throw invalid(
      `${where}: ${text} decides which object this is, and cannot come from a reference: write it into spec.forProvider.manifest`,
    )
}

/** The manifest with what it takes from others. Throws UnresolvedReferenceError while something is missing. */
export async function resolveManifest(resource: ManagedResource, manifest: KubeObject, read: ReadTarget): Promise<Resolved> {
  let patched = manifest
  const found: { target: Target; object: KubeObject }[] = []
  const hidden: FieldPath[] = []
  for (const reference of referencesOf(resource)) {
    const { kind, namespace, name, where, patch } = reference
    const called = `${formatGroupKind(kind)} ${namespace === undefined ? '' : `${namespace}/`}${name}`
    const object = await read(reference)
    // Of other Objects it is known when they come; for everything else back-off has to do.
    if (object === undefined)
      throw new UnresolvedReferenceError(
        'NotFound',
        `${where}: there is no ${called} yet`,
        isObject(resource, kind) ? { kinds: [{ group: kind.group, kind: kind.kind }], name, namespace } : undefined,
      )
    found.push({ target: reference, object })
    if (patch === undefined) continue
    const value = readField(object, patch.from)
    if (!value.ok || value.value === undefined)
      throw new UnresolvedReferenceError('NotFound', `${where}: ${called} has no field ${patch.from.text} yet`)
    const written = writeField(patched, patch.to, value.value)
    if (!written.ok) throw invalid(`${where}: ${patch.to.text} cannot be written: ${written.error.message}`)
    patched = written.value
    if (isSecret(kind)) hidden.push(patch.to)
  }
  return { manifest: patched, found, hidden }
}

/** Is it a kind of our own, in the scope of the one that refers to it? */
export const isObject = (resource: ManagedResource, { group, kind }: GroupVersionKind): boolean =>
  kind === 'Object' && group === parseGroupVersion(resource.apiVersion).group

/** What is shown of an object must not tell what came from a Secret. */
export function without(shown: JsonObject, hidden: readonly FieldPath[]): JsonObject {
  let left = shown
  for (const path of hidden) {
    const next = deleteField(left, path)
    if (next.ok) left = next.value
  }
  return left
}

const invalid = (message: string): ExternalError => new ExternalError('Invalid', message)

import { isJsonObject, type KubeObject, type ObjectMeta, type OwnerReference } from '@weft/api'
import { COMPOSITE_LABEL, controllerOf, RESOURCE_NAME } from '@weft/composition'
import type { State } from '@weft/functions'
import { controllerReference } from '../connection/control.ts'
import type { XrScope } from '../xrd/xrd.ts'
import { ComposeError } from './compose-error.ts'
import type { ResourceRef } from './machinery.ts'
import { childName, isValidName } from './names.ts'
import { desiredMetadata } from './desired-metadata.ts'
import type { XrEvent } from './xr-event.ts'

export const CLAIM_NAME_LABEL = 'crossplane.io/claim-name'
export const CLAIM_NAMESPACE_LABEL = 'crossplane.io/claim-namespace'

/** What exists, by resource name. */
export type Observed = ReadonlyMap<string, KubeObject>

/** A composed resource that is wanted. */
export interface Wanted {
  readonly resourceName: string
  readonly object: KubeObject
  readonly ready: boolean
}

/** What is to be done: what goes, what is written down, what is applied. In that order. */
export interface CompositionPlan {
  readonly wanted: readonly Wanted[]
  /** No longer wanted, as found and without the labels that tie them to the composite. */
  readonly collected: readonly { readonly observed: KubeObject; readonly unlabelled: KubeObject }[]
  readonly refs: readonly ResourceRef[]
  readonly events: readonly XrEvent[]
}

export interface PlanInput {
  readonly xr: KubeObject
  readonly scope: XrScope
  readonly observed: Observed
  readonly desired: State
  /** Whether a kind is namespaced; undefined: nobody knows. Only asked in a namespace. */
  readonly isNamespaced: (object: { readonly apiVersion: string; readonly kind: string }) => boolean | undefined
}

/** Turns what functions want into what is to be done. Pure; throws a ComposeError where nothing may be done at all. */
export function planComposition(input: PlanInput): CompositionPlan {
  const { xr, observed, desired } = input
  const events: XrEvent[] = []
  const wanted = Object.entries(desired.resources ?? {})
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([resourceName, { resource, ready }]): Wanted => {
      const given = { apiVersion: '', kind: '', ...resource, metadata: isJsonObject(resource?.['metadata']) ? resource['metadata'] : {} }
      const object = settle(given as KubeObject, resourceName, input, events)
      return { resourceName, object, ready: ready === 'READY_TRUE' }
    })
  mustNotShare(wanted, xr)
  const names = new Set(wanted.map(({ resourceName }) => resourceName))
  const collected = [...observed]
    .filter(([resourceName]) => !names.has(resourceName))
    .map(([, object]) => {
      mustBeOurs(object, xr)
      return { observed: object, unlabelled: unlabelled(object) }
    })
  return { wanted, collected, refs: refsTo(wanted, input.xr), events }
}

function settle(given: KubeObject, resourceName: string, input: PlanInput, events: XrEvent[]): KubeObject {
  const { xr, observed } = input
  const existing = observed.get(resourceName)
  const metadata: Record<string, unknown> = desiredMetadata(given)
  // K60: what exists keeps its name; a name from a function is for what does not exist yet.
  if (existing !== undefined)
    for (const key of ['name', 'namespace', 'generateName'] as const) {
      if (existing.metadata[key] === undefined) delete metadata[key]
      else metadata[key] = existing.metadata[key]
    }
  placeIn(given, metadata, resourceName, input, events)
  const meta = metadata as ObjectMeta
  const composite = xr.metadata.labels?.[COMPOSITE_LABEL] ?? ''
  if (!meta.name && !meta.generateName) metadata['generateName'] = `${composite}-`
  metadata['labels'] = { ...meta.labels, ...labelsOf(xr) }
  metadata['annotations'] = { ...meta.annotations, [RESOURCE_NAME]: resourceName }
  metadata['ownerReferences'] = withController(meta, xr, resourceName)
  const name = meta.name || childName(meta.generateName ?? '', xr.metadata.uid ?? '', resourceName)
  metadata['name'] = name
  if (!isValidName(given, name))
    throw new ComposeError(
      `cannot apply composed resource "${resourceName}" because it has an invalid name "${name}". Must be a valid RFC 1123 subdomain name.`,
    )
  return { ...given, metadata: metadata as ObjectMeta }
}

/** K61: what a namespaced composite composes is in its namespace, whatever a function says. */
function placeIn(given: KubeObject, metadata: Record<string, unknown>, resourceName: string, input: PlanInput, events: XrEvent[]): void {
  const { namespace } = input.xr.metadata
  if (namespace === undefined) return
  const asked = metadata['namespace']
  const isNamespaced = input.isNamespaced(given)
  if (isNamespaced === false)
    throw new ComposeError(
      `cannot apply cluster scoped composed resource "${resourceName}" (a ${given.kind} named ${String(metadata['name'] ?? '')}) for a namespaced composite resource.`,
    )
  if (asked !== undefined && asked !== '' && asked !== namespace)
    events.push({
      type: 'Warning',
      reason: 'NamespaceOverridden',
      message: `cannot create composed resource "${resourceName}" in namespace "${String(asked)}", using XR namespace "${namespace}" instead`,
    })
  metadata['namespace'] = namespace
}

function labelsOf({ metadata: { labels = {} } }: KubeObject): Readonly<Record<string, string>> {
  const [name, namespace] = [labels[CLAIM_NAME_LABEL], labels[CLAIM_NAMESPACE_LABEL]]
  return {
    [COMPOSITE_LABEL]: labels[COMPOSITE_LABEL] ?? '',
    ...(name && namespace && { [CLAIM_NAME_LABEL]: name, [CLAIM_NAMESPACE_LABEL]: namespace }),
  }
}

function withController(
  { name = '', ownerReferences: owners = [] }: ObjectMeta,
  xr: KubeObject,
  resourceName: string,
): readonly OwnerReference[] {
  const own = controllerReference(xr)
  const first = owners.find(({ controller }) => controller === true)
  if (first !== undefined && first.uid !== own.uid)
    throw new ComposeError(
      `cannot render metadata for composed resource "${resourceName}": cannot set controller reference: ${name} is already controlled by ${first.kind} ${first.name} (UID ${first.uid})`,
    )
  const at = owners.findIndex(({ uid }) => uid === own.uid)
  return at === -1 ? [...owners, own] : owners.with(at, own)
}

/** Two resource names that stand for one object would overwrite each other for ever. */
function mustNotShare(wanted: readonly Wanted[], xr: KubeObject): void {
  const seen = new Map<string, string>()
  for (const { resourceName, object } of wanted) {
    const { namespace = xr.metadata.namespace ?? '', name = '' } = object.metadata
    const key = `${object.apiVersion}/${object.kind}/${namespace}/${name}`
    const other = seen.get(key)
    if (other !== undefined)
      throw new ComposeError(
        `composed resources "${other}" and "${resourceName}" are both ${object.kind} "${name}": give them different names`,
      )
    seen.set(key, resourceName)
  }
}

function mustBeOurs(object: KubeObject, xr: KubeObject): void {
  const controller = controllerOf(object)
  if (controller !== undefined && controller.uid !== xr.metadata.uid)
    throw new ComposeError(
      `cannot garbage collect composed resource ${object.kind} "${object.metadata.name ?? ''}": it is controlled by another object`,
    )
}

function unlabelled(object: KubeObject): KubeObject {
  const { labels } = object.metadata
  if (labels === undefined) return object
  const { [COMPOSITE_LABEL]: _composite, [CLAIM_NAME_LABEL]: _name, [CLAIM_NAMESPACE_LABEL]: _namespace, ...kept } = labels
  return { ...object, metadata: { ...object.metadata, labels: kept } }
}

/** K67: in the order of apiVersion, kind, name and namespace, one after the other. What a composite in a namespace composes is in it, too. */
function refsTo(wanted: readonly Wanted[], xr: KubeObject): readonly ResourceRef[] {
  const refs = wanted.map(({ object: { apiVersion, kind, metadata } }): ResourceRef => ({
    ...(apiVersion !== '' && { apiVersion }),
    ...(kind !== '' && { kind }),
    name: metadata.name ?? '',
    ...(!xr.metadata.namespace && metadata.namespace && { namespace: metadata.namespace }),
  }))
  const key = ({ apiVersion = '', kind = '', name = '', namespace = '' }: ResourceRef): string => apiVersion + kind + name + namespace
  return refs.sort((a, b) => (key(a) < key(b) ? -1 : 1))
}

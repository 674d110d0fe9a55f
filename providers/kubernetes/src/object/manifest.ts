import {
  formatGroupKind,
  getOwn,
  type GroupVersionKind,
  gvkOf,
  isJsonObject,
  type JsonObject,
  type KubeObject,
  parseGroupVersion,
} from '@weft/api'
import { ExternalError, externalName, type ManagedResource, specOf } from '@weft/provider-sdk'
import type { Propagation } from '../cluster/cluster.ts'

/** The object that an Object is about: its kind, where it is, and what it should be like. */
export interface Wanted {
  readonly kind: GroupVersionKind
  readonly name: string
  readonly namespace: string | undefined
  /** With its name; without what only a server may say. */
  readonly manifest: KubeObject
}

/** What an API server keeps for itself: applied, it would be refused or owned. */
const SERVER_FIELDS: ReadonlySet<string> = new Set([
  'creationTimestamp',
  'deletionGracePeriodSeconds',
  'deletionTimestamp',
  'generateName',
  'generation',
  'managedFields',
  'resourceVersion',
  'selfLink',
  'uid',
])

/** Throws ExternalError `Invalid` where the manifest is no object that could be asked for. */
export function wantedOf(resource: ManagedResource): Wanted {
  const given = manifestIn(resource)
  const apiVersion = textAt(given, 'apiVersion')
  const kind = textAt(given, 'kind')
  if (given === undefined || apiVersion === undefined || kind === undefined)
    throw invalid('spec.forProvider.manifest must be an object with apiVersion, kind and metadata')
  const metadata = objectAt(given, 'metadata') ?? {}
  const name = textAt(metadata, 'name') ?? externalName(resource)
  const namespace = textAt(metadata, 'namespace')
  for (const [field, part] of [
    ['name', name],
    ['namespace', namespace],
  ])
    if (part !== undefined && !isPathSegment(part))
      throw invalid(`spec.forProvider.manifest.metadata.${field ?? ''}: ${JSON.stringify(part)} is not a name`)
  const kept = Object.fromEntries(Object.entries(metadata).filter(([field]) => !SERVER_FIELDS.has(field)))
  const manifest = { ...given, apiVersion, kind, metadata: { ...kept, name } } as KubeObject
  return { kind: gvkOf(manifest), name, namespace, manifest }
}

/**
 * What tells the object from every other on its cluster. The version does not count: all versions of a kind are views of the same
 * object. Never throws.
 */
export function objectIdentity(resource: KubeObject): string | undefined {
  const given = manifestIn(resource)
  const metadata = given && objectAt(given, 'metadata')
  const apiVersion = textAt(given, 'apiVersion')
  const kind = textAt(given, 'kind')
  if (apiVersion === undefined || kind === undefined) return undefined
  const name = textAt(metadata, 'name') ?? externalName(resource)
  const { group } = parseGroupVersion(apiVersion)
  return [formatGroupKind({ group, kind }), textAt(metadata, 'namespace') ?? '', name].join('/')
}

const PROPAGATIONS: readonly Propagation[] = ['Orphan', 'Background', 'Foreground']

export function propagationOf(resource: ManagedResource): Propagation {
  const given = objectAt(specOf(resource), 'forProvider')?.['deletionPropagationPolicy']
  return PROPAGATIONS.find((each) => each === given) ?? 'Background'
}

/** Values of Secrets are nobody's business but the cluster's. */
export const isSecret = ({ group, kind }: GroupVersionKind): boolean => group === '' && kind === 'Secret'

function manifestIn(resource: KubeObject): JsonObject | undefined {
  const forProvider = objectAt(specOf(resource), 'forProvider')
  return forProvider && objectAt(forProvider, 'manifest')
}

/** It becomes part of an address. */
const isPathSegment = (text: string): boolean => !/[/%\\\p{Cc}]/u.test(text) && text !== '.' && text !== '..'

export const objectAt = (holder: JsonObject, key: string): JsonObject | undefined => {
  const value = getOwn(holder, key)
  return isJsonObject(value) ? value : undefined
}

export const textAt = (holder: JsonObject | undefined, key: string): string | undefined => {
  const value = holder === undefined ? undefined : getOwn(holder, key)
  return typeof value === 'string' && value !== '' ? value : undefined
}

const invalid = (message: string): ExternalError => new ExternalError('Invalid', message)

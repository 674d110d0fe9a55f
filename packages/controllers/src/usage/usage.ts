import { goQuote, type KubeObject, parseGroupVersion } from '@weft/api'
import { defineKind, type StaticKind } from '@weft/client'
import { DEFINITION_GROUP } from '../definition/kinds.ts'

/** One end of a usage, as its author wrote it: nothing here is trusted. */
export interface UsageEnd {
  readonly apiVersion?: string
  readonly kind?: string
  readonly resourceRef?: { readonly name?: string; readonly namespace?: string }
  readonly resourceSelector?: {
    readonly matchLabels?: Readonly<Record<string, string>>
    readonly matchControllerRef?: boolean
    readonly namespace?: string
  }
}

/** Usage, ClusterUsage, or the older Usage (K137). */
export interface Usage extends KubeObject {
  readonly spec: { readonly of: UsageEnd; readonly by?: UsageEnd; readonly reason?: string; readonly replayDeletion?: boolean }
}

const PROTECTION_GROUP = 'protection.crossplane.io'

export const usageKind: StaticKind<Usage> = defineKind({
  group: PROTECTION_GROUP,
  version: 'v1beta1',
  kind: 'Usage',
  plural: 'usages',
  namespaced: true,
})
export const clusterUsageKind: StaticKind<Usage> = defineKind({
  group: PROTECTION_GROUP,
  version: 'v1beta1',
  kind: 'ClusterUsage',
  plural: 'clusterusages',
  namespaced: false,
})
/** Crossplane's name for it, kept apart by its group. */
export const legacyUsageKind: StaticKind<Usage> = defineKind({
  group: DEFINITION_GROUP,
  version: 'v1beta1',
  kind: 'Usage',
  plural: 'usages',
  namespaced: false,
})

export const USAGE_KINDS: readonly StaticKind<Usage>[] = [usageKind, clusterUsageKind, legacyUsageKind]

/** On what is in use: only objects that have it cost a question when they are deleted. */
export const IN_USE = 'crossplane.io/in-use'
/** On what somebody tried to delete meanwhile: how. */
export const DELETION_ATTEMPT = 'usage.crossplane.io/deletion-attempt-with-policy'
const POLICIES = ['Background', 'Foreground', 'Orphan'] as const
export type Propagation = (typeof POLICIES)[number]

/** Somebody may have written anything there. */
export const attemptOn = ({ metadata }: KubeObject): Propagation | undefined =>
  POLICIES.find((policy) => policy === metadata.annotations?.[DELETION_ATTEMPT])

/** K143: an object, whatever version it is asked for in. */
const keyOf = (apiVersion: string, kind: string, namespace: string, name: string): string =>
  [parseGroupVersion(apiVersion).group, kind, name, namespace].join('/')

export const objectKey = ({ apiVersion, kind, metadata: { name = '', namespace = '' } }: KubeObject): string =>
  keyOf(apiVersion, kind, namespace, name)

/** Where the used object is: where the usage says, else with the usage. */
export const namespaceOfUsed = ({ spec, metadata }: Usage): string => spec.of.resourceRef?.namespace ?? metadata.namespace ?? ''

/** The object that a usage protects; undefined while it has not chosen one. */
export function usedKey(usage: Usage): string | undefined {
  const { apiVersion = '', kind = '', resourceRef } = usage.spec.of
  return resourceRef?.name ? keyOf(apiVersion, kind, namespaceOfUsed(usage), resourceRef.name) : undefined
}

/** The objects that matter to a usage: a using one is with it, or in no namespace. */
export function concernedKeys(usage: Usage): readonly string[] {
  const { by } = usage.spec
  const used = usedKey(usage)
  const using = by?.resourceRef?.name
  const places = new Set([usage.metadata.namespace ?? '', ''])
  return [
    ...(used === undefined ? [] : [used]),
    ...(using ? [...places].map((namespace) => keyOf(by?.apiVersion ?? '', by?.kind ?? '', namespace, using)) : []),
  ]
}

/** K141: what whoever deletes an object in use is told, in Crossplane's words. */
export function inUseMessage(usage: Usage, count: number): string {
  const { name = '', namespace } = usage.metadata
  const { by, reason } = usage.spec
  const which = `*v1beta1.${usage.kind} ${goQuote(name)}${namespace === undefined ? '' : ` (in namespace ${goQuote(namespace)})`}`
  const why = by ? ` by resource ${by.kind ?? ''}/${by.resourceRef?.name ?? ''}` : reason ? ` with reason: ${goQuote(reason)}` : ''
  return `This resource is in-use by ${count} usage(s), including the ${which}${why}.`
}

/** K140: the annotation that lists show. */
export function detailsOf({ spec: { of, by, reason } }: Usage): string {
  if (reason) return reason
  if (!by) return 'undefined'
  const { name = '', namespace } = of.resourceRef ?? {}
  return `${by.kind ?? ''}/${by.resourceRef?.name ?? ''} uses ${of.kind ?? ''}/${name}${namespace ? ` in namespace ${namespace}` : ''}`
}

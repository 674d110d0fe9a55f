import { createHash } from 'node:crypto'
import { type GroupVersionKind, isJsonObject, type JsonObject, type KubeObject, parseGroupVersion } from '@weft/api'
import type { ObjectRef } from '@weft/client'
import { type ManagedResource, specOf } from '@weft/provider-sdk'
import { objectAt, textAt } from '../object/manifest.ts'

/** The label of each Object of a collection; its value is the collection's name. */
export const MEMBERSHIP = 'kubernetes.crossplane.io/owned-by-collection'

export const criteriaOf = (collection: ManagedResource): JsonObject => objectAt(specOf(collection), 'observeObjects') ?? {}

export function observedKindOf(collection: ManagedResource): GroupVersionKind {
  const criteria = criteriaOf(collection)
  return { ...parseGroupVersion(textAt(criteria, 'apiVersion') ?? ''), kind: textAt(criteria, 'kind') ?? '' }
}

/** The Object for one object on the cluster, under a name that is the same each time. It may look, and nothing else. */
export function memberOf(collection: ManagedResource, { name, namespace }: ObjectRef, objects: GroupVersionKind): KubeObject {
  const criteria = criteriaOf(collection)
  const template = objectAt(objectAt(specOf(collection), 'objectTemplate') ?? {}, 'metadata') ?? {}
  const { name: owner = '', namespace: home, uid = '' } = collection.metadata
  const { group, kind } = observedKindOf(collection)
  const digest = createHash('sha256')
    .update(JSON.stringify([group, kind, namespace ?? '', name]))
    .digest('hex')
  return {
    apiVersion: `${objects.group}/${objects.version}`,
    kind: objects.kind,
    metadata: {
      name: `${owner}-${digest.slice(0, 12)}`,
      ...(home !== undefined && { namespace: home }),
      labels: { ...textsOf(template['labels']), [MEMBERSHIP]: owner },
      annotations: textsOf(template['annotations']),
      ownerReferences: [{ apiVersion: collection.apiVersion, kind: collection.kind, name: owner, uid }],
    },
    spec: {
      managementPolicies: ['Observe'],
      providerConfigRef: objectAt(specOf(collection), 'providerConfigRef') ?? { name: 'default' },
      forProvider: {
        manifest: { apiVersion: criteria['apiVersion'], kind, metadata: { name, ...(namespace !== undefined && { namespace }) } },
      },
    },
  }
}

const textsOf = (value: unknown): Record<string, string> =>
  isJsonObject(value)
    ? Object.fromEntries(Object.entries(value).flatMap(([key, text]) => (typeof text === 'string' ? [[key, text] as const] : [])))
    : {}

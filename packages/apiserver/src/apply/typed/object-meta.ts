import type { Schema } from '@weft/api'

const text: Schema = { type: 'string' }
const texts: Schema = { type: 'object', additionalProperties: text }
const time: Schema = { type: 'string', format: 'date-time' }
const count: Schema = { type: 'integer', format: 'int64' }

/** How Kubernetes' ObjectMeta is owned: labels and annotations one by one, finalizers as a set, owner references by uid. */
export const objectMetaSchema: Schema = {
  type: 'object',
  properties: {
    annotations: texts,
    creationTimestamp: time,
    deletionGracePeriodSeconds: count,
    deletionTimestamp: time,
    finalizers: { type: 'array', items: text, 'x-kubernetes-list-type': 'set', 'x-kubernetes-patch-strategy': 'merge' },
    generateName: text,
    generation: count,
    labels: texts,
    managedFields: { type: 'array', items: { type: 'object' }, 'x-kubernetes-list-type': 'atomic' },
    name: text,
    namespace: text,
    ownerReferences: {
      type: 'array',
      items: {
        type: 'object',
        required: ['apiVersion', 'kind', 'name', 'uid'],
        properties: {
          apiVersion: text,
          blockOwnerDeletion: { type: 'boolean' },
          controller: { type: 'boolean' },
          kind: text,
          name: text,
          uid: text,
        },
        'x-kubernetes-map-type': 'atomic',
      },
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['uid'],
      'x-kubernetes-patch-strategy': 'merge',
      'x-kubernetes-patch-merge-key': 'uid',
    },
    resourceVersion: text,
    selfLink: text,
    uid: text,
  },
}

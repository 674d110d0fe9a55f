import type { Schema } from '../schema.ts'
import {
  bindingPhase,
  conditionColumn,
  defineKind,
  type KindDefinition,
  labelSelector,
  object,
  open,
  type PrinterColumn,
  reference,
  statusOf,
} from './definition.ts'

/** The claim kinds that come with Weft. Any other namespaced kind with these fields is a claim too (F2). */
export const claimFields: Readonly<Record<string, Schema>> = {
  classRef: reference(
    'The class to provision from. Set automatically when a selector or the default class is used.',
    'apiVersion',
    'kind',
    'name',
    'uid',
  ),
  classSelector: labelSelector('Selects a class by its labels.'),
  resourceRef: reference('The resource that this claim is bound to, or will be bound to.', 'apiVersion', 'kind', 'name', 'uid'),
  writeConnectionSecretToRef: reference('The secret for the connection details, in the namespace of the claim.', 'name'),
}

const columns: readonly PrinterColumn[] = [
  conditionColumn('Ready'),
  conditionColumn('Synced'),
  { name: 'Phase', type: 'string', jsonPath: '.status.bindingPhase' },
  { name: 'Class-Kind', type: 'string', jsonPath: '.spec.classRef.kind' },
  { name: 'Class-Name', type: 'string', jsonPath: '.spec.classRef.name' },
  { name: 'Resource-Kind', type: 'string', jsonPath: '.spec.resourceRef.kind', priority: 1 },
  { name: 'Resource-Name', type: 'string', jsonPath: '.spec.resourceRef.name', priority: 1 },
]

const claim = (
  group: string,
  kind: string,
  plural: string,
  description: string,
  versions: readonly string[] = ['v1alpha1'],
): KindDefinition =>
  defineKind({
    group,
    kind,
    plural,
    versions,
    scope: 'Namespaced',
    categories: ['crossplane', 'claim'],
    columns,
    schema: {
      description,
      properties: {
        spec: open(object('The desired state. Fields that are not listed are passed to the class.', claimFields)),
        status: statusOf({ bindingPhase }),
      },
    },
  })

export const claimDefinitions: readonly KindDefinition[] = [
  claim('database.crossplane.io', 'MySQLInstance', 'mysqlinstances', 'A claim for a MySQL database.'),
  claim('database.crossplane.io', 'PostgreSQLInstance', 'postgresqlinstances', 'A claim for a PostgreSQL database.'),
  claim('cache.crossplane.io', 'RedisCluster', 'redisclusters', 'A claim for a Redis cache.'),
  claim('compute.crossplane.io', 'KubernetesCluster', 'kubernetesclusters', 'A claim for a Kubernetes cluster.', ['v1alpha1', 'v1beta1']),
  claim('storage.crossplane.io', 'Bucket', 'buckets', 'A claim for an object storage bucket.'),
]

import type { Condition, KubeObject, OwnerReference } from '@weft/api'
import { defineKind, type StaticKind } from './kind.ts'

/** Weft's claims, classes and groups, typed. Definitions and packages are typed by the controllers that keep them. */

/** What a reference to an object of any kind holds; `uid` is set once the object is known to exist. */
export type TypedReference = Pick<OwnerReference, 'apiVersion' | 'kind' | 'name'> & { readonly uid?: string }

export type BindingPhase = 'Unbindable' | 'Unbound' | 'Bound' | 'Released'

export interface BindingStatus {
  readonly bindingPhase?: BindingPhase
  readonly conditions?: readonly Condition[]
}

interface MatchLabels {
  readonly matchLabels?: Readonly<Record<string, string>>
}

/** A claim of any kind (F2). Fields that are not listed are handed to the class. */
export interface Claim extends KubeObject {
  readonly spec?: {
    readonly classRef?: TypedReference
    readonly classSelector?: MatchLabels
    readonly resourceRef?: TypedReference
    readonly writeConnectionSecretToRef?: { readonly name: string }
    readonly [field: string]: unknown
  }
  readonly status?: BindingStatus
}

export type ReclaimPolicy = 'Delete' | 'Retain'

export interface AggregateResourceClass extends KubeObject {
  readonly aggregationRule?: { readonly classSelector?: MatchLabels }
  readonly specTemplate?: { readonly writeConnectionSecretsToNamespace?: string; readonly reclaimPolicy?: ReclaimPolicy }
}

/** One template of a class: what is made, and how it differs from claim to claim. */
export interface ClassTemplate {
  readonly base: KubeObject
  readonly patches?: readonly Readonly<Record<string, unknown>>[]
}

interface ClaimedKind {
  readonly claim: { readonly apiVersion: string; readonly kind: string }
}

export interface ResourceClass extends KubeObject {
  readonly spec: ClaimedKind & { readonly resource: ClassTemplate }
}

export interface CompositeResourceClass extends KubeObject {
  readonly spec: ClaimedKind & { readonly resources: readonly ClassTemplate[] }
}

/** A member as its group knows it. */
export type GroupMember = TypedReference & { readonly bindingPhase?: BindingPhase }

interface GroupSpec {
  readonly claimRef?: TypedReference & { readonly namespace?: string }
  readonly classRef?: TypedReference
}

export interface AggregateResource extends KubeObject {
  readonly spec?: GroupSpec & {
    readonly aggregationRule?: { readonly resourceSelector?: MatchLabels }
    readonly writeConnectionSecretsToRef?: { readonly namespace: string; readonly name: string }
    readonly reclaimPolicy?: ReclaimPolicy
  }
  readonly status?: BindingStatus & { readonly aggregatedResources?: readonly GroupMember[] }
}

export interface CompositeResource extends KubeObject {
  readonly spec?: GroupSpec & { readonly resourceSelector?: MatchLabels }
  readonly status?: BindingStatus & { readonly resources?: readonly GroupMember[] }
}

const claimKind = (group: string, kind: string): StaticKind<Claim> =>
  defineKind({ group, version: 'v1alpha1', kind, plural: `${kind.toLowerCase()}s`, namespaced: true })

const clusterKind = <T extends KubeObject>(group: string, kind: string, plural: string): StaticKind<T> =>
  defineKind({ group, version: 'v1alpha1', kind, plural, namespaced: false })

export const mySQLInstanceKind: StaticKind<Claim> = claimKind('database.crossplane.io', 'MySQLInstance')
export const postgreSQLInstanceKind: StaticKind<Claim> = claimKind('database.crossplane.io', 'PostgreSQLInstance')
export const redisClusterKind: StaticKind<Claim> = claimKind('cache.crossplane.io', 'RedisCluster')
export const kubernetesClusterKind: StaticKind<Claim> = claimKind('compute.crossplane.io', 'KubernetesCluster')
export const bucketKind: StaticKind<Claim> = claimKind('storage.crossplane.io', 'Bucket')

export const aggregateResourceClassKind: StaticKind<AggregateResourceClass> = clusterKind(
  'aggregation.crossplane.io',
  'AggregateResourceClass',
  'aggregateresourceclasses',
)
export const aggregateResourceKind: StaticKind<AggregateResource> = clusterKind(
  'aggregation.crossplane.io',
  'AggregateResource',
  'aggregateresources',
)
export const resourceClassKind: StaticKind<ResourceClass> = clusterKind('infrastructure.crossplane.io', 'ResourceClass', 'resourceclasses')
export const compositeResourceClassKind: StaticKind<CompositeResourceClass> = clusterKind(
  'infrastructure.crossplane.io',
  'CompositeResourceClass',
  'compositeresourceclasses',
)
export const compositeResourceKind: StaticKind<CompositeResource> = clusterKind(
  'core.crossplane.io',
  'CompositeResource',
  'compositeresources',
)

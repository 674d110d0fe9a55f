import type { Condition, KubeObject } from '@weft/api'
import { defineKind, type StaticKind } from './kind.ts'

/** Kinds of Kubernetes itself that controllers use all the time, typed as far as they use them. */
export interface Secret extends KubeObject {
  readonly type?: string
  readonly immutable?: boolean
  /** Base64. */
  readonly data?: Readonly<Record<string, string>>
  readonly stringData?: Readonly<Record<string, string>>
}

export interface ConfigMap extends KubeObject {
  readonly data?: Readonly<Record<string, string>>
  readonly binaryData?: Readonly<Record<string, string>>
  readonly immutable?: boolean
}

export interface Namespace extends KubeObject {
  readonly spec?: { readonly finalizers?: readonly string[] }
  readonly status?: { readonly phase?: 'Active' | 'Terminating'; readonly conditions?: readonly Condition[] }
}

export interface Lease extends KubeObject {
  readonly spec?: {
    readonly holderIdentity?: string
    readonly leaseDurationSeconds?: number
    readonly acquireTime?: string
    readonly renewTime?: string
    readonly leaseTransitions?: number
  }
}

export interface ObjectReference {
  readonly apiVersion?: string
  readonly kind?: string
  readonly namespace?: string
  readonly name?: string
  readonly uid?: string
  readonly resourceVersion?: string
  readonly fieldPath?: string
}

export interface CoreEvent extends KubeObject {
  readonly involvedObject: ObjectReference
  readonly reason?: string
  readonly message?: string
  readonly type?: 'Normal' | 'Warning'
  readonly count?: number
  readonly firstTimestamp?: string
  readonly lastTimestamp?: string
  readonly source?: { readonly component?: string; readonly host?: string }
  readonly reportingComponent?: string
  readonly reportingInstance?: string
}

export interface CustomResourceDefinition extends KubeObject {
  readonly spec: {
    readonly group: string
    readonly scope: 'Namespaced' | 'Cluster'
    readonly names: {
      readonly kind: string
      readonly plural: string
      readonly singular?: string
      readonly listKind?: string
      readonly categories?: readonly string[]
    }
    readonly versions: readonly {
      readonly name: string
      readonly served: boolean
      readonly storage: boolean
      readonly [field: string]: unknown
    }[]
  }
  readonly status?: { readonly conditions?: readonly Condition[] }
}

const core = { group: '', version: 'v1' }

export const secretKind: StaticKind<Secret> = defineKind({ ...core, kind: 'Secret', plural: 'secrets', namespaced: true })
export const configMapKind: StaticKind<ConfigMap> = defineKind({ ...core, kind: 'ConfigMap', plural: 'configmaps', namespaced: true })
export const namespaceKind: StaticKind<Namespace> = defineKind({ ...core, kind: 'Namespace', plural: 'namespaces', namespaced: false })
export const eventKind: StaticKind<CoreEvent> = defineKind({ ...core, kind: 'Event', plural: 'events', namespaced: true })
export const leaseKind: StaticKind<Lease> = defineKind({
  group: 'coordination.k8s.io',
  version: 'v1',
  kind: 'Lease',
  plural: 'leases',
  namespaced: true,
})
export const customResourceDefinitionKind: StaticKind<CustomResourceDefinition> = defineKind({
  group: 'apiextensions.k8s.io',
  version: 'v1',
  kind: 'CustomResourceDefinition',
  plural: 'customresourcedefinitions',
  namespaced: false,
})

import { type Condition, type KubeObject, withMeta } from '@weft/api'
import { defineKind, type StaticKind } from '@weft/client'

/** The definition kinds, typed as far as their controllers read them. Every field is as a user wrote it: nothing here is trusted. */
export const DEFINITION_GROUP = 'apiextensions.crossplane.io'

export interface Conditioned extends KubeObject {
  readonly status?: { readonly conditions?: readonly Condition[] }
}

export interface ManagedResourceDefinition extends Conditioned {
  readonly spec: {
    readonly group: string
    readonly names: Readonly<Record<string, unknown>>
    readonly scope?: 'Cluster' | 'Namespaced'
    readonly versions?: unknown
    readonly connectionDetails?: readonly { readonly name: string; readonly description?: string }[]
    readonly state?: 'Active' | 'Inactive'
    readonly [field: string]: unknown
  }
}

export interface ManagedResourceActivationPolicy extends Conditioned {
  readonly spec: { readonly activate: readonly string[] }
  readonly status?: { readonly conditions?: readonly Condition[]; readonly activated?: readonly string[]; readonly activatedCount?: number }
}

/** The kind that a definition of seed 002 defines. */
export interface CrdSpecTemplate {
  readonly group: string
  readonly version: string
  readonly names: Readonly<Record<string, unknown>> & {
    readonly kind: string
    readonly plural: string
    readonly singular?: string
    readonly listKind?: string
  }
  readonly validation?: { readonly openAPIV3Schema?: unknown }
  readonly [field: string]: unknown
}

/** ApplicationDefinition or InfrastructureDefinition. */
export interface CompositeDefinition extends Conditioned {
  readonly spec: {
    readonly crdSpecTemplate: CrdSpecTemplate
    readonly serviceAccountRef?: { readonly namespace?: string; readonly name?: string }
    readonly defaultComposition?: { readonly name?: string }
    readonly forceComposition?: { readonly name?: string }
    /** C16; infrastructure only. */
    readonly connectionDetails?: readonly string[]
  }
}

export interface InfrastructurePublication extends Conditioned {
  readonly spec: { readonly infrastructureDefinitionReference: { readonly name: string } }
}

const kindOf = <T extends KubeObject>(kind: string, plural: string): StaticKind<T> =>
  defineKind({ group: DEFINITION_GROUP, version: 'v1alpha1', kind, plural, namespaced: false })

export const managedResourceDefinitionKind: StaticKind<ManagedResourceDefinition> = {
  ...kindOf<ManagedResourceDefinition>('ManagedResourceDefinition', 'managedresourcedefinitions'),
  remembered: withoutSchemas,
}

/**
 * A kind that is not active costs nothing (M3): of thousands that a provider brings along, memory holds the names, not the schemas. Nothing reads
 * those before the kind is activated, and then the whole definition arrives.
 */
function withoutSchemas(definition: ManagedResourceDefinition): ManagedResourceDefinition {
  if (definition.spec.state === 'Active') return definition
  const { versions: _schemas, ...spec } = definition.spec
  return { ...withMeta(definition, { managedFields: undefined }), spec }
}

export const activationPolicyKind: StaticKind<ManagedResourceActivationPolicy> = kindOf(
  'ManagedResourceActivationPolicy',
  'managedresourceactivationpolicies',
)
export const applicationDefinitionKind: StaticKind<CompositeDefinition> = kindOf('ApplicationDefinition', 'applicationdefinitions')
export const infrastructureDefinitionKind: StaticKind<CompositeDefinition> = kindOf('InfrastructureDefinition', 'infrastructuredefinitions')
export const infrastructurePublicationKind: StaticKind<InfrastructurePublication> = kindOf(
  'InfrastructurePublication',
  'infrastructurepublications',
)
export const compositionKind: StaticKind = kindOf('Composition', 'compositions')

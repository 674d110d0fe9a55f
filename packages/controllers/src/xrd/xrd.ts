import type { KubeObject, Schema } from '@weft/api'
import { defineKind, type StaticKind } from '@weft/client'
import { type Conditioned, DEFINITION_GROUP } from '../definition/kinds.ts'

/** `LegacyCluster`: cluster scoped, with machinery right under spec, claims and connection secrets. The others keep it under `spec.crossplane`. */
export type XrScope = 'LegacyCluster' | 'Namespaced' | 'Cluster'

export interface XrdNames {
  readonly kind: string
  readonly plural: string
  readonly singular?: string
  readonly listKind?: string
  readonly shortNames?: readonly string[]
  readonly categories?: readonly string[]
}

export interface XrdVersion {
  readonly name: string
  readonly referenceable: boolean
  readonly served: boolean
  readonly deprecated?: boolean
  readonly deprecationWarning?: string
  readonly schema?: { readonly openAPIV3Schema?: Schema }
  readonly additionalPrinterColumns?: readonly object[]
  readonly subresources?: { readonly scale?: object }
}

/** A reference by name alone. */
export interface Named {
  readonly name: string
}

/** Crossplane's CompositeResourceDefinition, under either version: nothing converts it (K1). */
export interface CompositeResourceDefinition extends Conditioned {
  readonly spec: {
    readonly group: string
    readonly names: XrdNames
    readonly claimNames?: XrdNames
    readonly scope?: XrScope
    readonly connectionSecretKeys?: readonly string[]
    readonly defaultCompositeDeletePolicy?: 'Background' | 'Foreground'
    readonly defaultCompositionRef?: Named
    readonly enforcedCompositionRef?: Named
    readonly defaultCompositionUpdatePolicy?: 'Automatic' | 'Manual'
    readonly defaultCompositionRevisionSelector?: { readonly matchLabels?: Readonly<Record<string, string>> }
    readonly versions: readonly XrdVersion[]
    readonly conversion?: object
    readonly metadata?: { readonly labels?: Readonly<Record<string, string>>; readonly annotations?: Readonly<Record<string, string>> }
  }
}

/** Read and written as v1, which serves every scope. */
export const compositeResourceDefinitionKind: StaticKind<CompositeResourceDefinition> = defineKind({
  group: DEFINITION_GROUP,
  version: 'v1',
  kind: 'CompositeResourceDefinition',
  plural: 'compositeresourcedefinitions',
  namespaced: false,
})

/** K3: what the schema fills in; one that was never stored may lack it. */
export const scopeOf = ({ apiVersion, spec }: CompositeResourceDefinition): XrScope =>
  spec.scope ?? (apiVersion.endsWith('/v2') ? 'Namespaced' : 'LegacyCluster')

/** The version that Compositions refer to: if several say so, the last (K11). */
export const referenceable = ({ spec }: Pick<CompositeResourceDefinition, 'spec'>): XrdVersion | undefined =>
  spec.versions.findLast((version) => version.referenceable)

export const offersClaim = ({ spec }: CompositeResourceDefinition): boolean => spec.claimNames !== undefined

/** K31: the name of the claim's CustomResourceDefinition. */
export const claimCrdName = ({ spec }: CompositeResourceDefinition): string => `${spec.claimNames?.plural ?? ''}.${spec.group}`

export const isXrd = (object: KubeObject): object is CompositeResourceDefinition =>
  object.kind === 'CompositeResourceDefinition' && object.apiVersion.startsWith(`${DEFINITION_GROUP}/`)

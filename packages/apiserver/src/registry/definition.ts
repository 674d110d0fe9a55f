import type { Condition, KubeObject, Schema } from '@weft/api'

/** `apiextensions.k8s.io/v1 CustomResourceDefinition`, as far as the server reads it. Validated when it was written. */
export interface CustomResourceDefinition extends KubeObject {
  readonly spec: DefinitionSpec
  readonly status?: DefinitionStatus
}

export interface DefinitionSpec {
  readonly group: string
  readonly names: DefinitionNames
  readonly scope: 'Cluster' | 'Namespaced'
  readonly versions: readonly DefinitionVersion[]
  readonly conversion?: { readonly strategy: 'None' | 'Webhook'; readonly webhook?: ConversionWebhookConfig }
}

export interface DefinitionNames {
  readonly plural: string
  readonly singular?: string
  readonly shortNames?: readonly string[]
  readonly kind: string
  readonly listKind?: string
  readonly categories?: readonly string[]
}

export interface DefinitionVersion {
  readonly name: string
  readonly served: boolean
  readonly storage: boolean
  readonly deprecated?: boolean
  readonly deprecationWarning?: string
  readonly schema?: { readonly openAPIV3Schema?: Schema }
  readonly subresources?: { readonly status?: object; readonly scale?: { specReplicasPath: string; statusReplicasPath: string; labelSelectorPath?: string } }
  readonly additionalPrinterColumns?: readonly PrinterColumn[]
  readonly selectableFields?: readonly { readonly jsonPath: string }[]
}

export interface PrinterColumn {
  readonly name: string
  readonly type: string
  readonly format?: string
  readonly description?: string
  readonly priority?: number
  readonly jsonPath: string
}

export interface ConversionWebhookConfig {
  readonly clientConfig?: WebhookClientConfig
  readonly conversionReviewVersions: readonly string[]
}

export interface WebhookClientConfig {
  readonly url?: string
  readonly caBundle?: string
  readonly service?: { readonly namespace: string; readonly name: string; readonly path?: string; readonly port?: number }
}

export interface DefinitionStatus {
  readonly conditions?: readonly Condition[]
  readonly acceptedNames?: DefinitionNames
  readonly storedVersions?: readonly string[]
}

export const CRD_GROUP = 'apiextensions.k8s.io'
export const CRD_PLURAL = 'customresourcedefinitions'

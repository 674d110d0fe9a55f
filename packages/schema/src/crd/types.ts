import type { Condition, KubeObject, Schema } from '@weft/api'

/** `apiextensions.k8s.io/v1 CustomResourceDefinition`. */
export interface CustomResourceDefinition extends KubeObject {
  readonly spec: CrdSpec
  readonly status?: CrdStatus
}

export interface CrdSpec {
  readonly group: string
  readonly names: CrdNames
  readonly scope: string
  readonly versions: readonly CrdVersion[]
  readonly conversion?: CrdConversion
  readonly preserveUnknownFields?: boolean
}

export interface CrdNames {
  readonly plural: string
  readonly singular?: string
  readonly shortNames?: readonly string[]
  readonly kind: string
  readonly listKind?: string
  readonly categories?: readonly string[]
}

export interface CrdVersion {
  readonly name: string
  readonly served: boolean
  readonly storage: boolean
  readonly deprecated?: boolean
  readonly deprecationWarning?: string
  readonly schema?: CrdValidation
  readonly subresources?: CrdSubresources
  readonly additionalPrinterColumns?: readonly PrinterColumn[]
  readonly selectableFields?: readonly SelectableField[]
}

export interface CrdValidation {
  readonly openAPIV3Schema?: Schema
}

export interface CrdSubresources {
  readonly status?: object
  readonly scale?: ScaleSubresource
}

export interface ScaleSubresource {
  readonly specReplicasPath: string
  readonly statusReplicasPath: string
  readonly labelSelectorPath?: string
}

export interface PrinterColumn {
  readonly name: string
  readonly type: string
  readonly format?: string
  readonly description?: string
  readonly priority?: number
  readonly jsonPath: string
}

export interface SelectableField {
  readonly jsonPath: string
}

export interface CrdConversion {
  readonly strategy: string
  readonly webhook?: {
    readonly clientConfig?: WebhookClientConfig
    readonly conversionReviewVersions: readonly string[]
  }
}

export interface WebhookClientConfig {
  readonly url?: string
  readonly service?: ServiceReference
  /** Base64 of PEM. */
  readonly caBundle?: string
}

export interface ServiceReference {
  readonly namespace: string
  readonly name: string
  readonly path?: string
  readonly port?: number
}

export interface CrdStatus {
  readonly conditions?: readonly Condition[]
  readonly acceptedNames?: CrdNames
  readonly storedVersions?: readonly string[]
  readonly observedGeneration?: number
}

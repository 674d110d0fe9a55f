import type { Type } from '../value/type.ts'

/**
 * What a provider says of itself: the configuration it takes and the types of resources it manages. Protocols 5 and 6 are made one; what
 * only 6 has (attributes with a nested type) is absent in 5.
 */
export interface ProviderSchema {
  readonly protocol: 5 | 6
  /** The provider's own configuration. */
  readonly provider: Schema
  /** Present: requests about resources carry an object of this shape, which we leave empty. */
  readonly providerMeta?: Schema | undefined
  readonly resources: ReadonlyMap<string, Schema>
  readonly dataSources: ReadonlyMap<string, Schema>
  /** By type of resource; types without an identity have none. */
  readonly identities: ReadonlyMap<string, IdentitySchema>
  readonly capabilities: ServerCapabilities
}

export interface ServerCapabilities {
  /** A deletion is planned too, before it is applied. */
  readonly planDestroy: boolean
  /** False: each new process must be asked for its schema once before anything else. */
  readonly schemaOptional: boolean
  readonly moveResourceState: boolean
}

export interface Schema {
  /** Version of the form of stored states, not of an API. */
  readonly version: number
  readonly block: Block
}

export interface Block {
  readonly attributes: ReadonlyMap<string, Attribute>
  readonly blocks: ReadonlyMap<string, NestedBlock>
  readonly description: string
  readonly descriptionKind: DescriptionKind
  readonly deprecated: boolean
  readonly deprecationMessage: string
}

export type DescriptionKind = 'plain' | 'markdown'

export interface Attribute {
  readonly name: string
  /** Of its value; that of `nested`, where there is one. */
  readonly type: Type
  readonly nested?: NestedType | undefined
  readonly description: string
  readonly descriptionKind: DescriptionKind
  /** Must be configured. Never with `optional` or `computed`. */
  readonly required: boolean
  readonly optional: boolean
  /** Alone: only the provider sets it. With `optional`: the provider decides where nothing is configured. */
  readonly computed: boolean
  readonly sensitive: boolean
  /** In the configuration only, null in every state. */
  readonly writeOnly: boolean
  readonly deprecated: boolean
  readonly deprecationMessage: string
}

/** The attributes inside an attribute, each with flags of its own. */
export interface NestedType {
  readonly nesting: 'single' | 'list' | 'set' | 'map'
  readonly attributes: ReadonlyMap<string, Attribute>
}

export interface NestedBlock {
  readonly name: string
  /** `group` is a `single` that is always there. */
  readonly nesting: Nesting
  readonly block: Block
  readonly minItems: number
  /** 0: no limit. */
  readonly maxItems: number
}

export type Nesting = 'single' | 'group' | 'list' | 'set' | 'map'

export interface IdentitySchema {
  readonly version: number
  readonly attributes: ReadonlyMap<string, IdentityAttribute>
}

export interface IdentityAttribute {
  readonly name: string
  readonly type: Type
  readonly requiredForImport: boolean
  readonly optionalForImport: boolean
  readonly description: string
}

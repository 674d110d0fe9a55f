import type { GroupKind } from '@weft/api'

/**
 * A provider's schema as users of a kind see it: each field with the name that it has in the API and the name that the provider gave it, and what
 * it is for. Kinds are rendered from it and values are translated by it, so that both always agree.
 */
export interface Field {
  /** The provider's name: `vpc_id`. */
  readonly name: string
  /** The API's name: `vpcId`. */
  readonly field: string
  readonly input: 'none' | 'optional' | 'required'
  /** The field that takes the value from a Secret; where there is one, the value cannot be given itself. */
  readonly secretField?: string | undefined
  /** Where what the provider answers is shown: sensitive values only as connection details. */
  readonly output: 'none' | 'status' | 'connection'
  readonly form: Form
  /** What is sent where nothing was given: null for attributes, nothing in it for blocks. */
  readonly absent: 'null' | 'empty'
  readonly description: string
  readonly deprecated: boolean
  /** Of what may be given: where it is not, the provider decides. */
  readonly computed?: boolean | undefined
  /** The value may be taken from other objects. */
  readonly reference?: Reference | undefined
}

/** A field that objects of other kinds can fill: `vpcId` by `vpcIdRef` or `vpcIdSelector`. */
export interface Reference {
  readonly refField: string
  readonly selectorField: string
  readonly many: boolean
  readonly kinds: readonly GroupKind[]
  /** The field of `status.atProvider` that the value is. */
  readonly attribute: string
}

export type Form =
  | { readonly kind: 'string' | 'number' | 'bool' }
  /** Any JSON: its type goes along with it. */
  | { readonly kind: 'dynamic' }
  | {
      readonly kind: 'list' | 'set'
      readonly element: Form
      readonly minItems: number
      /** 0: no limit. */
      readonly maxItems: number
      readonly untyped: boolean
    }
  | { readonly kind: 'map'; readonly element: Form; readonly untyped: boolean }
  | { readonly kind: 'tuple'; readonly elements: readonly Form[] }
  | { readonly kind: 'object'; readonly fields: readonly Field[] }
  /** A block that occurs at most once is an object to users, and a collection of one to the provider. */
  | { readonly kind: 'only'; readonly of: 'list' | 'set'; readonly element: Form; readonly untyped: boolean }

/** A type of a provider as a kind. */
export interface KindShape {
  readonly fields: readonly Field[]
  readonly description: string
  readonly deprecated: boolean
}

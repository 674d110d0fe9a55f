import type { GroupKind, JsonValue } from '@weft/api'

/** A row of the binding table: this claim kind may be satisfied through this class kind by this managed kind. */
export interface Binding {
  readonly name: string
  readonly claim: GroupKind
  readonly class: GroupKind
  readonly managed: GroupKind & { readonly version: string }
  /** Supporting kinds are bound through an aggregate only and never make a class eligible for a claim (A12). */
  readonly type: 'Direct' | 'Supporting'
  readonly fieldMappings: readonly FieldMapping[]
}

export interface FieldMapping {
  readonly fromFieldPath: string
  readonly toFieldPath: string
  readonly transforms: readonly JsonValue[]
  readonly conflict: 'KeepClass' | 'UseClaim'
}

export interface Reference {
  readonly name: string
  readonly field: string
  /** Absent: the field means the same in every kind. */
  readonly from?: GroupKind
  readonly targets: readonly GroupKind[]
}

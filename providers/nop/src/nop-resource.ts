import type { Condition } from '@weft/api'
import type { ManagedResource } from '@weft/provider-sdk'

/** `nop.crossplane.io/v1alpha1 NopResource`, as far as the controller looks. */
export interface NopResource extends ManagedResource {
  readonly spec?: ManagedResource['spec'] & {
    readonly forProvider?: {
      readonly conditionAfter?: readonly ConditionAfter[]
      readonly connectionDetails?: readonly ConnectionDetail[]
      readonly fields?: Readonly<Record<string, never>>
    }
  }
}

export type ConditionAfter = {
  readonly time: string
  readonly conditionType: string
  readonly conditionStatus: Condition['status']
  readonly conditionReason?: string
  readonly conditionMessage?: string
}

export type ConnectionDetail = {
  readonly name: string
  readonly value: string
}

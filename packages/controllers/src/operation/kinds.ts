import type { Condition, KubeObject } from '@weft/api'
import { defineKind, type StaticKind } from '@weft/client'
import { conditionOf } from '@weft/composition'
import type { Struct } from '@weft/functions'
import type { PipelineStep } from '../xr/pipeline.ts'

const GROUP = 'ops.crossplane.io'

export interface OperationSpec {
  readonly pipeline?: readonly PipelineStep[]
  readonly retryLimit?: number
}

export interface AppliedRef {
  readonly apiVersion: string
  readonly kind: string
  readonly name: string
  readonly namespace?: string
}

export interface Operation extends KubeObject {
  readonly spec: OperationSpec
  readonly status?: {
    readonly conditions?: readonly Condition[]
    readonly failures?: number
    readonly pipeline?: readonly { readonly step: string; readonly output?: Struct }[]
    readonly appliedResourceRefs?: readonly AppliedRef[]
  }
}

/** What all that make operations say of those. */
interface OperationMakerSpec {
  readonly concurrencyPolicy?: 'Allow' | 'Forbid' | 'Replace'
  readonly successfulHistoryLimit?: number
  readonly failedHistoryLimit?: number
  readonly operationTemplate: { readonly metadata?: KubeObject['metadata']; readonly spec: OperationSpec }
}

export interface OperationMaker extends KubeObject {
  readonly spec: OperationMakerSpec
  readonly status?: { readonly conditions?: readonly Condition[]; readonly lastScheduleTime?: string; readonly lastSuccessfulTime?: string }
}

export interface CronOperation extends OperationMaker {
  readonly spec: OperationMakerSpec & { readonly schedule: string; readonly startingDeadlineSeconds?: number }
}

export interface WatchOperation extends OperationMaker {
  readonly spec: OperationMakerSpec & {
    readonly watch: {
      readonly apiVersion: string
      readonly kind: string
      readonly matchLabels?: Readonly<Record<string, string>>
      readonly namespace?: string
    }
  }
}

const kindOf = <T extends KubeObject>(kind: string, plural: string): StaticKind<T> =>
  defineKind({ group: GROUP, version: 'v1alpha1', kind, plural, namespaced: false })

export const operationKind: StaticKind<Operation> = kindOf('Operation', 'operations')
export const cronOperationKind: StaticKind<CronOperation> = kindOf('CronOperation', 'cronoperations')
export const watchOperationKind: StaticKind<WatchOperation> = kindOf('WatchOperation', 'watchoperations')

/** On operations that were made for something that is watched: by which WatchOperation. */
export const WATCH_LABEL = 'ops.crossplane.io/watchoperation'
/** On operations that the clock made: by which CronOperation. */
export const CRON_LABEL = 'ops.crossplane.io/cronoperation'

/** Whether it went through. Unknown: it runs, or has not begun. */
export const succeeded = (operation: Operation): Condition | undefined => conditionOf(operation, 'Succeeded')
export const isOver = (operation: Operation): boolean => ['True', 'False'].includes(succeeded(operation)?.status ?? '')

import { formatGroupVersion, type Labels } from '@weft/api'
import { conditionOf } from '@weft/composition'
import { type Operation, operationKind, type OperationMaker, type OperationSpec, succeeded } from './kinds.ts'

/** What the status of whoever makes operations says of them. */
export interface OperationFields {
  readonly lastScheduleTime?: string
  readonly lastSuccessfulTime?: string
  readonly runningOperationRefs: readonly { readonly name: string }[]
}

const latest = (times: readonly (string | undefined)[]): string | undefined =>
  times
    .filter((time) => time !== undefined)
    .sort()
    .at(-1)

/** An Operation by the maker's template, which it is controlled by. */
export function operationBy(
  { apiVersion, kind, metadata: { name = '', uid = '' }, spec: { operationTemplate } }: OperationMaker,
  {
    name: own,
    label,
    annotations,
    spec,
  }: { readonly name: string; readonly label: string; readonly annotations?: Labels; readonly spec: OperationSpec },
): Operation {
  const { labels, annotations: given } = operationTemplate.metadata ?? {}
  return {
    apiVersion: formatGroupVersion(operationKind),
    kind: operationKind.kind,
    metadata: {
      name: own,
      labels: { ...labels, [label]: name },
      ...((given ?? annotations) && { annotations: { ...given, ...annotations } }),
      ownerReferences: [{ apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: true }],
    },
    spec,
  }
}

/** What the operations that are there tell; what they no longer tell stays as it was told. */
export function statusFrom({ status }: OperationMaker, made: readonly Operation[]): OperationFields {
  const lastScheduleTime = latest(made.map(({ metadata }) => metadata.creationTimestamp)) ?? status?.lastScheduleTime
  const ended = made.filter((each) => succeeded(each)?.status === 'True').map((each) => succeeded(each)?.lastTransitionTime)
  const lastSuccessfulTime = latest(ended) ?? status?.lastSuccessfulTime
  const isRunning = (each: Operation): boolean => conditionOf(each, 'Succeeded')?.reason === 'PipelineRunning'
  return {
    ...(lastScheduleTime !== undefined && { lastScheduleTime }),
    ...(lastSuccessfulTime !== undefined && { lastSuccessfulTime }),
    runningOperationRefs: made
      .filter(isRunning)
      .map(({ metadata }) => ({ name: metadata.name ?? '' }))
      .sort((a, b) => (a.name < b.name ? -1 : 1)),
  }
}

/** Those that are over, but for the newest of each sort. */
export function garbageOf(made: readonly Operation[], keepSucceeded: number, keepFailed: number): readonly Operation[] {
  const newestFirst = [...made].sort((a, b) => ((a.metadata.creationTimestamp ?? '') < (b.metadata.creationTimestamp ?? '') ? 1 : -1))
  const over = (status: string): readonly Operation[] => newestFirst.filter((each) => succeeded(each)?.status === status)
  return [...over('True').slice(Math.max(keepSucceeded, 0)), ...over('False').slice(Math.max(keepFailed, 0))]
}

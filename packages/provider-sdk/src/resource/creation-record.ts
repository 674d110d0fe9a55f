import type { KubeObject } from '@weft/api'
import { CREATE_FAILED, CREATE_PENDING, CREATE_SUCCEEDED } from './annotations.ts'

/**
 * What is known about attempts to create the external resource, kept in annotations so that it survives a crash:
 * `pending` is written before a create is sent, `succeeded` or `failed` once its outcome is certain.
 */
export interface CreationRecord {
  readonly pendingAt: number | undefined
  readonly succeededAt: number | undefined
  readonly failedAt: number | undefined
  /** A create was sent and nobody knows what became of it. */
  readonly incomplete: boolean
}

export function creationRecordOf({ metadata }: KubeObject): CreationRecord {
  const pendingAt = timeOf(metadata.annotations?.[CREATE_PENDING])
  const succeededAt = timeOf(metadata.annotations?.[CREATE_SUCCEEDED])
  const failedAt = timeOf(metadata.annotations?.[CREATE_FAILED])
  const settledAt = Math.max(succeededAt ?? -Infinity, failedAt ?? -Infinity)
  return { pendingAt, succeededAt, failedAt, incomplete: pendingAt !== undefined && pendingAt > settledAt }
}

/**
 * Did the object create what there is under its name? Also when the answer to its create got lost: the name was its own by then, and nothing
 * was there before. An attempt that certainly failed created nothing, so what appears afterwards is somebody else's.
 */
export const wasCreated = ({ succeededAt, failedAt, incomplete }: CreationRecord): boolean =>
  incomplete || (succeededAt !== undefined && succeededAt > (failedAt ?? -Infinity))

/** The time to note for a step now: later than every step noted before, even when the clock was set back or the time is the same. */
export function nextStepTime(record: CreationRecord, now: number): string {
  const last = Math.max(record.pendingAt ?? 0, record.succeededAt ?? 0, record.failedAt ?? 0)
  return new Date(Math.max(now, last + 1)).toISOString()
}

function timeOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const time = Date.parse(text)
  return Number.isNaN(time) ? undefined : time
}

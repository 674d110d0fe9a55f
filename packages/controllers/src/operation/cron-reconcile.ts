import { type Condition, formatTime, hasReason, isPaused, messageOf, statusOf } from '@weft/api'
import type { Client } from '@weft/client'
import { controllerOf } from '@weft/composition'
import { done, type EventRecorder, type ReconcileContext, type Request, requeueAfter, type Result } from '@weft/runtime'
import { notSynced, synced } from '../binding/conditions.ts'
import { deleteLive } from '../binding/live-object.ts'
import { CORE_MANAGER } from '../definition/core-manager.ts'
import { paused, report, saying } from '../xr/conditions.ts'
import { garbageOf, operationBy, type OperationFields, statusFrom } from './history.ts'
import { CRON_LABEL, type CronOperation, isOver, type Operation, operationKind } from './kinds.ts'
import { parseSchedule, type Schedule } from './schedule.ts'

export interface CronReconcilerOptions {
  readonly events: EventRecorder
  readonly now: () => number
}

/** The longest that one timer waits. */
const LONGEST_MS = 3_600_000

/** What is said of a schedule. */
const ACTIVE: Condition = { type: 'Scheduling', status: 'True', reason: 'ScheduleActive' }
const PAUSED: Condition = { type: 'Scheduling', status: 'False', reason: 'SchedulePaused' }

/**
 * Makes Operations by the clock (K152). When the last was made is known from those that are there; the name of the next follows from its time, so that a
 * crash makes none twice. Of runs that were missed, the last is made up for, unless it is too late: an earlier one would be for ever.
 */
export class CronReconciler {
  readonly #options: CronReconcilerOptions

  constructor(options: CronReconcilerOptions) {
    this.#options = options
  }

  async reconcile(request: Request, context: ReconcileContext<CronOperation>): Promise<Result> {
    const given = context.primary.get(request)
    if (given === undefined || given.metadata.deletionTimestamp !== undefined) return done
    if (isPaused(given)) {
      await this.#report(given, {}, [PAUSED, paused()], context.client)
      return done
    }
    const made = context
      .cached(operationKind)
      .list()
      .filter((each) => each.metadata.labels?.[CRON_LABEL] === given.metadata.name && controllerOf(each)?.uid === given.metadata.uid)
    const fields = statusFrom(given, made)
    try {
      return await this.#schedule(given, made, fields, context.client)
    } catch (error) {
      if (context.signal.aborted || hasReason(error, 'Conflict')) throw error
      this.#options.events.warning(given, 'CreateOperation', messageOf(error))
      await this.#report(given, fields, [notSynced(messageOf(error))], context.client)
      throw error
    }
  }

  async #schedule(given: CronOperation, made: readonly Operation[], fields: OperationFields, client: Client): Promise<Result> {
    const { spec } = given
    for (const old of garbageOf(made, spec.successfulHistoryLimit ?? 3, spec.failedHistoryLimit ?? 1))
      await deleteLive(client, operationKind, old)
    let schedule: Schedule
    try {
      schedule = parseSchedule(spec.schedule)
    } catch (error) {
      const message = `cannot parse cron schedule ${JSON.stringify(spec.schedule)}: ${messageOf(error)}`
      this.#options.events.warning(given, 'InvalidSchedule', message)
      await this.#report(
        given,
        fields,
        [{ type: 'Scheduling', status: 'False', reason: 'ScheduleInvalid', message }, notSynced(message)],
        client,
      )
      return done
    }
    const now = this.#options.now()
    const since = Date.parse(fields.lastScheduleTime ?? given.metadata.creationTimestamp ?? formatTime(now))
    const due = schedule.last(since, now)
    const later = schedule.next(now)
    const wait = (until: number | undefined): Result =>
      until === undefined ? done : requeueAfter(Math.min(Math.max(until - now, 0), LONGEST_MS))
    const tell = (): Promise<void> => this.#report(given, fields, [ACTIVE, synced()], client)
    if (due === undefined) {
      await tell()
      return wait(schedule.next(since))
    }
    const { startingDeadlineSeconds: deadline, concurrencyPolicy = 'Allow' } = spec
    const running = made.filter((each) => !isOver(each))
    const isTooLate = deadline !== undefined && due + deadline * 1000 < now
    if (isTooLate || (running.length > 0 && concurrencyPolicy === 'Forbid')) {
      await tell()
      return wait(later)
    }
    if (concurrencyPolicy === 'Replace') for (const each of running) await deleteLive(client, operationKind, each)
    await this.#create(operationOf(given, due), client)
    await tell()
    return wait(later)
  }

  /** One of that name that this made already was made for the same time. */
  async #create(operation: Operation, client: Client): Promise<void> {
    try {
      await client.create(operation, { fieldManager: CORE_MANAGER })
    } catch (error) {
      if (!hasReason(error, 'AlreadyExists')) throw error
      const existing = await client.find(operationKind, { name: operation.metadata.name ?? '' })
      if (existing !== undefined && controllerOf(existing)?.uid !== controllerOf(operation)?.uid)
        throw new Error(`cannot create scheduled Operation "${operation.metadata.name ?? ''}": another one with that name exists`, {
          cause: error,
        })
    }
  }

  async #report(given: CronOperation, fields: Partial<OperationFields>, conditions: readonly Condition[], client: Client): Promise<void> {
    const told = saying(given, this.#options.now(), ...conditions)
    await report(client, given, { ...told, status: { ...statusOf(told), ...fields } })
  }
}

const operationOf = (given: CronOperation, scheduledMs: number): Operation =>
  operationBy(given, {
    name: `${given.metadata.name ?? ''}-${Math.floor(scheduledMs / 1000)}`,
    label: CRON_LABEL,
    spec: given.spec.operationTemplate.spec,
  })

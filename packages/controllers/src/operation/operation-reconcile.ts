import { type Condition, gvkOf, hasReason, isJsonObject, type KubeObject, messageOf } from '@weft/api'
import { type Client, NoMatchError } from '@weft/client'
import type { FunctionRunner } from '@weft/functions'
import { done, type EventRecorder, type ReconcileContext, type Request, type Result } from '@weft/runtime'
import { notSynced, synced } from '../binding/conditions.ts'
import type { KindIndex } from '../composite/kind-index.ts'
import { saying } from '../xr/conditions.ts'
import { LiveRequirements } from '../xr/live-requirements.ts'
import { CORE_MANAGER } from '../definition/core-manager.ts'
import { type PipelineResult, runPipeline, stepsOf } from '../xr/pipeline.ts'
import { isOver, type Operation, operationKind } from './kinds.ts'
import { OperationProgress } from './operation-progress.ts'

const DEFAULT_RETRY_LIMIT = 5

export interface OperationReconcilerOptions {
  readonly runner: FunctionRunner
  readonly index: KindIndex
  readonly events: EventRecorder
  readonly now: () => number
  /** Why a function may not be used in operations; undefined: it may. */
  readonly unfit: (functionName: string) => string | undefined
}

/**
 * Runs an Operation to its end, once (K150, K151). Outcomes:
 *
 * - its functions answered and what they want was applied: Succeeded=True, and it is never run again.
 * - something failed: counted, told, and again after a growing delay, until the limit is reached: Succeeded=False, and never again.
 *
 * A crash in between runs it again: what it applies is the same for the same answers, under a field manager of its own.
 */
export class OperationReconciler {
  readonly #options: OperationReconcilerOptions

  constructor(options: OperationReconcilerOptions) {
    this.#options = options
  }

  async reconcile({ name }: Request, context: ReconcileContext<Operation>): Promise<Result> {
    const { client } = context
    const { events } = this.#options
    const given = await client.find(operationKind, { name })
    if (given === undefined || given.metadata.deletionTimestamp !== undefined || isOver(given)) return done
    const limit = given.spec.retryLimit ?? DEFAULT_RETRY_LIMIT
    if ((given.status?.failures ?? 0) >= limit) return this.#giveUp(given, limit, client)
    // Written each time: one that is not the latest is refused, and so never run twice at once.
    const running = await this.#report(given, {}, [{ type: 'Succeeded', status: 'Unknown', reason: 'PipelineRunning' }], client)
    const progress = new OperationProgress(running)
    try {
      return await this.#run(running, context, progress)
    } catch (error) {
      if (context.signal.aborted || hasReason(error, 'Conflict')) throw error
      const failures = (running.status?.failures ?? 0) + 1
      const message = messageOf(error)
      events.warning(running, error instanceof UnfitError ? 'InvalidPipeline' : 'FunctionInvocation', message)
      const unfit: Condition[] =
        error instanceof UnfitError ? [{ type: 'ValidPipeline', status: 'False', reason: 'MissingCapabilities', message }] : []
      const failed = await this.#report(running, { failures, ...progress.fields }, [notSynced(message), ...unfit], client)
      if (failures >= limit) return this.#giveUp(failed, limit, client)
      throw error
    }
  }

  async #run(operation: Operation, { client, signal }: ReconcileContext<Operation>, progress: OperationProgress): Promise<Result> {
    const { runner, index, unfit, events } = this.#options
    const steps = stepsOf(operation)
    for (const { functionRef } of steps) {
      const why = unfit(functionRef.name)
      if (why !== undefined) throw new UnfitError(`function capability check failed: ${why}`)
    }
    const world = new LiveRequirements(client, index)
    const result = await runPipeline({
      steps,
      runner,
      world,
      signal,
      cannotRun: (step) => `failed to invoke pipeline step "${step}"`,
      onStep: ({ step, events: said, output }) => {
        for (const { type, message } of said) events.record(operation, { type, reason: 'RunPipelineStep', message })
        if (output !== undefined) progress.answered(step, output)
      },
    })
    if (result.fatal !== undefined) throw new Error(result.fatal)
    await this.#apply(operation, result, client, progress)
    await this.#report(
      operation,
      progress.fields,
      [
        { type: 'ValidPipeline', status: 'True', reason: 'ValidPipeline' },
        synced(),
        { type: 'Succeeded', status: 'True', reason: 'PipelineSuccess' },
      ],
      client,
    )
    return done
  }

  /** Nobody owns what is applied, and nothing is ever taken back. */
  async #apply(operation: Operation, { desired }: PipelineResult, client: Client, progress: OperationProgress): Promise<void> {
    const options = { fieldManager: `ops.crossplane.io/operation/${operation.metadata.uid ?? ''}`, force: true }
    for (const [resourceName, { resource }] of Object.entries(desired.resources ?? {}).sort(([a], [b]) => (a < b ? -1 : 1))) {
      const object = { apiVersion: '', kind: '', ...resource, metadata: isJsonObject(resource?.['metadata']) ? resource['metadata'] : {} }
      const { name = '', namespace } = (object as KubeObject).metadata
      const fail = (why: string, cause?: unknown): never => {
        throw new Error(`cannot apply desired resource "${resourceName}": ${why}`, { cause })
      }
      if (name === '') fail('it has no name')
      try {
        await client.patch(gvkOf(object), { name, namespace }, { type: 'apply', body: object as KubeObject }, options)
      } catch (error) {
        fail(error instanceof NoMatchError ? `nothing serves ${object.kind} of ${object.apiVersion}` : messageOf(error), error)
      }
      progress.applied({ apiVersion: object.apiVersion, kind: object.kind, name, ...(namespace !== undefined && { namespace }) })
    }
  }

  async #giveUp(operation: Operation, limit: number, client: Client): Promise<Result> {
    const message = `failure limit of ${limit} reached`
    await this.#report(operation, {}, [synced(), { type: 'Succeeded', status: 'False', reason: 'PipelineError', message }], client)
    return done
  }

  #report(
    operation: Operation,
    fields: NonNullable<Operation['status']>,
    conditions: readonly Condition[],
    client: Client,
  ): Promise<Operation> {
    const told = saying(operation, this.#options.now(), ...conditions)
    return client.updateStatus(
      { ...told, status: { ...told.status, ...fields } },
      {
        fieldManager: CORE_MANAGER,
      },
    )
  }
}

/** A function that is not for operations. */
class UnfitError extends Error {}

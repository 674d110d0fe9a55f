import type { Condition } from '@weft/api'
import { type EventObject, lastSeen, latestFirst } from '../live/events.ts'
import type { CompositionStep } from '../../world/composition-steps.ts'

/** What became of one step of a composite's pipeline when it was last looked at. */
export interface StepOutcome {
  readonly name: string
  /** Absent where the Composition is not known. */
  readonly fn?: string | undefined
  /** `unknown`: nobody has said yet. */
  readonly state: 'ran' | 'failed' | 'not reached' | 'unknown'
  /** Of one that failed. */
  readonly why?: string
  readonly results: readonly StepResult[]
}

/** What a function said, as an event tells it; the latest first. */
export interface StepResult {
  readonly id: string
  readonly severity: 'normal' | 'warning'
  readonly message: string
  readonly times: number
  readonly at: string | undefined
}

export interface PipelineOutcome {
  readonly steps: readonly StepOutcome[]
  /** Every step ran, and what they want could not be carried out. */
  readonly after?: string
}

const FAILED = /pipeline step "([^"]*)"(?: returned a fatal result)?:? (.*)$/s
const RESULT = /^Pipeline step "([^"]*)"(?: returned a result of unknown severity \(assuming warning\))?: (.*)$/s
const MOST_RESULTS = 10

/** From what the composite and its events say. `known`: the steps of its Composition; without them, those that are spoken of. */
export function pipelineOutcome(
  known: readonly CompositionStep[] | undefined,
  conditions: readonly Condition[],
  events: readonly EventObject[],
): PipelineOutcome {
  const synced = conditions.find(({ type }) => type === 'Synced')
  const message = synced?.status === 'False' ? (synced.message ?? '') : ''
  const [, failedStep, why = ''] = FAILED.exec(message) ?? []
  const results = resultsByStep(events)
  const names = known?.map(({ name }) => name) ?? [...new Set([...results.keys(), ...(failedStep === undefined ? [] : [failedStep])])]
  const failedAt = failedStep === undefined ? -1 : names.indexOf(failedStep)
  const wentThrough = synced?.status === 'True' || (synced?.status === 'False' && failedAt < 0 && synced.reason === 'ReconcileError')
  const stateAt = (i: number): StepOutcome['state'] => {
    if (failedAt >= 0) return i < failedAt ? 'ran' : i === failedAt ? 'failed' : 'not reached'
    return wentThrough ? 'ran' : 'unknown'
  }
  const steps = names.map((name, i): StepOutcome => ({
    name,
    fn: known?.[i]?.fn,
    // Without the Composition nobody knows the order.
    state: known === undefined && name !== failedStep ? (failedStep === undefined && wentThrough ? 'ran' : 'unknown') : stateAt(i),
    ...(name === failedStep && { why }),
    results: results.get(name) ?? [],
  }))
  return { steps, ...(message !== '' && failedStep === undefined && { after: message }) }
}

function resultsByStep(events: readonly EventObject[]): ReadonlyMap<string, readonly StepResult[]> {
  const byStep = new Map<string, StepResult[]>()
  for (const event of events.toSorted(latestFirst)) {
    const [, step, message = ''] = RESULT.exec(event.message ?? event.note ?? '') ?? []
    if (step === undefined) continue
    const results = byStep.get(step) ?? []
    byStep.set(step, results)
    if (results.length < MOST_RESULTS)
      results.push({
        id: event.metadata.uid ?? event.metadata.name ?? '',
        severity: event.type === 'Warning' ? 'warning' : 'normal',
        message,
        times: event.series?.count ?? event.count ?? 1,
        at: lastSeen(event),
      })
  }
  return byStep
}

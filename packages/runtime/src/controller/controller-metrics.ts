import type { Metrics } from '@weft/api'
import type { QueueStats } from '../queue/work-queue.ts'

export type ReconcileOutcome = 'done' | 'requeue' | 'error' | 'terminal' | 'aborted'

/** What is measured of one controller. */
export interface ControllerMetrics {
  started(waitedMs: number): void
  ended(outcome: ReconcileOutcome, tookMs: number): void
  /** Drops the controller's series. */
  remove(): void
}

/** From milliseconds to minutes: what reconciles take. */
const SECONDS: readonly number[] = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60]

export function controllerMetrics(metrics: Metrics, controller: string, stats: () => QueueStats): ControllerMetrics {
  const total = metrics.counter('weft_reconcile_total', 'Completed reconciles, by result.', 'controller', 'result')
  const errors = metrics.counter('weft_reconcile_errors_total', 'Failed reconciles.', 'controller')
  const took = metrics.histogram('weft_reconcile_seconds', 'How long reconciles took.', SECONDS, 'controller')
  const waited = metrics.histogram(
    'weft_queue_wait_seconds',
    'How long objects waited for a worker once they were due.',
    SECONDS,
    'controller',
  )
  const depth = metrics.gauge('weft_queue_depth', 'Objects waiting for a worker.', 'controller')
  const delayed = metrics.gauge('weft_queue_delayed', 'Objects waiting until they are due.', 'controller')
  const active = metrics.gauge('weft_reconcile_active', 'Running reconciles.', 'controller')
  const stopCollecting = metrics.onRender(() => {
    const now = stats()
    depth.cell(controller).set(now.ready)
    delayed.cell(controller).set(now.delayed)
    active.cell(controller).set(now.working)
  })
  return {
    started: (waitedMs) => waited.cell(controller).observe(waitedMs / 1000),
    ended(outcome, tookMs) {
      total.cell(controller, outcome).add()
      if (outcome === 'error' || outcome === 'terminal') errors.cell(controller).add()
      took.cell(controller).observe(tookMs / 1000)
    },
    remove() {
      stopCollecting()
      metrics.remove('controller', controller)
    },
  }
}

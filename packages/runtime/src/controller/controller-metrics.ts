import type { Counter, Gauge, Histogram, MetricsRegistry } from '../metrics/metrics.ts'
import type { QueueStats } from '../queue/work-queue.ts'

export type ReconcileOutcome = 'done' | 'requeue' | 'error' | 'terminal' | 'aborted'

/** What is measured of one controller. */
export interface ControllerMetrics {
  started(waitedMs: number): void
  ended(outcome: ReconcileOutcome, tookMs: number): void
  /** Drops the controller's series. */
  remove(): void
}

export function controllerMetrics(registry: MetricsRegistry, controller: string, stats: () => QueueStats): ControllerMetrics {
  const labels = { controller }
  const total: Counter = registry.counter('weft_reconcile_total', 'Reconciles that ended, by result.')
  const errors: Counter = registry.counter('weft_reconcile_errors_total', 'Reconciles that failed.')
  const took: Histogram = registry.histogram('weft_reconcile_seconds', 'How long reconciles took.')
  const waited: Histogram = registry.histogram('weft_queue_wait_seconds', 'How long objects waited for a worker once they were due.')
  const depth: Gauge = registry.gauge('weft_queue_depth', 'Objects that wait for a worker.')
  const delayed: Gauge = registry.gauge('weft_queue_delayed', 'Objects that wait for their time.')
  const active: Gauge = registry.gauge('weft_reconcile_active', 'Reconciles that are running.')
  const stopCollecting = registry.onRender(() => {
    const now = stats()
    depth.set(labels, now.ready)
    delayed.set(labels, now.delayed)
    active.set(labels, now.working)
  })
  return {
    started: (waitedMs) => waited.observe(labels, waitedMs / 1000),
    ended(outcome, tookMs) {
      total.add({ controller, result: outcome })
      if (outcome === 'error' || outcome === 'terminal') errors.add(labels)
      took.observe(labels, tookMs / 1000)
    },
    remove() {
      stopCollecting()
      registry.remove('controller', controller)
    },
  }
}

import { Metrics } from '@weft/api'
import { createSharedInformers, formatScope, type SharedInformers, systemClock } from '@weft/client'
import { createControllerEngine } from '../engine/controller-engine.ts'
import { createEventRecorder } from '../events/create-event-recorder.ts'
import type { EventRecorder } from '../events/event-recorder.ts'
import { createLeaderElector } from '../leader/create-leader-elector.ts'
import type { LeaderElector } from '../leader/leader-elector.ts'
import type { Log } from '../log/log.ts'
import { createWorkerPool } from '../queue/worker-pool.ts'
import type { Health, Manager, ManagerOptions } from './manager.ts'

const DEFAULT_WORKERS = 32
const DEFAULT_DRAIN_MS = 10_000

export function createManager(options: ManagerOptions): Manager {
  const { client, log, clock = systemClock, random = Math.random, metrics = new Metrics(), workers = DEFAULT_WORKERS } = options
  const informers = sharedInformers(options, log)
  const pool = createWorkerPool(workers)
  const services = { client, informers, pool, clock, random, log, metrics }
  const engine = createControllerEngine(services)
  const recorders = new Map<string, EventRecorder>()
  const elector: LeaderElector | undefined =
    options.leaderElection === undefined
      ? undefined
      : createLeaderElector(options.leaderElection, services, {
          onStarted: () => {
            if (state === 'running') engine.activate()
          },
          onStopped: () => engine.deactivate({ drainMs: 0 }),
        })
  const activeWorkers = metrics.gauge('weft_workers_active', 'Busy workers of all controllers.')
  const leading = metrics.gauge('weft_leader', 'Whether this process is the leader.')
  const stopCollecting = metrics.onRender(() => {
    activeWorkers.cell().set(pool.active)
    leading.cell().set(isLeader() ? 1 : 0)
  })
  let state: 'created' | 'running' | 'stopped' = 'created'
  let stopping: Promise<void> | undefined
  const isLeader = (): boolean => state === 'running' && (elector === undefined || elector.isLeader)

  const shutDown = async (drainMs: number): Promise<void> => {
    state = 'stopped'
    // Drained while the lease is still held; given up only then.
    await engine.deactivate({ drainMs })
    await elector?.stop()
    await Promise.all([...recorders.values()].map((recorder) => recorder.stop()))
    await informers.stop()
    stopCollecting()
  }
  return {
    client,
    informers,
    engine,
    metrics,
    log,
    add: (spec) =>
      void engine.start(spec).catch((error: unknown) => log.error('a controller cannot start', { controller: spec.name, error })),
    recorder(component) {
      let recorder = recorders.get(component)
      if (recorder === undefined)
        recorders.set(
          component,
          (recorder = createEventRecorder({ component, ...(options.instance !== undefined && { instance: options.instance }) }, services)),
        )
      return recorder
    },
    get isLeader() {
      return isLeader()
    },
    get busy() {
      return engine.running.some(({ isReady, stats }) => stats.working > 0 || (isReady && stats.ready > 0))
    },
    start() {
      if (state !== 'created') return
      state = 'running'
      if (elector === undefined) engine.activate()
      else elector.start()
    },
    stop: ({ drainMs = DEFAULT_DRAIN_MS } = {}) => (stopping ??= shutDown(drainMs)),
    health(): Health {
      const waiting = engine.running.filter(({ isReady }) => !isReady).map(({ name }) => `controller ${name} waits for its watches`)
      const problems = [...waiting, ...watchProblems(informers)]
      return { live: state !== 'stopped', ready: state === 'running' && waiting.length === 0, problems }
    },
  }
}

function sharedInformers({ client, clock, random }: ManagerOptions, log: Log): SharedInformers {
  return createSharedInformers({
    client,
    clock,
    random,
    onProblem(scope, { problem, error, attempt, retryInMs }) {
      const fields = { watch: formatScope(scope), problem, error, attempt, retryInMs }
      // A broken connection is repaired in the blink of an eye, and a kind that is being installed comes; what lasts, or needs a person, is news.
      if ((problem === 'unavailable' || problem === 'absent') && attempt < 3) log.debug('a watch was interrupted', fields)
      else if (problem === 'handler') log.error('a change could not be handled', fields)
      else log.warn('a watch has a problem', fields)
    },
  })
}

function watchProblems(informers: SharedInformers): string[] {
  return informers.running().flatMap(({ scope, informer: { state } }) => {
    if (state.phase !== 'waiting') return []
    const why = state.error instanceof Error ? state.error.message : 'the server ends it'
    return [`watch of ${formatScope(scope)} is ${state.problem}: ${why}`]
  })
}

import type { HealthCheck } from './endpoints/discovery/index.ts'
import type { Storage } from './storage/index.ts'

export interface ServerChecksOptions {
  readonly storage: Storage
  /** Whether everything that a request may need has been read and made. */
  readonly isStarted: () => boolean
  readonly isStopping: () => boolean
}

/**
 * The questions that kube-apiserver's probes ask, under its names: monitoring excludes and asks for them one by one. A name stands for what does the
 * same work here, and is part of the start: one and the same step may have several.
 */
export function serverChecks({ storage, isStarted, isStopping }: ServerChecksOptions): readonly HealthCheck[] {
  const readable: HealthCheck['check'] = () => {
    storage.get(PROBE)
    return undefined
  }
  const started: HealthCheck['check'] = () => (isStarted() ? undefined : 'not finished')
  return [
    // A log that cannot be written ends the process.
    { name: 'log', check: () => undefined },
    { name: 'etcd', check: readable },
    { name: 'etcd-readiness', check: readable, endpoints: ['readyz'] },
    { name: 'informer-sync', check: started, endpoints: ['readyz'] },
    ...STEPS.map((step): HealthCheck => ({ name: step, check: started })),
    { name: 'shutdown', check: () => (isStopping() ? 'process is shutting down' : undefined), endpoints: ['readyz'] },
  ]
}

/** No object has this key: what is asked is whether the store answers. */
const PROBE = '/health'

const STEPS: readonly string[] = [
  'poststarthook/start-apiserver-admission-initializer',
  'poststarthook/generic-apiserver-start-informers',
  'poststarthook/priority-and-fairness-config-consumer',
  'poststarthook/priority-and-fairness-filter',
  'poststarthook/start-apiextensions-informers',
  'poststarthook/start-apiextensions-controllers',
  'poststarthook/crd-informer-synced',
  'poststarthook/start-system-namespaces-controller',
  'poststarthook/start-cluster-authentication-info-controller',
  'poststarthook/storage-readiness',
  'poststarthook/start-service-ip-repair-controllers',
  'poststarthook/rbac/bootstrap-roles',
  'poststarthook/scheduling/bootstrap-system-priority-classes',
  'poststarthook/priority-and-fairness-config-producer',
  'poststarthook/bootstrap-controller',
  'poststarthook/start-kube-aggregator-informers',
  'poststarthook/apiservice-status-local-available-controller',
  'poststarthook/apiservice-status-remote-available-controller',
  'poststarthook/apiservice-registration-controller',
  'poststarthook/apiservice-discovery-controller',
  'poststarthook/kube-apiserver-autoregistration',
  'autoregister-completion',
  'poststarthook/apiservice-openapi-controller',
  'poststarthook/apiservice-openapiv3-controller',
]

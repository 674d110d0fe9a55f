import { isSet, listAt, recordAt, textAt } from '../read.ts'
import { autoscalerDefaults } from './autoscaler-defaults.ts'
import { both, constants, type Filling, Fillings, type Values } from './fill.ts'
import { podDefaults } from './pod-defaults.ts'

export const TEMPLATE_GENERATION = 'deprecated.daemonset.template.generation'

/** What kube-apiserver fills in when it reads an object, beside the defaults that its schemas publish. */
const apps: Readonly<Record<string, Filling>> = {
  DeploymentSpec: both(constants({ replicas: 1, revisionHistoryLimit: 10, progressDeadlineSeconds: 600 }), strategyOf('strategy')),
  DeploymentStrategy: rolling({ maxUnavailable: '25%', maxSurge: '25%' }),
  DaemonSet: (set) => {
    const metadata = recordAt(set, 'metadata')
    const annotations = recordAt(metadata, 'annotations')
    if (isSet(annotations[TEMPLATE_GENERATION])) return set
    return { ...set, metadata: { ...metadata, annotations: { ...annotations, [TEMPLATE_GENERATION]: '1' } } }
  },
  DaemonSetSpec: both(constants({ revisionHistoryLimit: 10 }), strategyOf('updateStrategy')),
  DaemonSetUpdateStrategy: rolling({ maxUnavailable: 1, maxSurge: 0 }),
  StatefulSetSpec: both(
    constants({ podManagementPolicy: 'OrderedReady', replicas: 1, revisionHistoryLimit: 10, persistentVolumeClaimRetentionPolicy: {} }),
    strategyOf('updateStrategy'),
  ),
  StatefulSetUpdateStrategy: (strategy) =>
    textAt(strategy, 'type') === ''
      ? { ...strategy, type: 'RollingUpdate', rollingUpdate: withPartition(recordAt(strategy, 'rollingUpdate')) }
      : textAt(strategy, 'type') === 'RollingUpdate' && isSet(strategy['rollingUpdate'])
        ? { ...strategy, rollingUpdate: withPartition(recordAt(strategy, 'rollingUpdate')) }
        : strategy,
  StatefulSetPersistentVolumeClaimRetentionPolicy: constants({ whenDeleted: 'Retain', whenScaled: 'Retain' }),
  ReplicaSetSpec: constants({ replicas: 1 }),
}

/** Rolls step by step unless another way is named. */
function rolling(steps: Values): Filling {
  return (strategy) => {
    const type = textAt(strategy, 'type') || 'RollingUpdate'
    if (type !== 'RollingUpdate') return strategy
    return { ...strategy, type, rollingUpdate: constants(steps)(recordAt(strategy, 'rollingUpdate')) }
  }
}

/** So that there is one to fill in. */
function strategyOf(name: string): Filling {
  return constants({ [name]: {} })
}

const withPartition: Filling = constants({ partition: 0 })

const batch: Readonly<Record<string, Filling>> = {
  // Only of a Job itself, which has labels: the template of a CronJob is filled in when a Job is made from it.
  Job: (job) => {
    const spec = recordAt(job, 'spec')
    const labels = recordAt(spec, 'template', 'metadata', 'labels')
    const own = Object.keys(recordAt(job, 'metadata', 'labels')).length > 0 || Object.keys(labels).length === 0
    return { ...job, ...(!own && { metadata: { ...recordAt(job, 'metadata'), labels } }), spec: withJobDefaults(spec) }
  },
  CronJobSpec: constants({ concurrencyPolicy: 'Allow', suspend: false, successfulJobsHistoryLimit: 3, failedJobsHistoryLimit: 1 }),
  PodFailurePolicyOnPodConditionsPattern: constants({ status: 'True' }),
}

const MOST = 2_147_483_647

function withJobDefaults(spec: Values): Values {
  return {
    ...spec,
    ...(!isSet(spec['completions']) && !isSet(spec['parallelism']) && { completions: 1 }),
    parallelism: spec['parallelism'] ?? 1,
    backoffLimit: spec['backoffLimit'] ?? (isSet(spec['backoffLimitPerIndex']) ? MOST : 6),
    completionMode: spec['completionMode'] ?? 'NonIndexed',
    suspend: spec['suspend'] ?? false,
    podReplacementPolicy: spec['podReplacementPolicy'] ?? (isSet(spec['podFailurePolicy']) ? 'Failed' : 'TerminatingOrFailed'),
    manualSelector: spec['manualSelector'] ?? false,
  }
}

const networking: Readonly<Record<string, Filling>> = {
  NetworkPolicyPort: constants({ protocol: 'TCP' }),
  NetworkPolicySpec: (spec) =>
    listAt(spec, 'policyTypes').length > 0
      ? spec
      : { ...spec, policyTypes: ['Ingress', ...(listAt(spec, 'egress').length > 0 ? ['Egress'] : [])] },
  IngressClassParametersReference: constants({ scope: 'Cluster' }),
}

const storage: Readonly<Record<string, Filling>> = {
  StorageClass: constants({ reclaimPolicy: 'Delete', volumeBindingMode: 'Immediate' }),
  CSIDriverSpec: constants({
    attachRequired: true,
    podInfoOnMount: false,
    storageCapacity: false,
    fsGroupPolicy: 'ReadWriteOnceWithFSType',
    volumeLifecycleModes: ['Persistent'],
    requiresRepublish: false,
    seLinuxMount: false,
  }),
}

const discovery: Readonly<Record<string, Filling>> = { EndpointPort: constants({ name: '', protocol: 'TCP' }) }
const scheduling: Readonly<Record<string, Filling>> = { PriorityClass: constants({ preemptionPolicy: 'PreemptLowerPriority' }) }

const inPackage = (name: string, fillings: Readonly<Record<string, Filling>>): [string, Filling][] =>
  Object.entries(fillings).map(([message, filling]) => [`io.k8s.api.${name}.${message}`, filling])

export const fillings: Fillings = new Fillings(
  new Map([
    ...inPackage('core.v1', podDefaults),
    ...inPackage('apps.v1', apps),
    ...inPackage('batch.v1', batch),
    ...inPackage('networking.v1', networking),
    ...inPackage('storage.v1', storage),
    ...inPackage('discovery.v1', discovery),
    ...inPackage('scheduling.v1', scheduling),
    ...inPackage('autoscaling.v1', { HorizontalPodAutoscalerSpec: constants({ minReplicas: 1 }) }),
    ...inPackage('autoscaling.v2', autoscalerDefaults),
  ]),
)

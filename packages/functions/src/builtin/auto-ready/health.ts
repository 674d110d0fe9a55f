import { truncate } from '../../go/parse-number.ts'
import { type GoObject, type GoValue, isGoArray, isGoObject } from '../../go/value.ts'
import { cronJob, horizontalPodAutoscaler, job, persistentVolumeClaim, pod, replicaSet } from './kubernetes-types.ts'
import { boolAt, conditionsAt, type GoType, intAt, listAt, objectAt, textAt, timeAt } from './typed.ts'

type HealthCheck = (object: GoObject) => boolean

const exists: HealthCheck = () => true

/** A check of an object that is read into a Go type first. */
const typed =
  (type: GoType, check: HealthCheck): HealthCheck =>
  (object) =>
    type(object) && check(object)

/** Kubernetes' own kinds whose health is not a condition Ready, by version and kind. */
const HEALTH_CHECKS: Readonly<Record<string, HealthCheck>> = {
  'v1 ConfigMap': exists,
  'v1 Secret': exists,
  'v1 ServiceAccount': exists,
  'v1 Namespace': exists,
  'v1 Service': isServiceHealthy,
  'v1 Pod': typed(pod, isPodHealthy),
  'v1 PersistentVolumeClaim': typed(persistentVolumeClaim, (object) => textAt(objectAt(object, 'status'), 'phase') === 'Bound'),
  'apps/v1 Deployment': isDeploymentHealthy,
  'apps/v1 StatefulSet': isStatefulSetHealthy,
  'apps/v1 DaemonSet': isDaemonSetHealthy,
  'apps/v1 ReplicaSet': typed(replicaSet, isReplicaSetHealthy),
  'batch/v1 Job': typed(job, isJobHealthy),
  'batch/v1 CronJob': typed(cronJob, isCronJobHealthy),
  'networking.k8s.io/v1 Ingress': hasIngress,
  'autoscaling/v2 HorizontalPodAutoscaler': typed(horizontalPodAutoscaler, isAutoscalerHealthy),
}

/** A value deep in an object, undefined where there is none. */
function nested(object: GoObject, ...path: readonly string[]): GoValue | undefined {
  let node: GoValue | undefined = object
  for (const key of path) {
    if (!isGoObject(node) || !Object.hasOwn(node, key)) return undefined
    node = node[key]
  }
  return node
}

function count(object: GoObject, ...path: readonly string[]): bigint | undefined {
  const value = nested(object, ...path)
  return typeof value === 'number' ? truncate(value) : undefined
}

function hasIngress(object: GoObject): boolean {
  const ingress = nested(object, 'status', 'loadBalancer', 'ingress')
  return isGoArray(ingress) && ingress.length > 0
}

function isServiceHealthy(object: GoObject): boolean {
  return nested(object, 'spec', 'type') !== 'LoadBalancer' || hasIngress(object)
}

function isDeploymentHealthy(object: GoObject): boolean {
  const replicas = count(object, 'spec', 'replicas') ?? 1n
  if (count(object, 'status', 'updatedReplicas') !== replicas || count(object, 'status', 'availableReplicas') !== replicas) return false
  const conditions = nested(object, 'status', 'conditions')
  return isGoArray(conditions) && conditions.some((item) => isGoObject(item) && item['type'] === 'Available' && item['status'] === 'True')
}

function isStatefulSetHealthy(object: GoObject): boolean {
  const replicas = count(object, 'spec', 'replicas') ?? 1n
  if (count(object, 'status', 'readyReplicas') !== replicas || count(object, 'status', 'currentReplicas') !== replicas) return false
  const revision = nested(object, 'status', 'currentRevision')
  return typeof revision === 'string' && revision === nested(object, 'status', 'updateRevision')
}

function isDaemonSetHealthy(object: GoObject): boolean {
  const desired = count(object, 'status', 'desiredNumberScheduled')
  const counts = ['numberReady', 'updatedNumberScheduled', 'numberAvailable']
  return desired !== undefined && counts.every((name) => count(object, 'status', name) === desired)
}

function isReplicaSetHealthy(object: GoObject): boolean {
  const status = objectAt(object, 'status')
  if ((intAt(status, 'observedGeneration', 64) ?? 0n) < (intAt(objectAt(object, 'metadata'), 'generation', 64) ?? 0n)) return false
  if (conditionsAt(status).some(({ type, status: is }) => type === 'ReplicaFailure' && is === 'True')) return false
  return (intAt(status, 'availableReplicas', 32) ?? 0n) >= (intAt(objectAt(object, 'spec'), 'replicas', 32) ?? 1n)
}

function isJobHealthy(object: GoObject): boolean {
  for (const { type, status } of conditionsAt(objectAt(object, 'status'))) {
    if (status !== 'True') continue
    if (type === 'Complete') return true
    if (type === 'Failed' || type === 'Suspended') return false
  }
  return false
}

function isCronJobHealthy(object: GoObject): boolean {
  if (boolAt(objectAt(object, 'spec'), 'suspend')) return true
  const status = objectAt(object, 'status')
  const scheduled = timeAt(status, 'lastScheduleTime')
  if (scheduled === undefined) return false
  if (listAt(status, 'active').length > 0) return true
  const successful = timeAt(status, 'lastSuccessfulTime')
  return successful !== undefined && successful >= scheduled
}

function isPodHealthy(object: GoObject): boolean {
  const status = objectAt(object, 'status')
  const phase = textAt(status, 'phase')
  if (phase === 'Succeeded') return true
  if (phase !== 'Running' || textAt(objectAt(object, 'spec'), 'restartPolicy') !== 'Always') return false
  return conditionsAt(status).some(({ type, status: is }) => type === 'Ready' && is === 'True')
}

const DEGRADED: ReadonlySet<string> = new Set(['FailedGetScale', 'FailedUpdateScale', 'FailedGetResourceMetric', 'InvalidSelector'])

function isAutoscalerHealthy(object: GoObject): boolean {
  for (const { type, status } of conditionsAt(objectAt(object, 'status'))) {
    if (status !== 'True') continue
    if (DEGRADED.has(type)) return false
    if (type === 'ScalingActive' || type === 'ScalingLimited') return true
  }
  return false
}

/** Whether what is known of its kind makes it healthy. What is neither text nor of one of these kinds is not. */
export function isHealthy(object: GoObject): boolean {
  const { apiVersion, kind } = object
  if (typeof apiVersion !== 'string' || typeof kind !== 'string') return false
  // A group may be written though it is empty.
  const known = `${apiVersion.replace(/^\/(?=[^/]*$)/, '')} ${kind}`
  return Object.hasOwn(HEALTH_CHECKS, known) && (HEALTH_CHECKS[known]?.(object) ?? false)
}

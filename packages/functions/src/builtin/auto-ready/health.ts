import { type GoObject, type GoValue, isGoArray, isGoObject } from '../../go/value.ts'
import { boolean, conditionsAt, int, type Maybe, objectAt, objectsAt, text, time, typed } from './typed.ts'

type HealthCheck = (object: GoObject) => boolean

const exists: HealthCheck = () => true

/** Kubernetes' own kinds whose health is not a condition Ready, by exact version and kind. */
export const HEALTH_CHECKS: Readonly<Record<string, HealthCheck>> = {
  'v1 ConfigMap': exists,
  'v1 Secret': exists,
  'v1 ServiceAccount': exists,
  'v1 Namespace': exists,
  'v1 Service': isServiceHealthy,
  'v1 Pod': typed(isPodHealthy),
  'v1 PersistentVolumeClaim': typed((object) => text(objectAt(object, 'status'), 'phase') === 'Bound'),
  'apps/v1 Deployment': isDeploymentHealthy,
  'apps/v1 StatefulSet': isStatefulSetHealthy,
  'apps/v1 DaemonSet': isDaemonSetHealthy,
  'apps/v1 ReplicaSet': typed(isReplicaSetHealthy),
  'batch/v1 Job': typed(isJobHealthy),
  'batch/v1 CronJob': typed(isCronJobHealthy),
  'networking.k8s.io/v1 Ingress': hasIngress,
  'autoscaling/v2 HorizontalPodAutoscaler': typed(isAutoscalerHealthy),
}

/** A value deep in an object, undefined where there is none. */
function nested(object: GoObject, ...path: readonly string[]): Maybe {
  let node: GoValue | undefined = object
  for (const key of path) {
    if (!isGoObject(node) || !Object.hasOwn(node, key)) return undefined
    node = node[key]
  }
  return node
}

function count(object: GoObject, ...path: readonly string[]): number | undefined {
  const value = nested(object, ...path)
  return typeof value === 'number' ? Math.trunc(value) : typeof value === 'bigint' ? Number(value) : undefined
}

function hasIngress(object: GoObject): boolean {
  const ingress = nested(object, 'status', 'loadBalancer', 'ingress')
  return isGoArray(ingress) && ingress.length > 0
}

function isServiceHealthy(object: GoObject): boolean {
  return nested(object, 'spec', 'type') !== 'LoadBalancer' || hasIngress(object)
}

function isDeploymentHealthy(object: GoObject): boolean {
  const replicas = count(object, 'spec', 'replicas') ?? 1
  if (count(object, 'status', 'updatedReplicas') !== replicas || count(object, 'status', 'availableReplicas') !== replicas) return false
  const conditions = nested(object, 'status', 'conditions')
  return isGoArray(conditions) && conditions.some((item) => isGoObject(item) && item['type'] === 'Available' && item['status'] === 'True')
}

function isStatefulSetHealthy(object: GoObject): boolean {
  const replicas = count(object, 'spec', 'replicas') ?? 1
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
  // Read, and not asked for: what is no number is no ReplicaSet.
  for (const field of ['replicas', 'fullyLabeledReplicas', 'readyReplicas', 'terminatingReplicas']) int(status, field)
  if ((int(status, 'observedGeneration') ?? 0) < (int(objectAt(object, 'metadata'), 'generation') ?? 0)) return false
  if (conditionsAt(status).some(({ type, status: is }) => type === 'ReplicaFailure' && is === 'True')) return false
  return (int(status, 'availableReplicas') ?? 0) >= (int(objectAt(object, 'spec'), 'replicas') ?? 1)
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
  const status = objectAt(object, 'status')
  const scheduled = time(status, 'lastScheduleTime')
  const successful = time(status, 'lastSuccessfulTime')
  const active = objectsAt(status, 'active')
  if (boolean(objectAt(object, 'spec'), 'suspend') === true) return true
  if (scheduled === undefined) return false
  if (active.length > 0) return true
  return successful !== undefined && successful >= scheduled
}

function isPodHealthy(object: GoObject): boolean {
  const status = objectAt(object, 'status')
  const phase = text(status, 'phase')
  if (phase === 'Succeeded') return true
  if (phase !== 'Running' || text(objectAt(object, 'spec'), 'restartPolicy') !== 'Always') return false
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

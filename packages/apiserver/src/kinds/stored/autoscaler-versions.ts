import { type KubeObject, withMeta } from '@weft/api'
import { isSet, listAt, numberAt, recordAt, textAt } from '../read.ts'

/** What autoscaling/v1 has no field for is kept in annotations, so that nothing is lost on the way. */
const METRICS = 'autoscaling.alpha.kubernetes.io/metrics'
const BEHAVIOR = 'autoscaling.alpha.kubernetes.io/behavior'
const CONDITIONS = 'autoscaling.alpha.kubernetes.io/conditions'
const CURRENT = 'autoscaling.alpha.kubernetes.io/current-metrics'

/** The autoscaling/v2 form of an autoscaler: what v1 knows is the use of CPU. */
export function scalerToStored(object: KubeObject): KubeObject {
  const { targetCPUUtilizationPercentage: use, ...spec } = recordAt(object, 'spec')
  const { currentCPUUtilizationPercentage: current, ...status } = recordAt(object, 'status')
  const annotations: Record<string, string> = { ...object.metadata.annotations }
  const kept = (name: string): unknown => {
    const text = annotations[name]
    delete annotations[name]
    return parsed(text)
  }
  const metrics = [...list(kept(METRICS)), ...(isSet(use) ? [ofCpu({ target: { type: 'Utilization', averageUtilization: use } })] : [])]
  const behavior = kept(BEHAVIOR)
  const conditions = list(kept(CONDITIONS))
  const measured = [...list(kept(CURRENT)), ...(isSet(current) ? [ofCpu({ current: { averageUtilization: current } })] : [])]
  const moved = withMeta(object, { annotations: Object.keys(annotations).length > 0 ? annotations : undefined })
  return {
    ...moved,
    apiVersion: 'autoscaling/v2',
    spec: { ...spec, ...(metrics.length > 0 && { metrics }), ...(isSet(behavior) && { behavior }) },
    status: { ...status, ...(measured.length > 0 && { currentMetrics: measured }), ...(conditions.length > 0 && { conditions }) },
  }
}

/** The autoscaling/v1 form of an autoscaler that is stored. */
export function scalerFromStored(object: KubeObject): KubeObject {
  const { metrics: _m, behavior, ...spec } = recordAt(object, 'spec')
  const { currentMetrics: _c, conditions, ...status } = recordAt(object, 'status')
  const [cpu, others] = split(listAt(object, 'spec', 'metrics'), 'target')
  const [measured, otherMeasured] = split(listAt(object, 'status', 'currentMetrics'), 'current')
  const annotations = {
    ...object.metadata.annotations,
    ...(others.length > 0 && { [METRICS]: JSON.stringify(others) }),
    ...(isSet(behavior) && { [BEHAVIOR]: JSON.stringify(behavior) }),
    ...(isSet(conditions) && { [CONDITIONS]: JSON.stringify(conditions) }),
    ...(otherMeasured.length > 0 && { [CURRENT]: JSON.stringify(otherMeasured) }),
  }
  return {
    ...withMeta(object, { annotations: Object.keys(annotations).length > 0 ? annotations : undefined }),
    apiVersion: 'autoscaling/v1',
    spec: { ...spec, ...(cpu !== undefined && { targetCPUUtilizationPercentage: cpu }) },
    status: {
      currentReplicas: 0,
      desiredReplicas: 0,
      ...status,
      ...(measured !== undefined && { currentCPUUtilizationPercentage: measured }),
    },
  }
}

const ofCpu = (amount: object): object => ({ type: 'Resource', resource: { name: 'cpu', ...amount } })

/** The use of CPU, and all else that is measured. */
function split(metrics: readonly unknown[], amount: 'target' | 'current'): [number | undefined, readonly unknown[]] {
  const isUse = (metric: unknown): boolean =>
    textAt(metric, 'resource', 'name') === 'cpu' && numberAt(metric, 'resource', amount, 'averageUtilization') !== undefined
  const found = metrics.find(isUse)
  return [numberAt(found, 'resource', amount, 'averageUtilization'), metrics.filter((metric) => metric !== found)]
}

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** Anybody may write an annotation. */
function parsed(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}

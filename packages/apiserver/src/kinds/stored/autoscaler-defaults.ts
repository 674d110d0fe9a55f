import { isSet, listAt, recordAt } from '../read.ts'
import { constants, type Filling, type Values } from './fill.ts'

const PERIOD_SECONDS = 15
const byPercent = { type: 'Percent', value: 100, periodSeconds: PERIOD_SECONDS }
const byPods = { type: 'Pods', value: 4, periodSeconds: PERIOD_SECONDS }

const scaleUp = constants({ stabilizationWindowSeconds: 0, selectPolicy: 'Max', policies: [byPods, byPercent] })
const scaleDown = constants({ selectPolicy: 'Max', policies: [byPercent] })
const averageUse = { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } } }

export const autoscalerDefaults: Readonly<Record<string, Filling>> = {
  HorizontalPodAutoscalerSpec: (spec): Values => ({
    ...spec,
    minReplicas: spec['minReplicas'] ?? 1,
    ...(listAt(spec, 'metrics').length === 0 && { metrics: [averageUse] }),
    ...(isSet(spec['behavior']) && {
      behavior: {
        ...recordAt(spec, 'behavior'),
        scaleUp: scaleUp(recordAt(spec, 'behavior', 'scaleUp')),
        scaleDown: scaleDown(recordAt(spec, 'behavior', 'scaleDown')),
      },
    }),
  }),
}

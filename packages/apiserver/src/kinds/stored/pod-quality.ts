import type { KubeObject } from '@weft/api'
import { listAt, recordAt } from '../read.ts'

const COMPUTE = ['cpu', 'memory'] as const

/** How well a pod's resources are promised to it: Guaranteed, Burstable or BestEffort. */
export function qualityOf(pod: KubeObject): string {
  const whole = recordAt(pod, 'spec', 'resources')
  const parts = hasAny(whole) ? [whole] : containersOf(pod).map((container) => recordAt(container, 'resources'))
  const amounts = (part: object, what: 'limits' | 'requests', name: string): string => nonZero(recordAt(part, what)[name])
  if (!parts.some((part) => COMPUTE.some((name) => amounts(part, 'limits', name) !== '' || amounts(part, 'requests', name) !== '')))
    return 'BestEffort'
  const guaranteed = parts.every((part) =>
    COMPUTE.every((name) => {
      const limit = amounts(part, 'limits', name)
      const request = amounts(part, 'requests', name)
      return limit !== '' && (request === '' || request === limit)
    }),
  )
  return guaranteed ? 'Guaranteed' : 'Burstable'
}

const containersOf = (pod: KubeObject): readonly unknown[] => [
  ...listAt(pod, 'spec', 'containers'),
  ...listAt(pod, 'spec', 'initContainers'),
]

const hasAny = (resources: object): boolean =>
  Object.keys(recordAt(resources, 'limits')).length + Object.keys(recordAt(resources, 'requests')).length > 0

/** Amounts are kept as Go writes them, so that equal ones are the same text. */
const nonZero = (amount: unknown): string => (typeof amount === 'string' && !/^0+\D*$/.test(amount) ? amount : '')

import type { KubeObject } from '@weft/api'
import { plus, type Quantity, quantityOf, whole } from '../kinds/quantity.ts'
import { at, isSet, listAt, numberAt, recordAt, textAt } from '../kinds/read.ts'
import { qualityOf } from '../kinds/stored/pod-quality.ts'
import type { Measure } from './measure.ts'
import { matchesValue, type ScopeRequirement } from './scopes.ts'
import { NOTHING, sum, type Usage } from './usage.ts'

const LIMITS = /^((count\/)?pods|((requests|limits)\.)?(cpu|memory|ephemeral-storage)|(requests\.)?hugepages-.*|requests\.[^/]+\/.*)$/
/** Limits on these ask every container to say what it needs. */
const DECLARED = ['cpu', 'memory', 'requests.cpu', 'requests.memory', 'limits.cpu', 'limits.memory']

/** How many pods there are, and what those that may still run ask for and are limited to. */
export const pods: Measure = {
  limits: { has: (name) => LIMITS.test(name) },
  varies: true,
  usage: (pod) => (isOver(pod) ? COUNTED : sum(COUNTED, computeUsage(totalOf(pod, 'requests'), totalOf(pod, 'limits')))),
  matches: matchesScope,
  missing,
}

const COUNTED: Usage = new Map([['count/pods', whole(1)]])

const isOver = (pod: KubeObject): boolean => ['Failed', 'Succeeded'].includes(textAt(pod, 'status', 'phase'))

const COMPUTE = ['cpu', 'memory', 'ephemeral-storage'] as const

function computeUsage(requests: Usage, limits: Usage): Usage {
  const usage = new Map([['pods', whole(1)]])
  for (const [name, amount] of requests) {
    const compute = COMPUTE.some((each) => each === name) || name.startsWith('hugepages-')
    if (compute) usage.set(name, amount)
    if (compute || name.includes('/')) usage.set(`requests.${name}`, amount)
  }
  for (const name of COMPUTE) if (limits.has(name)) usage.set(`limits.${name}`, limits.get(name) as Quantity)
  return usage
}

/** What all containers take at once, or the greediest of those that run first; what is said of the whole pod goes before that. */
function totalOf(pod: KubeObject, what: 'requests' | 'limits'): Usage {
  const amounts = (container: unknown): Usage => amountsOf(at(container, 'resources', what))
  let running = listAt(pod, 'spec', 'containers').reduce<Usage>((total, container) => sum(total, amounts(container)), NOTHING)
  let starting = NOTHING
  let beside = NOTHING
  for (const container of listAt(pod, 'spec', 'initContainers')) {
    if (textAt(container, 'restartPolicy') === 'Always') {
      beside = sum(beside, amounts(container))
      running = sum(running, amounts(container))
      starting = greatest(starting, beside)
    } else starting = greatest(starting, sum(amounts(container), beside))
  }
  const total = new Map([...greatest(running, starting), ...amountsOf(at(pod, 'spec', 'resources', what))])
  const overhead = amountsOf(at(pod, 'spec', 'overhead'))
  // A limit that nobody set stays unset.
  return sum(total, what === 'limits' ? new Map([...overhead].filter(([name]) => total.has(name))) : overhead)
}

const amountsOf = (given: unknown): Usage =>
  new Map(Object.entries(recordAt(given)).map(([name, amount]): [string, Quantity] => [name, quantityOf(amount)]))

function greatest(a: Usage, b: Usage): Usage {
  const result = new Map(a)
  for (const [name, amount] of b) if (amount.nanos > (result.get(name)?.nanos ?? -1n)) result.set(name, plus(amount, whole(0)))
  return result
}

function matchesScope({ scopeName, operator, values }: ScopeRequirement, pod: KubeObject): boolean {
  switch (scopeName) {
    case 'Terminating':
      return hasDeadline(pod)
    case 'NotTerminating':
      return !hasDeadline(pod)
    case 'BestEffort':
      return qualityOf(pod) === 'BestEffort'
    case 'NotBestEffort':
      return qualityOf(pod) !== 'BestEffort'
    case 'PriorityClass':
      return matchesValue({ operator, values }, textAt(pod, 'spec', 'priorityClassName'))
    case 'CrossNamespacePodAffinity':
      return reachesOut(pod)
    default:
      return false
  }
}

const hasDeadline = (pod: KubeObject): boolean => (numberAt(pod, 'spec', 'activeDeadlineSeconds') ?? -1) >= 0

/** Does it want to be near, or far from, pods of other namespaces? */
function reachesOut(pod: KubeObject): boolean {
  return ['podAffinity', 'podAntiAffinity'].some((kind) => {
    const affinity = recordAt(pod, 'spec', 'affinity', kind)
    const terms = [
      ...listAt(affinity, 'requiredDuringSchedulingIgnoredDuringExecution'),
      ...listAt(affinity, 'preferredDuringSchedulingIgnoredDuringExecution').map((weighted) => at(weighted, 'podAffinityTerm')),
    ]
    return terms.some((term) => listAt(term, 'namespaces').length > 0 || isSet(at(term, 'namespaceSelector')))
  })
}

/** What a limit asks every container to declare, and which ones do not. */
function missing(pod: KubeObject, limits: readonly string[]): string | undefined {
  const whole_ = recordAt(pod, 'spec', 'resources')
  if (Object.keys(recordAt(whole_, 'requests')).length + Object.keys(recordAt(whole_, 'limits')).length > 0) return undefined
  const containers = [...listAt(pod, 'spec', 'containers'), ...listAt(pod, 'spec', 'initContainers')]
  const told = DECLARED.filter((name) => limits.includes(name))
    .sort()
    .flatMap((name) => {
      const silent = containers.filter((container) => {
        const resources = recordAt(container, 'resources')
        return !computeUsage(amountsOf(resources['requests']), amountsOf(resources['limits'])).has(name)
      })
      const names = silent.map((container) => textAt(container, 'name')).sort()
      return names.length === 0 ? [] : [`${name} for: ${names.join(',')}`]
    })
  return told.length === 0 ? undefined : `must specify ${told.join('; ')}`
}
